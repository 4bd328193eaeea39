// A value that the interface does not take → what it is, and what the old portal made of it.
import { catalog } from "../catalog/catalog.js";
import { accepts, type Property, type ValueType } from "../catalog/facts.js";
import { isJsonList, isJsonObject, type Json } from "../lib/json.js";

interface Wrong {
  /** Continues the property's name: "… is the text "false", which acted as true". */
  readonly is: string;
  readonly help: string;
}

/** What a value that is none of the type counted as none of; undefined where it acted as true or false. */
const NOUNS: Readonly<Record<ValueType, string | undefined>> = {
  boolean: undefined,
  "string or `false`": undefined,
  minutes: "whole number of minutes",
  URL: "address",
  link: "address",
  string: "text",
  colour: "text",
  "array of domain names": "list",
  "array of application titles": "list",
};

function nounOf({ type }: Property): string | undefined {
  return typeof type === "object" ? "list" : NOUNS[type];
}

const REMOVE = "Remove the entry, or write what is meant.";

/** `name` is the property's own in the file, which may spell it otherwise than the reference. */
export function wrongType(
  name: string,
  property: Property,
  value: Json | undefined,
): Wrong | undefined {
  const { type } = property;
  const is = `is ${value === undefined ? "undefined" : described(value)}`;
  const isBlank = type === "URL" && typeof value === "string" && value.trim() === "";
  if (value === null || value === undefined || isBlank) {
    const choice = isBlank ? "write an address" : "choose a value";
    return { is: `${is}, which counted as not set`, help: `Leave it out, or ${choice}.` };
  }
  if (accepts(property, value)) {
    return typeof type === "object" ? wrongField(value, type.arrayOf) : undefined;
  }
  const noun = nounOf(property);
  if (noun === "list" && isJsonList(value)) return wrongEntry(value, typeof type === "object");
  const such = (example: Json) => `such as:\n  ${name}: ${JSON.stringify(example)}`;
  if (noun === undefined) {
    const isTrue = Boolean(value);
    const help =
      type === "boolean"
        ? `Decide which is meant, and write it without quotes:\n  ${name}: ${String(isTrue)}`
        : `Decide whether an address or false is meant, and write false without quotes:\n  ${name}: false`;
    return { is: `${is}, which acted as ${String(isTrue)}`, help };
  }
  if (type === "minutes") {
    // In a request a text of digits is no other than the number.
    const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : NaN;
    const isRight = accepts(property, number);
    const acted = isRight ? `acted as the number ${number}` : `counted as no ${noun}`;
    const help = `Decide how many minutes are meant, ${such(isRight ? number : property.example)}`;
    return { is: `${is}, which ${acted}`, help };
  }
  return {
    is: `${is}, which counted as no ${noun}`,
    help: `Write ${noun === "address" ? "an" : "a"} ${noun}, ${such(property.example)}`,
  };
}

function wrongEntry(list: readonly Json[], holdsObjects: boolean): Wrong {
  const isFit = (each: Json) => (holdsObjects ? isJsonObject(each) : typeof each === "string");
  const at = list.findIndex((each) => !isFit(each));
  const wanted = holdsObjects ? "object" : "text";
  return {
    is: `holds ${described(list[at] ?? null)} as entry ${at + 1}, which counted as no ${wanted}`,
    help: REMOVE,
  };
}

/** What an entry holds under another name is looked at when the whole file is checked, which takes no null anywhere. */
function wrongField(list: Json, object: string): Wrong | undefined {
  for (const [at, entry] of (isJsonList(list) ? list : []).entries()) {
    if (holdsNull(entry)) {
      return { is: `holds null within entry ${at + 1}, which counted as not set`, help: REMOVE };
    }
    for (const field of catalog.objects[object] ?? []) {
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

function described(value: Json): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
