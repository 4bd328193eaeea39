// A row about a property → its facts, which must not contradict each other.
import { accepts, VALUE_TYPES, type Property } from "../../src/catalog/facts.js";
import { filled, json, word, words, unreadable, type Row } from "./tables.js";

export type ReadVersion = (row: Row, column: string) => string | undefined;

export function readProperty(row: Row, version: ReadVersion): Property {
  const type = readType(row);
  const introduced = version(row, "Introduced");
  const deprecated = version(row, "Deprecated");
  const values = row.cells["Values"] ? words(row, "Values") : undefined;
  const byDefault = row.cells["Default"] ?? "";
  const isJson = byDefault.startsWith("`");
  const setBy = row.cells["Set by"];
  const property: Property = {
    name: word(row, "Property"),
    type,
    ...(values && { values }),
    ...(isJson && { default: json(row, "Default") }),
    ...(byDefault && !isJson && { defaultInWords: byDefault }),
    ...(introduced && { introduced }),
    ...(deprecated && { deprecated }),
    ...(setBy && { setBy }),
    ...(row.cells["Disconnected"] && { disconnected: json(row, "Disconnected") }),
    example: json(row, "Example"),
    meaning: filled(row, "Meaning"),
  };
  for (const column of ["Default", "Example"] as const) {
    const value = column === "Default" ? property.default : property.example;
    if (value !== undefined && !accepts(property, value)) {
      throw unreadable(
        row,
        `the ${column.toLowerCase()} ${row.cells[column]} is no ${row.cells["Type"]}.`,
      );
    }
  }
  return property;
}

function readType(row: Row): Property["type"] {
  const text = filled(row, "Type");
  const arrayOf = /^array of `(\w+)`$/.exec(text)?.[1];
  if (arrayOf) return { arrayOf };
  const known = Object.keys(VALUE_TYPES) as (keyof typeof VALUE_TYPES)[];
  const found = known.find((type) => type === text);
  if (!found) throw unreadable(row, `the type "${text}" is none of: ${known.join(", ")}.`);
  return found;
}
