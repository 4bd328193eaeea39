// A file's schema, and where which settings do not exist → the schema by which an editor neither takes nor offers them there.
import { isJsonObject, pointInto, type Json, type JsonObject } from "../lib/json.js";
import type { Catalog, Parameter, Property } from "./facts.js";
import { ANCHORS } from "./settings-schema.js";

/** Nothing stands below "settings:" in a new file. */
export const OBJECT_OR_EMPTY = { type: ["object", "null"] };

export interface Limit {
  /** What a file fits for which the limit holds. */
  readonly where: JsonObject;
  readonly lacks: (each: Parameter | Property) => boolean;
}

/** Whatever `properties` name is offered: so a setting with limits has its schema below the condition that none holds. */
export function limited(file: JsonObject, catalog: Catalog, limits: readonly Limit[]): JsonObject {
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
