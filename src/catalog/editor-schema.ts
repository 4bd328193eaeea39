// A schema → the same for editors: with marks where settings may hold them, and as draft-07.
import { isJsonObject, type Json, type JsonObject } from "../json.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** A desired-state file whose settings may also hold `!default` and `!unmanaged`, for editors that know YAML. */
export function markable(file: JsonObject): JsonObject {
  return within(file, ([name, held]) =>
    name === "settings"
      ? within(held, ([, parameter]) => orMark(within(parameter, ([, each]) => orMark(each))))
      : held,
  );
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
 * An editor takes the type of a tagged value from its settings, here null, and its value from the empty text that
 * follows the tag. A schema of type null that forbids the value null therefore accepts a mark and nothing else: of
 * plain values it accepts the same as before.
 */
function orMark(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema);
  const notes = Object.fromEntries(entries.filter(([key]) => NOTES.includes(key)));
  const shape = Object.fromEntries(entries.filter(([key]) => !NOTES.includes(key)));
  const { type, anyOf = [shape] } = shape;
  const mark = { type: "null", not: { const: null } };
  // A mapping keeps its properties where readers look for them.
  if (type && shape["properties"]) return { ...schema, ...mark, type: [type, "null"] };
  return { anyOf: [...(anyOf as readonly Json[]), mark], ...notes };
}

const NOTES = ["description", "default", "deprecated", "examples"];

/** The same schema for editors that know draft-07 alone, where a reference may not have neighbours. */
export function toDraft07(schema: JsonObject): JsonObject {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, held]): [string, unknown] => [
      key === "$defs" ? "definitions" : key,
      key === "$ref" ? String(held).replace("#/$defs/", "#/definitions/") : convert(held),
    ]);
    const { $ref, ...rest } = Object.fromEntries(entries);
    if ($ref === undefined) return rest;
    return Object.keys(rest).length === 0 ? { $ref } : { ...rest, allOf: [{ $ref }] };
  };
  return { ...(convert(schema) as JsonObject), $schema: DRAFT_07 };
}
