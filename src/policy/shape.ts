// Checks the shape of a policy: its keys, values, and the names in its schemas.
import { catalog, referenceName } from "../catalog/catalog.js";
import { didYouMean, eachOnce, mistakeOf, type Diagnostic } from "../diagnostic.js";
import { compileSchema, type SchemaError, type Validator } from "../document/check/compile.js";
import {
  emptyValues,
  knownHelp,
  schemaProblems,
  unknownKey,
  type FileKind,
} from "../document/check/explain.js";
import { unknownZone } from "../document/check/schedule.js";
import { diagnose, entryAt, nodeAt, toJson, type Node } from "../document/read/tree.js";
import {
  isEqual,
  isJsonList,
  isJsonObject,
  pointInto,
  type Json,
  type JsonObject,
} from "../lib/json.js";
import type { Path } from "../settings.js";
import { inputPaths, policySchema, propertiesOf } from "./schema.js";

interface Shape {
  readonly validator: Validator;
  readonly paths: ReadonlyMap<string, JsonObject>;
}

let known: Shape | undefined;

/** Compiled once for all policies of a run. */
function shapeOfPolicies(): Shape {
  return (known ??= {
    validator: compileSchema(policySchema(catalog)),
    paths: inputPaths(catalog),
  });
}

/** Empty for a policy that can be compiled. */
export function wrongShape(root: Node): Diagnostic[] {
  const { validator, paths } = shapeOfPolicies();
  const shape = schemaProblems(root, validator, POLICY);
  const zone = unknownZone(nodeAt(root, ["timeZone"]), ["timeZone"]);
  const found = [...shape, ...zone].map(({ diagnostic }) => diagnostic);
  const names = (["when", "must"] as const).flatMap((part) => unknownNames(root, part, paths));
  return eachOnce([...emptyValues(root), ...found, ...names], mistakeOf);
}

const EXAMPLES =
  "Add an example that breaks the policy, which proves that it works:\n  examples:\n    bad:\n      - settings: …";
const SEE = "See the document that policies judge:\n  lintel help policy";

const POLICY: FileKind = {
  explain,
  formAt: ([first, second, third]) => {
    if (first === "name") {
      return {
        must: "be of small letters, digits and single dashes",
        help: "Write for example:\n  name: token-lifetime-at-most-an-hour",
      };
    }
    return (first === "when" || first === "must") && second !== undefined && third === undefined
      ? { must: "be a JSON Schema, which is a mapping", help: "See:\n  lintel help policy" }
      : undefined;
  },
  missing: { examples: EXAMPLES, "examples.bad": EXAMPLES },
  isSecret: () => false,
  see: "See what a policy holds:\n  lintel help policy",
};

function explain(root: Node, { path, keyword, params, schema }: SchemaError) {
  if (keyword !== "additionalProperties") return undefined;
  const key = String(params["additionalProperty"]);
  const [part, ...below] = path;
  if (below.length === 0 && (part === "when" || part === "must")) {
    return [unknownPath(key, entryAt(root, [part, key])?.key ?? root)];
  }
  const names = Object.keys(schema.properties ?? {});
  const help =
    didYouMean(key, names) ?? (names.length > MOST_NAMED ? SEE : (knownHelp(names) ?? SEE));
  return [unknownKey(root, path, key, help)];
}

function unknownPath(path: string, at: Parameters<typeof diagnose>[1]): Diagnostic {
  const paths = [...shapeOfPolicies().paths.keys()];
  const end = paths.find((each) => each.endsWith(`.${path}`));
  const help = didYouMean(path, paths) ?? (end === undefined ? SEE : `Did you mean "${end}"?`);
  const message = `The document that policies judge has no path "${path}".`;
  return diagnose("unknown-key", at, message, help);
}

/** A longer list is better looked up in the manual. */
const MOST_NAMED = 12;

/** A schema with unknown names would check nothing. */
function unknownNames(
  root: Node,
  part: "when" | "must",
  paths: ReadonlyMap<string, JsonObject>,
): Diagnostic[] {
  const node = nodeAt(root, [part]);
  const schemas = node && toJson(node);
  if (!isJsonObject(schemas)) return [];
  return Object.entries(schemas).flatMap(([name, schema]) =>
    strangers(schema, paths.get(name)).map(({ path, message, help }) => {
      const entry = entryAt(root, [part, name, ...path]);
      // Below "properties", a name is a key; elsewhere it is a value.
      const at = path.at(-2) === "properties" ? entry?.key : entry?.value;
      return diagnose("unknown-key", at ?? root, message, help);
    }),
  );
}

interface Stranger {
  /** The path in the schema. */
  readonly path: Path;
  readonly message: string;
  readonly help: string;
}

const SAME_VALUE = ["not", "if", "then", "else", "allOf", "anyOf", "oneOf"];
const ITEMS = ["items", "contains"];

/** Names and enum values in a schema that the checked value (`of`) never has. */
function strangers(schema: Json | undefined, of: Json | undefined): Stranger[] {
  if (!isJsonObject(schema) || !isJsonObject(of)) return [];
  const below = (path: Path, held: Json | undefined): Stranger[] =>
    strangers(pointInto(schema, path), held).map((each) => ({
      ...each,
      path: [...path, ...each.path],
    }));
  return Object.entries(schema).flatMap(([key, value]): Stranger[] => {
    const each = isJsonList(value) ? value.map((item, at) => ({ item, path: [key, at] })) : [];
    if (SAME_VALUE.includes(key)) {
      return [...below([key], of), ...each.flatMap(({ path }) => below(path, of))];
    }
    if (ITEMS.includes(key)) return below([key], of["items"]);
    if (key === "properties") {
      return Object.keys(propertiesOf(schema)).flatMap((name) => [
        ...unknownName(name, of, [key, name]),
        ...below([key, name], propertiesOf(of)[name]),
      ]);
    }
    if (key === "required") {
      return each.flatMap(({ item, path }) =>
        typeof item === "string" ? unknownName(item, of, path) : [],
      );
    }
    if (key === "const") return unknownValue(value, of, [key]);
    return key === "enum" ? each.flatMap(({ item, path }) => unknownValue(item, of, path)) : [];
  });
}

function unknownName(name: string, of: JsonObject, path: Path): Stranger[] {
  const names = Object.keys(propertiesOf(of)).filter((each) => referenceName(each) === each);
  if (of["additionalProperties"] !== false || names.includes(name)) return [];
  const other = referenceName(name);
  const help =
    (other === name ? undefined : `The document has the reference's spelling:\n  ${other}`) ??
    didYouMean(name, names) ??
    (names.length > MOST_NAMED ? SEE : `Known here: ${names.join(", ")}.`);
  return [{ path, message: `The document never has the name "${name}" there.`, help }];
}

function unknownValue(value: Json, of: JsonObject, path: Path): Stranger[] {
  const allowed = of["enum"];
  if (!isJsonList(allowed) || allowed.some((each) => isEqual(each, value))) return [];
  const message = `The document never has the value ${JSON.stringify(value)} there.`;
  const help = `Allowed: ${allowed.map((each) => JSON.stringify(each)).join(", ")}.`;
  return [{ path, message, help }];
}
