// Turns a schema into one for editors: with marks, only the settings that a target has, and as draft-07.
import type { Catalog, Parameter, Property } from "./facts.js";
import { signInForEditors } from "./sign-in-schema.js";
import { strict } from "./strict-schema.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import { ANCHORS } from "./settings-schema.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** Nothing stands below "settings:" in a new file. */
const OBJECT_OR_EMPTY = { type: ["object", "null"] };

/** The schema of a desired-state file as editors that know YAML take it: with marks, and settings only where they exist. */
export function forEditors(
  file: JsonObject,
  catalog: Catalog,
  limits: readonly Limit[],
): JsonObject {
  const mayBeEmpty = within(offering(file, catalog, [MARK, VARIABLE]), ([name, held]) => {
    if (name === "settings") return { ...held, ...OBJECT_OR_EMPTY };
    if (name === "schedule") {
      const window = held["additionalProperties"] as JsonObject;
      return { ...held, additionalProperties: onceOrAgain(window) };
    }
    if (name !== "vars") return held;
    const { type } = held["additionalProperties"] as { readonly type: readonly string[] };
    return {
      ...held,
      additionalProperties: { anyOf: [...type.map((each) => ({ type: each })), MARK] },
    };
  });
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

/** Without a value that it would write unasked. */
function unlessPlain(schema: JsonObject): JsonObject {
  const hasValues = schema["default"] !== undefined || schema["examples"] !== undefined;
  return hasValues && !schema["anyOf"] ? asChoice(schema, []) : schema;
}

/** A window that comes again has no times of its own: of both, an editor offers what can still stand there. */
function onceOrAgain(window: JsonObject): JsonObject {
  const { from, until, every, between, ...rest } = window["properties"] as Readonly<
    Record<string, JsonObject>
  >;
  const open = { from: true, until: true, every: true, between: true };
  const allOf = [
    {
      if: { required: ["every"] },
      then: { properties: { from: false, until: false, between } },
      else: { properties: { from, until, between: false } },
    },
    {
      if: { required: ["from"] },
      then: { properties: { every: false } },
      else: { properties: { every } },
    },
  ];
  return { ...window, properties: { ...open, ...rest }, allOf } as JsonObject;
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
 * `!default`, `!unmanaged` or `!required`. What a tag gives is said in the editor's settings: an object, which a parameter is anyhow. Plain values are not followed: no object
 * fits this. A type that stands for a value, such as null, would be offered as one.
 */
const MARK = { type: "object", minProperties: 1, maxProperties: 0 };

/**
 * Of a choice an editor writes the key alone, and offers its values then; of anything else the only example, which was
 * not chosen. A value stands beside its type, because a text is put in quotes only where it is known to be one.
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
  const isAnyText = offered.every(
    (each) => each["type"] === "string" && !each["pattern"] && !each["enum"],
  );
  const also = isAnyText ? others.filter((each) => each !== VARIABLE) : others;
  return { ...notes, anyOf: [...offered, ...also] } as JsonObject;
}

/** An editor writes nothing for an empty list, and for an object in one what JavaScript calls it. */
function isOffered({ type }: JsonObject, value: Json): boolean {
  if (!Array.isArray(value)) return typeof value === (type === "integer" ? "number" : type);
  return type === "array" && value.length > 0 && value.every((each) => typeof each !== "object");
}

/** Stands for a value of any type. */
const VARIABLE = { type: "string", pattern: "^\\$\\{vars\\.[A-Za-z][A-Za-z0-9_-]*\\}$" };

/** The same schema for editors that know draft-07 alone. No reference in it has neighbours, which they would not see. */
export function toDraft07(schema: JsonObject): JsonObject {
  const text = JSON.stringify({ ...schema, $schema: DRAFT_07 });
  return JSON.parse(
    text.replaceAll('"$defs":', '"definitions":').replaceAll('"#/$defs/', '"#/definitions/'),
  ) as JsonObject;
}

export interface Limit {
  /** What a file fits for which the limit holds. */
  readonly where: JsonObject;
  readonly lacks: (each: Parameter | Property) => boolean;
}

/** All `properties` are offered: so a setting with limits has its schema below the condition that none holds. */
function limited(file: JsonObject, catalog: Catalog, limits: readonly Limit[]): JsonObject {
  const { $defs = {}, allOf = [], ...whole } = file;
  const moved: Record<string, Json> = {};
  const conditions: JsonObject[] = [];
  let properties = whole["properties"] as JsonObject;
  for (const { path, wheres } of limitedPaths(catalog, limits)) {
    const place = ["settings", ...path.flatMap((name) => ["properties", name])];
    const schema = pointInto(properties, place);
    if (schema === undefined) continue;
    const name = path.join(".");
    const [only, ...others] = wheres;
    conditions.push({
      if: others.length > 0 ? { anyOf: wheres } : (only ?? false),
      then: inFile(path, false),
      ...(isJsonObject(schema) && { else: inFile(path, { $ref: `#/$defs/${name}` }) }),
    });
    if (isJsonObject(schema)) moved[name] = schema;
    properties = withTrue(properties, place);
  }
  const all = { ...($defs as JsonObject), ...moved };
  return {
    ...whole,
    properties,
    allOf: [...(allOf as readonly Json[]), ...conditions],
    ...(Object.keys(all).length > 0 && { $defs: all }),
  };
}

interface Limited {
  readonly path: readonly string[];
  readonly wheres: readonly JsonObject[];
}

/** What an object holds before the object: its schema then names what has moved already. */
function limitedPaths(catalog: Catalog, limits: readonly Limit[]): Limited[] {
  return catalog.parameters.flatMap((parameter) => {
    const apart = limits.filter(({ lacks }) => !lacks(parameter));
    const held = parameter.object ? (catalog.objects[parameter.object] ?? []) : [];
    const below = held.flatMap((each) => {
      const wheres = apart.filter(({ lacks }) => lacks(each)).map(({ where }) => where);
      const also = catalog.spellings.filter(({ property }) => property === each.name);
      const names = [each.name, ...also.map((spelling) => spelling.also)];
      return names.map((name) => ({ path: [parameter.name, name], wheres }));
    });
    const wheres = limits.filter(({ lacks }) => lacks(parameter)).map(({ where }) => where);
    return [...below, { path: [parameter.name], wheres }].filter((each) => each.wheres.length > 0);
  });
}

/** Under the file's settings, and those of its windows. */
function inFile(path: readonly string[], held: Json): JsonObject {
  const [parameter, property] = path as readonly [string, string?];
  // A pattern is not offered, and whether the parameter exists is not said here.
  const settings = property
    ? {
        ...OBJECT_OR_EMPTY,
        patternProperties: { [`^${parameter}$`]: { properties: { [property]: held } } },
      }
    : { ...OBJECT_OR_EMPTY, properties: { [parameter]: held } };
  const window = { properties: { settings } };
  const schedule = { patternProperties: ANCHORS, additionalProperties: window };
  return { properties: { settings, schedule } };
}

function withTrue(held: JsonObject, [name = "", ...below]: readonly string[]): JsonObject {
  const inner = held[name];
  const changed = below.length > 0 && isJsonObject(inner) ? withTrue(inner, below) : true;
  return { ...held, [name]: changed };
}
