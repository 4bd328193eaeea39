// A row of a reference table → what one of its cells says, or why that cannot be understood.
import type { Json } from "../../src/json.js";
import { unreadable, type Row } from "./tables.js";

export function filled(row: Row, column: string): string {
  const text = row.cells[column];
  if (!text) throw unreadable(row, `the cell "${column}" is empty.`);
  return text;
}

export function words(row: Row, column: string): string[] {
  return filled(row, column)
    .split(/,\s*/)
    .map((part) => {
      const text = /^`([^`]+)`$/.exec(part)?.[1];
      if (!text) throw unreadable(row, `"${part}" in "${column}" must be one word in backquotes.`);
      return text;
    });
}

export function word(row: Row, column: string): string {
  const [first = "", second] = words(row, column);
  if (second) throw unreadable(row, `the cell "${column}" must hold one word.`);
  return first;
}

export function oneOf<T extends string>(row: Row, column: string, known: readonly T[]): T {
  const text = filled(row, column).replaceAll("`", "");
  const found = known.find((each) => each === text);
  if (!found) throw unreadable(row, `"${text}" in "${column}" is none of: ${known.join(", ")}.`);
  return found;
}

export function count(row: Row, column: string): number | undefined {
  if (!row.cells[column]) return undefined;
  const text = word(row, column);
  if (!/^[1-9]\d*$/.test(text)) throw unreadable(row, `"${text}" in "${column}" is no count.`);
  return Number(text);
}

export function json(row: Row, column: string): Json {
  const text = /^`(.+)`$/.exec(filled(row, column))?.[1];
  try {
    return JSON.parse(text ?? "") as Json;
  } catch {
    throw unreadable(row, `the cell "${column}" must hold JSON in backquotes.`);
  }
}
