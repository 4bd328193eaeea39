// A value that the interface does not take → what it is, and what the old portal made of it.
import { catalog } from "../catalog/catalog.js";
import type { Property } from "../catalog/facts.js";
import { accepts } from "../catalog/facts.js";
import { isJsonList, isJsonObject, type Json } from "../json.js";
import type { Plain } from "./value.js";

interface Wrong {
  /** Continues the property's name: "… is the text "false", which acted as true". */
  readonly is: string;
  readonly help: string;
}

/** `name` is the property's own in the file, which may spell it otherwise than the reference. */
export function wrongType(
  name: string,
  property: Property,
  value: Json | Plain["value"],
): Wrong | undefined {
  const { type } = property;
  if (value === null || value === undefined) {
    return {
      is: `is ${String(value)}, which counted as not set`,
      help: "Leave it out, or choose a value.",
    };
  }
  const json = value as Json;
  if (type === "URL" && typeof json === "string" && json.trim() === "") {
    return {
      is: `is ${described(json)}, which counted as not set`,
      help: "Leave it out, or write an address.",
    };
  }
  if (accepts(property, json) && !(type === "string or `false`" && isSwitch(json))) {
    return typeof type === "object" && isJsonList(json)
      ? wrongField(json, catalog.objects[type.arrayOf] ?? [])
      : undefined;
  }
  const found = described(json);
  const example = `  ${name}: ${JSON.stringify(property.example)}`;
  if (typeof type === "object") {
    return Array.isArray(json)
      ? wrongEntry(json, "object", isJsonObject)
      : {
          is: `is ${found}, which counted as no list`,
          help: `Write a list of ${type.arrayOf} entries, such as:\n${example}`,
        };
  }
  switch (type) {
    case "boolean":
      return {
        is: `is ${found}, which acted as ${String(Boolean(json))}`,
        help: `Decide which is meant, and write it without quotes:\n  ${name}: ${String(Boolean(json))}`,
      };
    case "minutes":
      return wrongMinutes(name, property, json);
    case "string or `false`":
      return {
        is: `is ${found}, which acted as ${String(Boolean(json))}`,
        help: `Decide whether an address or false is meant, and write false without quotes:\n  ${name}: false`,
      };
    case "array of domain names":
    case "array of application titles":
      return Array.isArray(json)
        ? wrongEntry(json, "text", (each) => typeof each === "string")
        : { is: `is ${found}, which counted as no list`, help: `Write a list:\n${example}` };
    case "URL":
    case "string":
    case "colour":
      return {
        is: `is ${found}, which counted as no ${nounOf(property)}`,
        help: `Write, for example:\n${example}`,
      };
    default:
      throw type satisfies never;
  }
}

/** Where a text or false belongs, a text that is meant for true or false is one of neither. */
function isSwitch(value: Json): boolean {
  return typeof value === "string" && /^\s*(?:true|false|yes|no|on|off|[01])?\s*$/i.test(value);
}

/** In a request a text of digits is no other than the number. */
function wrongMinutes(name: string, property: Property, json: Json): Wrong {
  const number = typeof json === "string" && /^\s*\d+\s*$/.test(json) ? Number(json) : NaN;
  const isRight = accepts(property, number);
  const acted = isRight
    ? `acted as the number ${number}`
    : "counted as no whole number of minutes above zero";
  return {
    is: `is ${described(json)}, which ${acted}`,
    help: `Decide how many minutes are meant, such as:\n  ${name}: ${JSON.stringify(isRight ? number : property.example)}`,
  };
}

function wrongEntry(
  list: readonly Json[],
  wanted: string,
  isFit: (each: Json) => boolean,
): Wrong | undefined {
  const at = list.findIndex((each) => !isFit(each));
  return {
    is: `holds ${described(list[at] ?? null)} as entry ${at + 1}, which counted as no ${wanted}`,
    help: "Remove the entry, or write what is meant.",
  };
}

/** What an entry holds under another name is looked at when the whole file is checked, which takes no null anywhere. */
function wrongField(list: readonly Json[], fields: readonly Property[]): Wrong | undefined {
  for (const [at, entry] of list.entries()) {
    if (holdsNull(entry)) {
      return {
        is: `holds null within entry ${at + 1}, which counted as not set`,
        help: "Remove what is null, or write what is meant.",
      };
    }
    for (const field of fields) {
      const held = isJsonObject(entry) ? entry[field.name] : undefined;
      if (held === undefined || accepts(field, held)) continue;
      return {
        is: `holds ${described(held)} as the ${field.name} of entry ${at + 1}, which counted as no ${nounOf(field)}`,
        help: `Write what is meant, such as:\n  ${field.name}: ${JSON.stringify(field.example)}`,
      };
    }
  }
  return undefined;
}

function holdsNull(value: Json): boolean {
  if (isJsonList(value)) return value.some(holdsNull);
  return value === null || (isJsonObject(value) && Object.values(value).some(holdsNull));
}

function nounOf({ type }: Property): string {
  return type === "URL" ? "address" : "text";
}

function described(value: Json): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
