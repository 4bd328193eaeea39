// Explains schema errors in a file that people write: the place, the expected value and a fix.
import { didYouBegin, didYouMean, eachOnce, nearest, type Diagnostic } from "../../diagnostic.js";
import { formatPath, type Path } from "../../settings.js";
import type { Span } from "../read/source.js";
import {
  childOf,
  diagnose,
  entriesOf,
  entryAt,
  nodeAt,
  shapeOf,
  textOf,
  toJson,
  unvaluedIn,
  writtenText,
  type Node,
} from "../read/tree.js";
import {
  errorsOf,
  type Schema,
  type SchemaError,
  type SchemaType,
  type Validator,
} from "./compile.js";
import type { Problem } from "./rules/all.js";

/** Knowledge about a kind of file beyond its schema. */
export interface FileKind {
  /** Replaces the usual diagnostics of an error: none if another check reports it, undefined for the usual ones. */
  readonly explain: (root: Node, error: SchemaError) => readonly Diagnostic[] | undefined;
  /** The form of a value whose schema has a pattern, a bound or a choice. */
  readonly formAt: (path: Path) => Form | undefined;
  /** The lines to add for a missing key, by the shape of its path. */
  readonly missing: Readonly<Record<string, string>>;
  /** Whether the value may be a secret, which messages must not show. */
  readonly isSecret: (path: Path, node: Node) => boolean;
  /** The default help. */
  readonly see: string;
}

export interface Form {
  /** Continues the name of the value: "must …". */
  readonly must: string;
  readonly help: string;
}

export function schemaProblems(root: Node, validate: Validator, kind: FileKind): Problem[] {
  const errors = errorsOf(validate, toJson(root) ?? null);
  const main = eachOnce(errors, ({ path, keyword, params }) =>
    JSON.stringify([path, keyword, params]),
  );
  return main.flatMap((error): Problem[] => {
    const { path, keyword, params } = error;
    const node = nodeAt(root, path);
    // Null and a failed reference have their own diagnostics.
    if (node?.kind === "mark" || (node?.kind === "scalar" && node.value === null)) return [];
    const key = params["additionalProperty"] ?? params["missingProperty"];
    const isOfKey = keyword === "additionalProperties" || keyword === "required";
    const found = kind.explain(root, error) ?? explain(root, error, kind);
    return found.map((diagnostic) => ({
      path: isOfKey ? [...path, String(key)] : path,
      isOfValue: !isOfKey,
      diagnostic,
    }));
  });
}

function explain(root: Node, error: SchemaError, kind: FileKind): readonly Diagnostic[] {
  const { path, keyword, params, schema } = error;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const known = Object.keys(schema.properties ?? {});
      const help = didYouMean(key, known) ?? knownHelp(known) ?? kind.see;
      return [unknownKey(root, path, key, help)];
    }
    case "required":
      return missingKey(root, path, String(params["missingProperty"]), kind);
    case "type":
    case "anyOf":
      return [wrongType(root, error, kind)];
    case "enum":
      return [unknownValue(root, path, params["allowedValues"] as readonly unknown[])];
    default:
      return [wrongFormat(root, error, kind)];
  }
}

export function knownHelp(known: readonly string[]): string | undefined {
  return known.length > 0 ? `Known here: ${known.join(", ")}.` : undefined;
}

export function unknownKey(root: Node, path: Path, key: string, help: string): Diagnostic {
  const inside = path.length > 0 ? `in "${formatPath(path)}"` : "at the top of the file";
  const at = entryAt(root, [...path, key])?.key ?? root;
  return diagnose("unknown-key", at, `The key "${key}" is not known ${inside}.`, help);
}

function missingKey(root: Node, path: Path, key: string, { missing }: FileKind): Diagnostic[] {
  const node = nodeAt(root, path);
  const keys = [...entriesOf(node).keys()];
  // A key without a value or with a typo has its own diagnostic.
  if (childOf(node, key) || keys.some((each) => nearest(each, [key]).length > 0)) return [];
  const inside = path.length > 0 ? ` in "${formatPath(path)}"` : "";
  const message = `The key "${key}" is missing${inside}.`;
  const help = missing[shapeOf([...path, key])] ?? `Add it:\n  ${key}: …`;
  const at = path.length > 0 ? (entryAt(root, path)?.key ?? root) : startOf(root.span);
  const problem = diagnose("missing-key", at, message, help);
  const lowest = node?.kind === "mapping" ? node.lowest : undefined;
  if (!lowest) return [problem];
  return [{ ...problem, inBase: diagnose("missing-key", startOf(lowest), message, help) }];
}

/** The place of a diagnostic about the whole file: its start. */
export function startOf(span: Span): { readonly span: Span } {
  return { span: { ...span, end: span.start } };
}

/** The nulls and marks in a file that supports neither. */
export function emptyValues(root: Node): Diagnostic[] {
  return unvaluedIn(root)
    .filter(({ node }) => !(node.kind === "mark" && node.mark === "unknown"))
    .map(({ node, path }) => noValue(node, path, "Write a value, or remove the line."));
}

export function noValue(node: Node, path: Path, help: string): Diagnostic {
  return diagnose("null-value", node, `"${formatPath(path)}" has no value.`, help);
}

