// The tree of a policy's file → what is wrong with its shape: keys, types, paths, and names that nothing in the document has.
import { referenceName } from "../catalog/catalog.js";
import { didYouMean, type Diagnostic } from "../diagnostic.js";
import type { Check, Fault } from "../document/check/compile.js";
import { openCompiler } from "../document/check/compile.js";
import { diagnose, entryAt, nodeAt, toJson, unvaluedIn, type Node } from "../document/read/tree.js";
import {
  isEqual,
  isJsonList,
  isJsonObject,
  pointInto,
  type Json,
  type JsonObject,
} from "../lib/json.js";
import { zoneNamed, zoneNames } from "../moment.js";
import { formatPath, type Path } from "../settings.js";
import { casePaths, policySchema, propertiesOf } from "./schema.js";

let known: { readonly check: Check; readonly paths: ReadonlyMap<string, JsonObject> } | undefined;

/** Compiled once for all policies of a run. */
function shapes() {
  return (known ??= { check: openCompiler()(policySchema()), paths: casePaths() });
}

/** Empty for a policy that can be compiled. */
export function wrongShape(root: Node): Diagnostic[] {
  const marks = unvaluedIn(root)
    .filter(({ node }) => !(node.kind === "mark" && node.mark === "unknown"))
    .map(({ node, path }) => {
      const message = `"${formatPath(path)}" has no value.`;
      return diagnose("null-value", node, message, "Write a value, or remove the line.");
    });
  const faults = shapes().check(toJson(root) ?? null);
  const said = new Set<string>();
  const found = faults.flatMap((fault): Diagnostic[] => {
    const problem = explain(root, fault);
    const key = JSON.stringify([problem?.place?.line, problem?.place?.column, problem?.code]);
    if (!problem || said.has(key)) return [];
    said.add(key);
    return [problem];
  });
  return [
    ...marks,
    ...found,
    ...wrongZone(root),
    ...(["when", "must"] as const).flatMap(strangers),
  ];

  /** What a schema asks of names that nothing has would judge nothing. */
  function strangers(part: "when" | "must"): Diagnostic[] {
    const node = nodeAt(root, [part]);
    const whole = (node && toJson(node)) ?? null;
    if (!isJsonObject(whole)) return [];
    return Object.entries(whole).flatMap(([path, schema]) => {
      const of = shapes().paths.get(path);
      return of ? strangeNames(schema, of).map((each) => stranger(root, [part, path], each)) : [];
    });
  }
}

function explain(root: Node, { path, keyword, params, message }: Fault): Diagnostic | undefined {
  const node = nodeAt(root, path);
  const inside = path.length > 0 ? ` in "${formatPath(path)}"` : "";
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const at = entryAt(root, [...path, key])?.key ?? root;
      if (path.length === 1 && (path[0] === "when" || path[0] === "must"))
        return unknownPath(key, at);
      const names = path.length > 0 ? [] : Object.keys(propertiesOf(policySchema()));
      const help =
        didYouMean(key, names) ?? (names.length > 0 ? `Known: ${names.join(", ")}.` : SEE);
      return diagnose("unknown-key", at, `The key "${key}" is not known${inside}.`, help);
    }
    case "required": {
      const key = String(params["missingProperty"]);
      const at = path.length > 0 ? (entryAt(root, path)?.key ?? root) : startOf(root);
      const help =
        key === "examples" || key === "bad"
          ? "Without an example that breaks it, nobody knows whether a policy judges anything:\n  examples:\n    bad:\n      - settings: …"
          : `Add it:\n  ${key}: …`;
      return diagnose("missing-key", at, `The key "${key}" is missing${inside}.`, help);
    }
    // A null and a mark have been told of.
    default: {
      if (!node || node.kind === "mark") return undefined;
      const name = path.length > 0 ? `"${formatPath(path)}"` : "The file";
      const code =
        keyword === "type" ? "wrong-type" : keyword === "enum" ? "unknown-value" : "wrong-format";
      const at = path.length > 0 ? node : startOf(root);
      return diagnose(
        code,
        at,
        `${name} ${plainly(message)}.`,
        "See what a policy holds:\n  lintel help policy",
      );
    }
  }
}

function plainly(message: string): string {
  return message
    .replace("must be object,boolean", "must be a JSON Schema, which is a mapping")
    .replace("must be object", "must be a mapping of keys to values")
    .replace("must be array", "must be a list")
    .replace("must be string", "must be text")
    .replace("must NOT have fewer than 1 items", "must have one entry at least")
    .replace("must NOT have fewer than 1 properties", "must name one path at least")
    .replace("must NOT have fewer than 1 characters", "must be filled")
    .replace(/^must match pattern .*/, "must be of small letters, digits and single dashes");
}

