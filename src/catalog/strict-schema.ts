// Completes a schema for ajv's strict mode, and for editors that insert values.
import { isJsonObject, type Json, type JsonObject } from "../lib/json.js";

/** The type of the values that each keyword applies to. */
const TYPES: Readonly<Record<string, string>> = {
  properties: "object",
  required: "object",
  patternProperties: "object",
  additionalProperties: "object",
  minProperties: "object",
  maxProperties: "object",
  pattern: "string",
  minLength: "string",
  items: "array",
  minItems: "array",
};

const OF_SAME_VALUE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
const OF_OTHER_VALUE = ["items", "additionalProperties"];
const OF_NAMED_VALUES = ["properties", "patternProperties", "$defs"];

/** `known` is the value's type, if a surrounding schema sets it. */
export function strict(schema: JsonObject, known?: Json): JsonObject {
  const { type: given, $ref, ...others } = schema;
  // Editors resolve a reference with other keys too late to insert a key, and draft-07 ignores those keys.
  if ($ref !== undefined && Object.keys(others).length > 0) {
    return strict({ type: "object", ...others, allOf: [{ $ref }] }, known);
  }
  if (Array.isArray(given) && !given.includes("null")) {
    const anyOf = given.map((type: Json) => ({ type }));
    return strict({ ...others, anyOf }, known);
  }
  const type =
    given ?? typeOfValues(schema) ?? (known === undefined ? impliedType(schema) : undefined);
  const below = Object.entries(others).map(([key, held]): [string, Json] => {
    if (OF_SAME_VALUE.includes(key)) return [key, each(held, type ?? known)];
    if (OF_OTHER_VALUE.includes(key)) return [key, each(held)];
    return [key, OF_NAMED_VALUES.includes(key) ? eachNamed(held) : held];
  });
  const { properties, ...rest } = Object.fromEntries(below);
  const all = { ...requiredNames(schema), ...(properties as JsonObject | undefined) };
  return {
    ...(type !== undefined && { type }),
    ...($ref !== undefined && { $ref }),
    ...rest,
    ...(Object.keys(all).length > 0 && { properties: all }),
  };
}

/** Editors quote a text only if the schema has its type. */
function typeOfValues({ enum: values = [], const: only }: JsonObject): string | undefined {
  const [value = only] = values as readonly Json[];
  return value === undefined ? undefined : typeof value;
}

function impliedType(schema: JsonObject): string | undefined {
  return Object.keys(schema).flatMap((key) => TYPES[key] ?? [])[0];
}

function requiredNames({ required = [] }: JsonObject): JsonObject {
  return Object.fromEntries((required as readonly string[]).map((name) => [name, true]));
}

function each(held: Json, known?: Json): Json {
  if (Array.isArray(held)) return held.map((one: Json) => each(one, known));
  return isJsonObject(held) ? strict(held, known) : held;
}

function eachNamed(held: Json): Json {
  return Object.fromEntries(
    Object.entries(held as JsonObject).map(([name, one]) => [name, each(one)]),
  );
}
