// Converts a schema for editors: adds marks, limits settings to those of a target, and uses draft-07.
import type { Catalog, Parameter, Property } from "./facts.js";
import { signInForEditors } from "./sign-in-schema.js";
import { strict } from "./strict-schema.js";
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import { ANCHORS } from "./settings-schema.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** "settings:" is empty in a new file. */
const OBJECT_OR_EMPTY = { type: ["object", "null"] };

/** The schema of a desired-state file for editors with YAML support: with marks, and only available settings. */
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

/** The schema of another kind of file with settings. */
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

/** Prevents the editor from inserting a value unasked. */
function unlessPlain(schema: JsonObject): JsonObject {
  const hasValues = schema["default"] !== undefined || schema["examples"] !== undefined;
  return hasValues && !schema["anyOf"] ? asChoice(schema, []) : schema;
}

/** A recurring window has no fixed times. An editor offers only the keys that can still be added. */
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

/** Offers only the reference's spelling, and only if the other one is absent: editors offer all of `properties`. */
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
 * `!default`, `!unmanaged` or `!required`. The editor's settings declare these tags as objects. No value matches this
 * schema, so editors offer nothing for it; a type with only one value, such as null, they would offer.
 */
const MARK = { type: "object", minProperties: 1, maxProperties: 0 };

/**
 * For a choice, editors insert only the key, and offer its values afterwards; otherwise they insert the only example.
 * Each value has its type beside it, because editors quote only what is known to be text.
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

/** Editors insert nothing for an empty list, and "[object Object]" for an object in a list. */
function isOffered({ type }: JsonObject, value: Json): boolean {
  if (!Array.isArray(value)) return typeof value === (type === "integer" ? "number" : type);
  return type === "array" && value.length > 0 && value.every((each) => typeof each !== "object");
}

/** A reference to a value of any type. */
const VARIABLE = { type: "string", pattern: "^\\$\\{vars\\.[A-Za-z][A-Za-z0-9_-]*\\}$" };

/** The same schema in draft-07, which ignores keys beside a reference; there are none. */
export function toDraft07(schema: JsonObject): JsonObject {
  const text = JSON.stringify({ ...schema, $schema: DRAFT_07 });
  return JSON.parse(
    text.replaceAll('"$defs":', '"definitions":').replaceAll('"#/$defs/', '"#/definitions/'),
  ) as JsonObject;
}

export interface Limit {
  /** The files to which the limit applies. */
  readonly where: JsonObject;
  readonly lacks: (each: Parameter | Property) => boolean;
}

/** Editors offer all `properties`, so the schema of a limited setting is below the condition that no limit applies. */
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

/** Properties before their object, so that its schema refers to those already moved. */
function limitedPaths(catalog: Catalog, limits: readonly Limit[]): Limited[] {
  return catalog.parameters.flatMap((parameter) => {
    const remaining = limits.filter(({ lacks }) => !lacks(parameter));
    const held = parameter.object ? (catalog.objects[parameter.object] ?? []) : [];
    const below = held.flatMap((each) => {
      const wheres = remaining.filter(({ lacks }) => lacks(each)).map(({ where }) => where);
      const also = catalog.spellings.filter(({ property }) => property === each.name);
      const names = [each.name, ...also.map((spelling) => spelling.also)];
      return names.map((name) => ({ path: [parameter.name, name], wheres }));
    });
    const wheres = limits.filter(({ lacks }) => lacks(parameter)).map(({ where }) => where);
    return [...below, { path: [parameter.name], wheres }].filter((each) => each.wheres.length > 0);
  });
}

/** In the file's settings, and in those of its windows. */
function inFile(path: readonly string[], held: Json): JsonObject {
  const [parameter, property] = path as readonly [string, string?];
  // A pattern, because editors do not offer it. Whether the parameter exists is checked elsewhere.
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
