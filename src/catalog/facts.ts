// Declares the shape of the catalogue, which the generator writes and the program reads.
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../lib/json.js";

// The schema accepts a reference such as ${env:NAME}, because it becomes an address later.
export const ADDRESS = "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]|\\$\\{";

const anyCase = (words: string, between = "") =>
  words.replace(/[a-z]/g, (at) => `[${at}${at.toUpperCase()}]${between}`);

// Browsers ignore tabs and line breaks inside a scheme, and blanks and control characters before it.
const SCRIPT = `^[\\u0000- ]*(${anyCase("javascript|vbscript|data", "[\\t\\n\\r]*")}):`;

/** A text that means true, false or nothing. */
const SWITCH = `^\\s*(${anyCase("true|false|yes|no|on|off")}|[01])?\\s*$`;

/** The values of a type: in words, as JSON Schema, as TypeScript, and as a check. */
interface Kind {
  readonly expected: string;
  readonly schema: JsonObject;
  readonly typescript: string;
  readonly accepts: (value: Json) => boolean;
}

const TEXT: Kind = {
  expected: "a text",
  schema: { type: "string" },
  typescript: "string",
  accepts: (value) => typeof value === "string",
};

const TEXTS: Kind = {
  expected: "a list of texts",
  schema: { type: "array", items: TEXT.schema },
  typescript: "readonly string[]",
  accepts: (value) => isJsonList(value) && value.every(TEXT.accepts),
};

/** The types of values, named as in the reference's Type columns. */
export const VALUE_TYPES = {
  string: TEXT,
  colour: TEXT,
  URL: { ...TEXT, schema: { type: "string", pattern: ADDRESS } },
  link: { ...TEXT, schema: { type: "string", not: { pattern: SCRIPT } } },
  boolean: {
    expected: "true or false",
    schema: { type: "boolean" },
    typescript: "boolean",
    accepts: (value) => typeof value === "boolean",
  },
  minutes: {
    expected: "a whole number of minutes",
    schema: { type: "integer" },
    typescript: "number",
    accepts: (value) => Number.isInteger(value),
  },
  "string or `false`": {
    expected: "a text, or false",
    schema: { anyOf: [{ type: "string", not: { pattern: SWITCH } }, { const: false }] },
    typescript: "string | false",
    accepts: (value) =>
      typeof value === "string" ? !new RegExp(SWITCH).test(value) : value === false,
  },
  "array of domain names": TEXTS,
  "array of application titles": TEXTS,
} as const satisfies Record<string, Kind>;

export type ValueType = keyof typeof VALUE_TYPES;

export interface Property {
  readonly name: string;
  /** A list of objects names the type of its entries. */
  readonly type: ValueType | { readonly arrayOf: string };
  readonly values?: readonly string[];
  readonly default?: Json;
  /** A description of a default that is not listed literally. */
  readonly defaultInWords?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly setBy?: string;
  /** The value for a portal that is disconnected from hosted services. */
  readonly disconnected?: Json;
  readonly example: Json;
  readonly meaning: string;
}

export interface Parameter {
  readonly name: string;
  /** Absent for a boolean parameter. */
  readonly object?: string;
  readonly introduced?: string;
  /** Absent if not documented. */
  readonly deployments?: readonly string[];
  readonly meaning: string;
}

export interface SignInOperation {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answer: "token" | "user";
  readonly limit?: { readonly calls: number; readonly seconds: number };
  readonly meaning: string;
}

export interface Catalog {
  readonly versions: readonly string[];
  /** The releases that portals of a version report, if known. */
  readonly releases: readonly {
    readonly version: string;
    readonly release: string;
    /** A build that was seen, if any. */
    readonly build?: string;
  }[];
  readonly deployments: readonly { readonly name: string; readonly meaning: string }[];
  readonly update: {
    readonly method: "POST";
    readonly path: string;
    readonly contentType: string;
    readonly introduced: string;
  };
  readonly formats: readonly { readonly name: string; readonly isDefault: boolean }[];
  readonly parameters: readonly Parameter[];
  readonly objects: Readonly<Record<string, readonly Property[]>>;
  readonly misspelt: readonly {
    readonly property: string;
    readonly misspelt: string;
    readonly right: string;
  }[];
  /** Changes other than introduced or deprecated; null for any version. */
  readonly changed: readonly {
    readonly name: string;
    readonly since: string | null;
    readonly change: string;
  }[];
  readonly spellings: readonly { readonly property: string; readonly also: string }[];
  /** The values that portals shipped with; a property may have several. */
  readonly stock: readonly { readonly property: string; readonly value: Json }[];
  /** Other names in shipped configuration files, which are no settings. */
  readonly oldNames: readonly string[];
  readonly operations: readonly SignInOperation[];
  readonly adminKeys: readonly { readonly name: string; readonly meaning: string }[];
}

/** Whether a value has the property's type. Checks the reference's own values, which must not contradict it. */
export function accepts({ type, values }: Property, value: Json): boolean {
  if (typeof type === "object") return isJsonList(value) && value.every(isJsonObject);
  return VALUE_TYPES[type].accepts(value) && (!values || values.some((each) => each === value));
}
