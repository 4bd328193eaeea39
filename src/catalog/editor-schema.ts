// A schema → the same for editors: with marks where settings may hold them, and as draft-07.
import type { Catalog } from "./facts.js";
import { limited, OBJECT_OR_EMPTY, type Limit } from "./limits.js";
import { signInForEditors } from "./sign-in-schema.js";
import { strict } from "./strict-schema.js";
import { isJsonObject, type Json, type JsonObject } from "../lib/json.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** The schema of a desired-state file as editors that know YAML take it: with marks, and settings only where they exist. */
export function forEditors(
  file: JsonObject,
  catalog: Catalog,
  limits: readonly Limit[],
): JsonObject {
  const mayBeEmpty = within(offering(file, catalog, [MARK]), ([name, held]) =>
    name === "settings" ? { ...held, ...OBJECT_OR_EMPTY } : held,
  );
  return strict(limited(mayBeEmpty, catalog, limits));
}

/** The schema of something else that holds settings. */
export function withSettings(schema: JsonObject, catalog: Catalog): JsonObject {
  return strict(offering(schema, catalog, []));
}

function offering(file: JsonObject, catalog: Catalog, marks: readonly JsonObject[]): JsonObject {
  return within(file, ([name, held]) => {
    if (name === "settings") return within(held, ([, each]) => parameter(each, catalog, marks));
    const keys = name === "signIn" ? signInForEditors() : held;
    return keys["properties"] ? within(keys, ([, each]) => unlessPlain(each)) : unlessPlain(keys);
  });
}

function parameter(schema: JsonObject, { spellings }: Catalog, marks: readonly JsonObject[]) {
  if (!schema["properties"]) return asChoice(schema, marks);
  const properties = within(schema, ([, each]) => {
    const { items } = each;
    if (!isJsonObject(items)) return asChoice(each, marks);
    return asChoice({ ...each, items: within(items, ([, of]) => asChoice(of, [])) }, marks);
  });
  return oneSpelling(properties, spellings);
}

/** Without what it would write before anybody has chosen. */
function unlessPlain(schema: JsonObject): JsonObject {
  const hasValues = schema["default"] !== undefined || schema["examples"] !== undefined;
  return hasValues && !schema["anyOf"] ? asChoice(schema, []) : schema;
}

/** Of two spellings an editor is to offer the reference's alone, and not where the other stands: it offers what `properties` names. */
function oneSpelling(schema: JsonObject, spellings: Catalog["spellings"]): JsonObject {
  const { properties, patternProperties } = schema as Readonly<Record<string, JsonObject>>;
  const named: Record<string, Json> = { ...properties };
  const unnamed: Record<string, Json> = { ...patternProperties };
  const allOf: JsonObject[] = [];
  for (const { property, also } of spellings) {
    const { [property]: schemaOf, [also]: other } = named;
    if (schemaOf === undefined || other === undefined) continue;
    delete named[also];
    named[property] = true;
    unnamed[`^${also}$`] = other;
    allOf.push({
      if: { required: [also] },
      then: { properties: { [property]: false } },
      else: { properties: { [property]: schemaOf } },
    });
  }
  const found = { ...schema, properties: named, patternProperties: unnamed };
  return allOf.length > 0 ? { ...found, allOf } : found;
}

function within(
  schema: JsonObject,
  change: (entry: readonly [name: string, held: JsonObject]) => JsonObject,
): JsonObject {
  if (!isJsonObject(schema["properties"])) return schema;
  const entries = Object.entries(schema["properties"]).map(([name, held]): [string, Json] => [
    name,
    isJsonObject(held) ? change([name, held]) : held,
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/**
 * `!default` or `!unmanaged`. What a tag gives is said in the editor's settings: an object, which a parameter is anyhow. Of plain values no object
 * fits this. A type that stands for a value, such as null, would be offered as one.
 */
const MARK = { type: "object", minProperties: 1, maxProperties: 0 };

/**
 * Of a choice an editor writes the key alone, and offers its values then; of anything else the only example, which nobody
 * has chosen. A value stands beside its type, because a text is put in quotes only where it is known to be one.
 */
function asChoice(schema: JsonObject, others: readonly JsonObject[]): JsonObject {
  const { title, description, deprecated, default: usual, examples = [], ...shape } = schema;
  const { anyOf = [shape] } = shape;
  const offered = (anyOf as readonly JsonObject[]).map((each): JsonObject => {
    const fitting = (examples as readonly Json[]).filter((value) => isOffered(each, value));
    return {
      ...each,
      ...(usual !== undefined && isOffered(each, usual) && { default: usual }),
      ...(fitting.length > 0 && { examples: fitting }),
    };
  });
  const notes = { title, description, ...(deprecated && { deprecated }) };
  return { ...notes, anyOf: [...offered, ...others] } as JsonObject;
}

/** An editor writes nothing for an empty list, and for an object in one what JavaScript calls it. */
function isOffered({ type }: JsonObject, value: Json): boolean {
  if (!Array.isArray(value)) return typeof value === (type === "integer" ? "number" : type);
  return type === "array" && value.length > 0 && value.every((each) => typeof each !== "object");
}

/** The same schema for editors that know draft-07 alone. No reference in it has neighbours, which they would not see. */
export function toDraft07(schema: JsonObject): JsonObject {
  const text = JSON.stringify({ ...schema, $schema: DRAFT_07 });
  return JSON.parse(
    text.replaceAll('"$defs":', '"definitions":').replaceAll('"#/$defs/', '"#/definitions/'),
  ) as JsonObject;
}
