// Changes values in a file's text and leaves every other byte as it was.
import { isJsonList, isJsonObject, sortKeys, type Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";
import { parse } from "../read/parse.js";
import { sourceTextOf } from "../../lib/source-text.js";
import type { Source } from "../read/source.js";
import { entriesOf, nodeAt, toJson, writtenText, type Mapping, type Node } from "../read/tree.js";
import { flowText, isLegible, keyText, oneLine, quoted, yamlLines } from "./value.js";

/** A value that stands in the text itself becomes another. */
interface Setting {
  readonly set: Path;
  readonly value: Json;
}

/** A value where nothing stands yet, below the mapping that it belongs into. */
export interface Addition {
  readonly add: readonly string[];
  readonly value: Json;
  /** A comment behind it. */
  readonly beside?: string;
}

/** A stretch of a comment becomes another text, or nothing. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Change = Setting | Addition | Stretch;

/**
 * undefined where the text would not read as asked: where a value to be set stands nowhere or came
 * through an alias, where something stands at a path to be added, or where there is no room.
 */
export function edit(text: string, changes: readonly Change[]): string | undefined {
  // From the end, so that stretches keep their places.
  const startOf = (change: Change) => ("start" in change ? change.start : -1);
  let now: string | undefined = text;
  for (const change of changes.toSorted((one, other) => startOf(other) - startOf(one))) {
    now = now === undefined ? undefined : editOnce(now, change);
  }
  return now;
}

function editOnce(text: string, change: Change): string | undefined {
  const { root, problems } = parse(sourceOf(text));
  if (!root || problems.length > 0) return undefined;
  const wanted = exact(withChange(toJson(root) ?? null, change));
  return waysTo(change, text, root)
    .map((way) => text.slice(0, way.start) + way.text + text.slice(way.end))
    .find((next) => reads(next, wanted));
}

/** This finds anything that the edit broke; the ends of lines count as well. */
function reads(text: string, wanted: string): boolean {
  const { root, problems } = parse(sourceOf(text));
  return root !== undefined && problems.length === 0 && exact(toJson(root) ?? null) === wanted;
}

function exact(json: Json): string {
  return JSON.stringify(sortKeys(json));
}

function withChange(json: Json, change: Change): Json {
  if ("start" in change) return json;
  return withValue(json, "set" in change ? change.set : change.add, change.value);
}

function withValue(json: Json | undefined, [first, ...rest]: Path, value: Json): Json {
  if (first === undefined) return value;
  if (json !== undefined && isJsonList(json)) {
    return json.map((each, at) => (at === first ? withValue(each, rest, value) : each));
  }
  // A mark such as !default is no value, so that the key may be missing here.
  const held = isJsonObject(json) ? json : {};
  const below = Object.hasOwn(held, first) ? held[first] : undefined;
  return { ...held, [first]: withValue(below, rest, value) };
}

/** Ways to write a change, the one most like what stands there first; none where there is no place. */
function waysTo(change: Change, text: string, root: Node): readonly Stretch[] {
  if ("start" in change) return [change];
  if ("set" in change) return waysToSet(text, root, change);
  const added = addition(text, root, change);
  return added ? [added] : [];
}

function waysToSet(text: string, root: Node, { set, value }: Setting): Stretch[] {
  const node = nodeAt(root, set);
  if (!node || node.via.length > 0) return [];
  const { start, end } = node.span;
  const old = writtenText(node);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return candidates(node, old, value).map((written) => {
    const tail = old.endsWith("\n") && !written.endsWith("\n") ? "\n" : "";
    return { start, end, text: (written + tail).replace(/\r?\n/g, newline) };
  });
}

function candidates({ span: { source, start } }: Node, old: string, value: Json): string[] {
  const json = quoted(value);
  if (typeof value !== "string") {
    const isBlock = isJsonList(value) && value.length > 0 && old.startsWith("- ");
    const next = `\n${" ".repeat(columnOf(source.text, start))}`;
    const block = isBlock ? [value.map((item) => `- ${flowText(item)}`).join(next)] : [];
    return [...block, flowText(value), json];
  }
  if (!isLegible(value)) return [json];
  if (old.startsWith("'")) return [`'${value.replaceAll("'", "''")}'`, json];
  if (old.startsWith('"')) return [json];
  const [, sign, indent = "  "] = /^([|>][^\n]*\n)([ \t]*)/.exec(old) ?? [];
  if (sign !== undefined) {
    // The sign and the comment behind it stay where they say the same of the new value.
    const same = value.includes("\n") ? [] : [`${sign}${indent}${value}\n`];
    return [...same, literal(value, indent), json];
  }
  return [value, json];
}

/** A literal text; the sign says whether its last line ends. */
function literal(value: string, indent: string): string {
  const chomp = value.endsWith("\n") ? (value.endsWith("\n\n") ? "+" : "") : "-";
  const lines = value.replace(/\n$/, "").split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}\n`;
}

export function sourceOf(text: string): Source {
  return { ...sourceTextOf("", text), path: undefined };
}

interface Home {
  /** The deepest mapping on the way that is there. */
  readonly parent: Mapping;
  /** Where a key of it ends that has no value yet, below which everything goes. */
  readonly emptyEnd?: number;
  /** The keys on the way that are not there. */
  readonly missing: readonly string[];
}

/** undefined where there is no place for it. */
function addition(text: string, root: Node, added: Addition): Stretch | undefined {
  const home = homeOf(root, added.add);
  if (!home) return undefined;
  const isFlow = text.charAt(home.parent.span.start) === "{";
  return isFlow ? inFlow(home, added) : inBlock(text, home, root, added);
}

function homeOf(root: Node, path: readonly string[]): Home | undefined {
  let parent = root;
  for (const [at, key] of path.entries()) {
    if (parent.kind !== "mapping" || parent.via.length > 0) return undefined;
    const entry = parent.entries.get(key);
    if (!entry) return { parent, missing: path.slice(at, -1) };
    const { value } = entry;
    if (at === path.length - 1) return undefined;
    const isEmpty = value.kind === "scalar" && value.value === null && value.via.length === 0;
    if (isEmpty && writtenText(value).trim() === "") {
      return { parent, emptyEnd: entry.key.span.end, missing: path.slice(at + 1, -1) };
    }
    parent = value;
  }
  return undefined;
}

function inFlow(
  { parent, emptyEnd, missing }: Home,
  { add, value }: Addition,
): Stretch | undefined {
  if (emptyEnd !== undefined) return undefined;
  const written = missing.reduceRight(
    (held, key) => `${keyText(key)}: { ${held} }`,
    `${keyText(add.at(-1) ?? "")}: ${flowText(value)}`,
  );
  const last = [...parent.entries.values()].findLast(({ key }) => key.via.length === 0);
  const { start, end } = parent.span;
  if (!last) return { start, end, text: `{ ${written} }` };
  const at = Math.max(last.value.span.end, last.key.span.end);
  return { start: at, end: at, text: `, ${written}` };
}

function inBlock(
  text: string,
  { parent, emptyEnd, missing }: Home,
  root: Node,
  { add, value, beside }: Addition,
): Stretch | undefined {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const step = " ".repeat(stepOf(root, text));
  const outer =
    " ".repeat(columnOf(text, parent.span.start)) + (emptyEnd === undefined ? "" : step);
  const indent = outer + step.repeat(missing.length);
  const lines = [
    ...missing.map((key, at) => `${outer}${step.repeat(at)}${keyText(key)}:`),
    ...yamlLines(add.at(-1) ?? "", value, step, beside && ` # ${oneLine(beside)}`).map(
      (line) => indent + line,
    ),
  ];
  const at = lineAfter(text, emptyEnd ?? parent.span.end);
  if (at === undefined) return undefined;
  const opening = at === 0 || text.charAt(at - 1) === "\n" ? "" : newline;
  // A file whose last line has no end keeps it so.
  const closing = opening !== "" && at === text.length ? "" : newline;
  return { start: at, end: at, text: opening + lines.join(newline) + closing };
}

/** Where the line ends that something ends on; undefined where more than a comment stands behind it. */
function lineAfter(text: string, end: number): number | undefined {
  if (text.charAt(end - 1) === "\n") return end;
  const newline = text.indexOf("\n", end);
  const rest = text.slice(end, newline === -1 ? text.length : newline);
  if (!/^\s*:?\s*(?:[&!][^\s#]+\s*)*(?:#.*)?$/.test(rest)) return undefined;
  return newline === -1 ? text.length : newline + 1;
}

function columnOf(text: string, start: number): number {
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

/** How much deeper the file sets what lies below something. */
function stepOf(root: Node, text: string): number {
  for (const { key, value } of entriesOf(root).values()) {
    const isBlock = value.kind === "mapping" && text.charAt(value.span.start) !== "{";
    if (!isBlock || value.via.length > 0) continue;
    const step = columnOf(text, value.span.start) - columnOf(text, key.span.start);
    if (step > 0) return step;
  }
  return 2;
}
