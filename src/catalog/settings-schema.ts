// Builds the JSON Schema of the settings for one version, or for all known ones.
import type { JsonObject } from "../lib/json.js";
import { VALUE_TYPES, type Catalog, type Parameter, type Property } from "./facts.js";
import { compareVersions } from "./version.js";

/** Keys for anchors, which are never read or sent. */
export const ANCHORS = { "^x-": {} };

/** The settings that one version accepts, or without a version, any known one. */
export function settings(catalog: Catalog, version?: string): JsonObject {
  const parameters = catalog.parameters.filter((each) => isKnownAt(each, version));
  return object(
    Object.fromEntries(parameters.map((each) => [each.name, parameter(catalog, each, version)])),
    { description: "How the portal's settings should be." },
  );
}

function parameter(catalog: Catalog, each: Parameter, version?: string) {
  const { name, object: of, meaning } = each;
  const notes = { title: name, description: meaning };
  if (!of) return { type: "boolean", ...notes };
  return object(properties(catalog, of, `${name}.`, version), notes);
}

/** The path of each property begins with `above`. */
function properties(catalog: Catalog, object: string, above: string, version?: string): JsonObject {
  const entries = (catalog.objects[object] ?? [])
    .filter((each) => isKnownAt(each, version))
    .flatMap((each): [string, JsonObject][] => {
      const path = above + each.name;
      const schema = { title: path, ...property(catalog, each, path, version) };
      const also = catalog.spellings.find(({ property }) => property === each.name)?.also;
      if (!also) return [[each.name, schema]];
      const note = `Some portals spell it "${also}".`;
      return [
        [each.name, { ...schema, description: `${schema.description}\n\n${note}` }],
        [
          also,
          {
            ...schema,
            title: above + also,
            description: `The same as "${each.name}". ${schema.description}`,
          },
        ],
      ];
    });
  return Object.fromEntries(entries);
}

function property(catalog: Catalog, each: Property, path: string, version?: string) {
  const { deprecated } = each;
  const isOld = deprecated && version ? compareVersions(version, deprecated) >= 0 : false;
  // Also in words, because not every editor shows the keyword.
  const note = deprecated && (isOld || !version) ? `\n\nDeprecated from ${deprecated} on.` : "";
  return {
    ...valueSchema(catalog, each, path),
    description: each.meaning + note,
    ...(each.default !== undefined && { default: each.default }),
    ...(isOld && { deprecated: true }),
    examples: [each.example],
  };
}

function valueSchema(catalog: Catalog, { type, values }: Property, path: string): JsonObject {
  if (typeof type === "object") {
    return { type: "array", items: entrySchema(catalog, type.arrayOf, `${path}[]`) };
  }
  return { ...VALUE_TYPES[type].schema, ...(values && { enum: values }) };
}

/** A list entry: a title, and either an address or a mail address with its type. */
function entrySchema(catalog: Catalog, of: string, above: string): JsonObject {
  return object(properties(catalog, of, `${above}.`), {
    title: above,
    required: ["title"],
    oneOf: [
      { required: ["url"], properties: { email: false, type: false } },
      { required: ["email", "type"], properties: { url: false } },
    ],
  });
}

function isKnownAt(each: Parameter | Property, version?: string): boolean {
  return !version || !each.introduced || compareVersions(each.introduced, version) <= 0;
}

export function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: "object",
    ...more,
    properties,
    patternProperties: ANCHORS,
    additionalProperties: false,
  };
}

/** One path, or a list of them. */
export const PATHS = {
  anyOf: [
    { type: "string", minLength: 1 },
    { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
  ],
};
