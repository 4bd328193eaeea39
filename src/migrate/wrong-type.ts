// A value that the interface does not take → what it is, and what the old portal made of it.
import type { Property } from "../catalog/facts.js";
import { accepts } from "../catalog/facts.js";
import type { Json } from "../json.js";
import type { Plain } from "./value.js";

interface Wrong {
  /** Continues the property's name: "… is the text "false", which acted as true". */
  readonly is: string;
  readonly help: string;
}

export function wrongType(property: Property, value: Json | Plain["value"]): Wrong | undefined {
  const { name, type } = property;
  if (value === null || value === undefined) {
    return {
      is: `is ${String(value)}, which counted as not set`,
      help: "Leave it out, or choose a value.",
    };
  }
  const json = value as Json;
  if (accepts(property, json)) return undefined;
  const found = described(json);
  if (typeof type === "object") {
    return Array.isArray(json)
      ? wrongEntry(json, "an object", (each) => typeof each === "object" && each !== null)
      : {
          is: `is ${found}, where a list belongs`,
          help: `Write a list of ${type.arrayOf} entries.`,
        };
  }
  switch (type) {
    case "boolean":
      return {
        is: `is ${found}, which acted as ${String(Boolean(json))}`,
        help: `Decide which is meant, and write it without quotes:\n  ${name}: ${String(Boolean(json))}`,
      };
    case "minutes":
      return {
        is: `is ${found}, where a whole number of minutes above zero belongs`,
        help: `Decide how many minutes are meant, such as:\n  ${name}: ${JSON.stringify(property.example)}`,
      };
    case "string or `false`":
      return {
        is: `is ${found}, where an address or false belongs`,
        help: `Decide which is meant, such as:\n  ${name}: false`,
      };
    case "array of domain names":
    case "array of application titles":
      return Array.isArray(json)
        ? wrongEntry(json, "a text", (each) => typeof each === "string")
        : {
            is: `is ${found}, where a list belongs`,
            help: `Write a list:\n  ${name}: ${JSON.stringify(property.example)}`,
          };
    case "URL":
    case "string":
    case "colour":
      return {
        is: `is ${found}, where a text belongs`,
        help: `Write, for example:\n  ${name}: ${JSON.stringify(property.example)}`,
      };
    default:
      throw type satisfies never;
  }
}

function wrongEntry(
  list: readonly Json[],
  wanted: string,
  isFit: (each: Json) => boolean,
): Wrong | undefined {
  const at = list.findIndex((each) => !isFit(each));
  return {
    is: `holds ${described(list[at] ?? null)} as entry ${at + 1}, where ${wanted} belongs`,
    help: "Remove the entry, or write what is meant.",
  };
}

function described(value: Json): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