function wrongType(root: Node, { path, schema }: SchemaError, kind: FileKind): Diagnostic {
  const node = entryAt(root, path)?.value ?? root;
  const form = kind.formAt(path);
  const isChoice = schema.anyOf !== undefined || typeof schema.type !== "string";
  const must = isChoice && form ? form.must : `be ${describeSchema(schema)}`;
  const name = path.length > 0 ? `"${formatPath(path)}"` : "The file";
  const message = `${name} must ${must}, but it is ${describeAt(path, node, kind)}.`;
  const { type } = schema;
  const written = kind.isSecret(path, node) ? "…" : brief(writtenText(node));
  const isQuoted = type === "integer" && /^-?\d+$/.test(textOf(node) ?? "");
  const help =
    (isQuoted ? undefined : form?.help) ??
    (typeof type === "string" ? typeHelp(type, node, path, written) : undefined);
  return diagnose("wrong-type", node, message, help ?? `Write ${describeSchema(schema)}.`);
}

function unknownValue(root: Node, path: Path, allowed: readonly unknown[]): Diagnostic {
  const node = nodeAt(root, path) ?? root;
  const values = allowed.map(String);
  const given = textOf(node);
  const isQuoted = given !== undefined && !allowed.includes(given) && values.includes(given);
  if (isQuoted) {
    const message = `"${formatPath(path)}" must be ${given}, but it is the text ${quoted(given)}.`;
    return diagnose("wrong-type", node, message, `Write ${given}, without quotes.`);
  }
  const list = `Allowed: ${allowed.map((each) => JSON.stringify(each)).join(", ")}.`;
  const hint = given === undefined ? undefined : didYouBegin(given, values);
  const shown = given === undefined ? capitalised(describeNode(node)) : quoted(given);
  const message = `${shown} is not a value of "${formatPath(path)}".`;
  return diagnose("unknown-value", node, message, hint ? `${hint} ${list}` : list);
}

function wrongFormat(root: Node, error: SchemaError, kind: FileKind): Diagnostic {
  const { path } = error;
  const node = nodeAt(root, path) ?? root;
  const form = kind.formAt(path);
  const must = form?.must ?? boundOf(error);
  const name = path.length > 0 ? `"${formatPath(path)}"` : "The file";
  const message = `${name} must ${must}, but it is ${describeAt(path, node, kind)}.`;
  return diagnose("wrong-format", node, message, form?.help ?? kind.see);
}

/** The text of a bound, continuing "must". */
function boundOf({ keyword, params, message }: SchemaError): string {
  const limit = Number(params["limit"]);
  const entries = limit === 1 ? "one entry" : `${limit} entries`;
  switch (keyword) {
    case "minLength":
      return "be filled";
    case "minItems":
    case "minProperties":
      return `have ${entries} at least`;
    case "maxItems":
    case "maxProperties":
      return `have ${entries} at most`;
    case "minimum":
      return `be ${limit} at least`;
    case "maximum":
      return `be ${limit} at most`;
    case "uniqueItems":
      return "name each thing once";
    default:
      return message.replace(/^must /, "");
  }
}

/** How to write a value of the right type. */
function typeHelp(type: SchemaType, node: Node, path: Path, written: string): string {
  const text = textOf(node);
  switch (type) {
    case "string":
      return node.kind === "scalar" ? `Put it in quotes: "${written}"` : "Write a text.";
    case "boolean": {
      const word = text?.toLowerCase() ?? "";
      if (word === "true" || word === "false") return `Write ${word}, without quotes.`;
      if (["yes", "on", "y"].includes(word)) return "Write true; YAML 1.2 reads this word as text.";
      if (["no", "off", "n"].includes(word))
        return "Write false; YAML 1.2 reads this word as text.";
      return "Write true or false.";
    }
    case "integer":
      return text !== undefined && /^-?\d+$/.test(text)
        ? `Write ${text}, without quotes.`
        : "Write a whole number.";
    case "number":
      return "Write a number, without quotes.";
    case "array":
      return node.kind === "scalar"
        ? ["Write a list:", `  ${path.at(-1)}:`, ...itemsIn(written)].join("\n")
        : "Write a list.";
    case "object":
      if (text !== undefined && /^[\w-]+:[^\s/]/.test(text))
        return `Put a space after the colon:\n  ${written.replace(":", ": ")}`;
      return "Write its properties below it, indented, each as key: value.";
    case "null":
      return "Remove the value.";
    default:
      throw type satisfies never;
  }
}

/** Splits a value at commas, or at lines that lack their dashes. */
function itemsIn(written: string): string[] {
  const parts = /^["']/.test(written) ? [written] : written.split(/\n|,\s+/);
  return parts.map((part) => `    - ${part.trim()}`);
}

function describeSchema({ type, const: only, anyOf }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return anyOf.map(describeSchema).join(" or ");
  const types = typeof type === "string" ? [type] : (type ?? []);
  return types.length > 0 ? types.map((each) => TYPES[each]).join(" or ") : "another value";
}

const TYPES: Readonly<Record<SchemaType, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  object: "a mapping of keys to values",
  null: "empty",
};

/** For a possible secret, only its type. */
function describeAt(path: Path, node: Node, { isSecret }: FileKind): string {
  const value = node.kind === "scalar" ? node.value : "";
  if (value === "" || typeof value === "boolean" || !isSecret(path, node))
    return describeNode(node);
  return typeof value === "string" ? "a text" : "a number";
}

function describeNode(node: Node): string {
  switch (node.kind) {
    case "scalar":
      if (node.value === "") return "empty";
      if (typeof node.value === "string") return `the text ${quoted(node.value)}`;
      if (typeof node.value === "number") return `the number ${brief(writtenText(node))}`;
      return String(node.value);
    case "list":
      return node.items.length === 0 ? "an empty list" : "a list";
    case "mapping":
      return node.entries.size === 0 ? "an empty mapping" : "a mapping";
    case "mark":
      return `!${node.mark}`;
    default:
      throw node satisfies never;
  }
}

function quoted(text: string): string {
  return JSON.stringify(brief(text));
}

function brief(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