function startOf(root: Node): Pick<Node, "span"> {
  return { span: { ...root.span, end: root.span.start } };
}

function unknownPath(path: string, at: Parameters<typeof diagnose>[1]): Diagnostic {
  const paths = [...shapes().paths.keys()];
  const ends = paths.filter((each) => each.endsWith(`.${path}`));
  const help =
    didYouMean(path, paths) ?? (ends.length > 0 ? `Did you mean "${ends[0]}"?` : undefined) ?? SEE;
  return diagnose(
    "unknown-key",
    at,
    `The document that policies judge has no path "${path}".`,
    help,
  );
}

function wrongZone(root: Node): Diagnostic[] {
  const node = nodeAt(root, ["timeZone"]);
  if (node?.kind !== "scalar" || typeof node.value !== "string" || zoneNamed(node.value)) return [];
  const help =
    didYouMean(node.value, zoneNames()) ??
    "Write its IANA name, such as:\n  timeZone: Europe/Vienna";
  return [diagnose("unknown-value", node, `There is no time zone "${node.value}".`, help)];
}

interface Stranger {
  /** Within the schema. */
  readonly path: Path;
  readonly message: string;
  readonly help: string;
}

function stranger(root: Node, at: Path, { path, message, help }: Stranger): Diagnostic {
  const entry = entryAt(root, [...at, ...path]);
  // What a name is asked of stands behind it.
  const isKey = path.at(-2) === "properties";
  const node = (isKey ? entry?.key : entry?.value) ?? nodeAt(root, at) ?? root;
  return diagnose("unknown-key", node, message, help);
}

const SEE = "See the document that policies judge:\n  lintel help policy";
/** More are looked up rather than read. */
const MOST_NAMED = 12;

const WITHIN = ["not", "if", "then", "else"] as const;
const LISTS = ["allOf", "anyOf", "oneOf"] as const;
const ITEMS = ["items", "contains"] as const;

/** Names, and values of a closed list, that a schema speaks of and that what it judges never holds. */
function strangeNames(schema: Json, of: Json | undefined, path: Path = []): Stranger[] {
  if (!isJsonObject(schema) || !isJsonObject(of)) return [];
  const below = (key: string, held: JsonObject | undefined) =>
    strangeNames(schema[key] ?? null, held, [...path, key]);
  const names = Object.keys(propertiesOf(of)).filter((name) => !isOtherSpelling(name));
  const isClosed = of["additionalProperties"] === false;
  const strange = (name: string, at: Path): Stranger[] => {
    if (!isClosed || names.includes(name)) return [];
    const other = referenceName(name);
    const help =
      (other === name ? undefined : `The document has the reference's spelling:\n  ${other}`) ??
      didYouMean(name, names) ??
      (names.length > MOST_NAMED ? SEE : `There are ${names.join(", ")}.`);
    return [{ path: at, message: `Nothing there is ever called "${name}".`, help }];
  };
  const properties = Object.entries(propertiesOf(schema)).flatMap(([name, held]) => {
    const at = [...path, "properties", name];
    return [...strange(name, at), ...strangeNames(held, pointInto(of, ["properties", name]), at)];
  });
  const required = isJsonList(schema["required"]) ? schema["required"] : [];
  return [
    ...properties,
    ...required.flatMap((name, at) =>
      typeof name === "string" ? strange(name, [...path, "required", at]) : [],
    ),
    ...strangeValues(schema, of, path),
    ...WITHIN.flatMap((key) => below(key, of)),
    ...ITEMS.flatMap((key) => strangeNames(schema[key] ?? null, of["items"], [...path, key])),
    ...LISTS.flatMap((key) => {
      const list = schema[key];
      return isJsonList(list)
        ? list.flatMap((each, at) => strangeNames(each, of, [...path, key, at]))
        : [];
    }),
  ];
}

function strangeValues(schema: JsonObject, of: JsonObject, path: Path): Stranger[] {
  const allowed = of["enum"];
  if (!isJsonList(allowed)) return [];
  const named = isJsonList(schema["enum"]) ? schema["enum"] : [];
  const all = [
    ...("const" in schema ? [{ value: schema["const"] ?? null, at: [...path, "const"] }] : []),
    ...named.map((value, at) => ({ value, at: [...path, "enum", at] })),
  ];
  return all
    .filter(({ value }) => !allowed.some((each) => isEqual(each, value)))
    .map(({ value, at }) => ({
      path: at,
      message: `What stands there is never ${JSON.stringify(value)}.`,
      help: `It is one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}.`,
    }));
}

function isOtherSpelling(name: string): boolean {
  return referenceName(name) !== name;
}
