// A text, paths and values → the same text with those values added where their mappings stand, and every other byte as it was.
import { isEqual, isJsonObject, type Json } from "../../json.js";
import { withLeaf } from "../../settings.js";
import { sourceOf } from "./edit.js";
import { parse } from "../read/parse.js";
import { entriesOf, toJson, writtenText, type Mapping, type Node } from "../read/tree.js";

export interface Addition {
  readonly path: readonly string[];
  readonly value: Json;
  /** Lines of a comment above it; a mapping in flow style has no room for one. */
  readonly above?: readonly string[];
  /** A comment behind it. */
  readonly beside?: string;
}

/**
 * undefined where the text is no mapping, where something stands at a path already, or where the mapping that a value
 * belongs into came through an alias.
 */
export function addValues(text: string, additions: readonly Addition[]): string | undefined {
  const groups = new Map<string, Addition[]>();
  for (const each of additions) {
    const home = JSON.stringify(each.path.slice(0, -1));
    groups.set(home, [...(groups.get(home) ?? []), each]);
  }
  return [...groups.values()].reduce<string | undefined>(
    (now, group) => (now === undefined ? undefined : addGroup(now, group)),
    text,
  );
}

/** Those of one mapping together, because each look at the whole text takes its time. */
function addGroup(text: string, additions: readonly Addition[]): string | undefined {
  const { root, problems } = parse(sourceOf(text));
  const [first, ...more] = additions;
  if (root?.kind !== "mapping" || problems.length > 0 || !first) return undefined;
  const home = homeOf(root, first.path);
  if (!home || more.some(({ path }) => !homeOf(root, path))) return undefined;
  const isFlow = text.charAt(home.parent.span.start) === "{";
  const next = isFlow ? inFlow(text, home, additions) : inBlock(text, home, root, additions);
  const after = next === undefined ? undefined : parse(sourceOf(next));
  if (!after?.root || after.problems.length > 0) return undefined;
  const wanted = additions.reduce(withLeaf, objectOf(root));
  return isEqual(objectOf(after.root), wanted) ? next : undefined;
}

interface Home {
  /** The deepest mapping on the way that is there. */
  readonly parent: Mapping;
  /** A key of it that has no value yet, below which everything goes. */
  readonly empty?: Node;
  /** The keys that are not there. */
  readonly missing: readonly string[];
}

function homeOf(root: Mapping, path: readonly string[]): Home | undefined {
  let parent = root;
  for (const [at, key] of path.entries()) {
    const entry = parent.entries.get(key);
    if (!entry) return { parent, missing: path.slice(at) };
    const { value } = entry;
    if (value.via.length > 0 || at === path.length - 1) return undefined;
    if (value.kind === "scalar" && value.value === null && writtenText(value).trim() === "") {
      return { parent, empty: { ...value, span: entry.key.span }, missing: path.slice(at + 1) };
    }
    if (value.kind !== "mapping") return undefined;
    parent = value;
  }
  return undefined;
}

function objectOf(node: Node): Readonly<Record<string, Json>> {
  const json = toJson(node);
  return isJsonObject(json) ? json : {};
}

function inFlow(
  text: string,
  { parent, empty, missing }: Home,
  additions: readonly Addition[],
): string | undefined {
  if (empty) return undefined;
  const leaves = additions.map(
    ({ path, value }) => `${keyText(path.at(-1) ?? "")}: ${flowText(value)}`,
  );
  const added = missing
    .slice(0, -1)
    .reduceRight((held, key) => `${keyText(key)}: { ${held} }`, leaves.join(", "));
  const own = [...parent.entries.values()].filter(({ key }) => key.via.length === 0);
  const last = own.at(-1);
  if (!last) {
    const { start, end } = parent.span;
    return `${text.slice(0, start)}{ ${added} }${text.slice(end)}`;
  }
  const at = Math.max(last.value.span.end, last.key.span.end);
  return `${text.slice(0, at)}, ${added}${text.slice(at)}`;
}

function inBlock(
  text: string,
  { parent, empty, missing }: Home,
  root: Mapping,
  additions: readonly Addition[],
): string | undefined {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const step = " ".repeat(stepOf(root, text));
  const outer = " ".repeat(columnOf(text, parent.span.start)) + (empty ? step : "");
  const way = missing.slice(0, -1);
  const indent = outer + step.repeat(way.length);
  const lines = [
    ...way.map((key, at) => `${outer}${step.repeat(at)}${keyText(key)}:`),
    ...additions.flatMap((each) => leafLines(each, indent, step)),
  ];
  const at = lineAfter(text, empty ? empty.span.end : parent.span.end);
  if (at === undefined) return undefined;
  const before = text.slice(0, at);
  const opening = before === "" || before.endsWith("\n") ? "" : newline;
  // A file whose last line has no end keeps it so.
  const closing = opening !== "" && at === text.length ? "" : newline;
  return before + opening + lines.join(newline) + closing + text.slice(at);
}

/** Where the line ends that something ends on; undefined where more than a comment stands behind it. */
function lineAfter(text: string, end: number): number | undefined {
  if (text.slice(0, end).endsWith("\n")) return end;
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline === -1 ? text.length : newline);
  if (!/^\s*:?\s*(?:[&!][^\s#]+\s*)*(?:#.*)?$/.test(rest)) return undefined;
  return newline === -1 ? text.length : newline + 1;
}

function columnOf(text: string, start: number): number {
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

/** How much deeper the file sets what lies below something. */
function stepOf(root: Mapping, text: string): number {
  for (const { key, value } of entriesOf(root).values()) {
    const isBlock = value.kind === "mapping" && text.charAt(value.span.start) !== "{";
    if (!isBlock || value.via.length > 0) continue;
    const step = columnOf(text, value.span.start) - columnOf(text, key.span.start);
    if (step > 0) return step;
  }
  return 2;
}

function leafLines(
  { path, value, above = [], beside }: Addition,
  indent: string,
  step: string,
): string[] {
  const key = keyText(path.at(-1) ?? "");
  const note = beside === undefined ? "" : ` # ${oneLine(beside)}`;
  const comments = above.map((line) => `${indent}# ${oneLine(line)}`.trimEnd());
  if (!Array.isArray(value) || value.length === 0) {
    return [...comments, `${indent}${key}: ${textOf(value)}${note}`];
  }
  const items = (value as readonly Json[]).map((item) => `${indent}${step}- ${textOf(item)}`);
  return [...comments, `${indent}${key}:${note}`, ...items];
}

/** A value under a key, as it would be added to a file. */
export function yamlLines(key: string, value: Json): string[] {
  return leafLines({ path: [key], value }, "", "  ");
}

/** What would begin a line of its own, or may not stand in YAML, is left out of a comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\ufeff\ud800-\udfff]+/gu, " ");
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !WORDS.test(key) ? key : quoted(key);
}

function textOf(value: Json): string {
  return typeof value === "string" && isPlain(value) ? value : flowText(value);
}

function flowText(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? value : quoted(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowText).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, held]) => `${keyText(key)}: ${flowText(held)}`);
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

/** Words that YAML, or older readers of it, take for something other than a text. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

function isPlain(text: string): boolean {
  return (
    /^[A-Za-z\p{L}][\p{L}\p{N} _./:?=;~()+@-]*$/u.test(text) &&
    !/:(?:\s|$)|\s$|\s#/.test(text) &&
    text.length <= 200 &&
    !WORDS.test(text)
  );
}

/** JSON, with what YAML may not hold as it is written by its number as well. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
