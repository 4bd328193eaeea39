// What the reference says, as data: the shape of the catalogue, which the generator writes and the program asks.
import { isJsonObject, type Json } from "../json.js";

/** How the reference describes a value; the words of its Type columns. */
export const VALUE_TYPES = [
  "string",
  "colour",
  "URL",
  "boolean",
  "minutes",
  "string or `false`",
  "array of domain names",
  "array of application titles",
] as const;

export type ValueType = (typeof VALUE_TYPES)[number];

export interface Property {
  readonly name: string;
  /** A list of objects names the object of its entries. */
  readonly type: ValueType | { readonly arrayOf: string };
  readonly values?: readonly string[];
  readonly default?: Json;
  /** A default that exists and is not reproduced, in words. */
  readonly defaultInWords?: string;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly setBy?: string;
  /** What a portal that is cut off from hosted-online services sets. */
  readonly disconnected?: Json;
  readonly example: Json;
  readonly meaning: string;
}

export interface Parameter {
  readonly name: string;
  /** Absent: the parameter is a boolean. */
  readonly object?: string;
  readonly introduced?: string;
  /** Absent: not documented. */
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

export interface Release {
  readonly version: string;
  readonly release: string;
  /** One that was seen, where one was. */
  readonly build?: string;
}

export interface Catalog {
  readonly versions: readonly string[];
  /** What portals of a version call themselves, where that is known. */
  readonly releases: readonly Release[];
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
  readonly spellings: readonly { readonly property: string; readonly also: string }[];
  /** What portals shipped in their configuration file; a property may have several. */
  readonly stock: readonly { readonly property: string; readonly value: Json }[];
  readonly operations: readonly SignInOperation[];
  readonly adminKeys: readonly { readonly name: string; readonly meaning: string }[];
}

/** Whether a value is of a property's type; for the reference's own values, which must not contradict it. */
export function accepts(property: Property, value: Json): boolean {
  const { type, values } = property;
  if (typeof type === "object") return Array.isArray(value) && value.every(isJsonObject);
  switch (type) {
    case "string":
      return typeof value === "string" && (!values || values.includes(value));
    case "colour":
    case "URL":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "minutes":
      return typeof value === "number" && Number.isInteger(value) && value > 0;
    case "string or `false`":
      return typeof value === "string" || value === false;
    case "array of domain names":
    case "array of application titles":
      return Array.isArray(value) && value.every((each) => typeof each === "string");
    default:
      throw type satisfies never;
  }
}
