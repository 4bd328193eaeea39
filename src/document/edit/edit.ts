// Changes values in a file's text, and keeps every other byte.
import { isJsonList, isJsonObject, sortKeys, type Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";
import { parse } from "../read/parse.js";
import { sourceTextOf } from "../../lib/source-text.js";
import type { Source } from "../read/source.js";
import { entriesOf, nodeAt, toJson, writtenText, type Mapping, type Node } from "../read/tree.js";
import { flowText, isLegible, keyText, oneLine, quoted, yamlLines } from "./value.js";

/** Replaces a value in the text. */
interface Setting {
  readonly set: Path;
  readonly value: Json;
}

/** Adds a value, below the mapping it belongs to. */
export interface Addition {
  readonly add: readonly string[];
  readonly value: Json;
  /** A comment after it. */
  readonly beside?: string;
}

/** Replaces or removes a part of a comment. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Change = Setting | Addition | Stretch;

/**
 * Undefined if the edited text would not have the wanted values: the value is missing or came through an alias, the
 * path already exists, or there is no room.
 */
export function edit(text: string, changes: readonly Change[]): string | undefined {
  // From the end, so that earlier offsets stay valid.
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

/** Detects every unintended change, including line endings. */
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
  // A mark such as !default is no value, so the key may be missing here.
  const held = isJsonObject(json) ? json : {};
  const below = Object.hasOwn(held, first) ? held[first] : undefined;
  return { ...held, [first]: withValue(below, rest, value) };
}

/** Possible edits, the most similar to the old text first; empty if none is possible. */
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
    // Keeps the indicator and its comment if they suit the new value.
    const same = value.includes("\n") ? [] : [`${sign}${indent}${value}\n`];
    return [...same, literal(value, indent), json];
  }
  return [value, json];
}

/** A literal block; its indicator shows whether the last line has an end. */
function literal(value: string, indent: string): string {
  const chomp = value.endsWith("\n") ? (value.endsWith("\n\n") ? "+" : "") : "-";
  const lines = value.replace(/\n$/, "").split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}\n`;
}

export function sourceOf(text: string): Source {
  return { ...sourceTextOf("", text), path: undefined };
}

interface Home {
  /** The deepest existing mapping on the path. */
  readonly parent: Mapping;
  /** The end of a key without a value, below which everything is added. */
  readonly emptyEnd?: number;
  /** The missing keys of the path. */
  readonly missing: readonly string[];
}

/** Undefined if there is no place for it. */
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
  // Keeps a missing line break at the end of the file.
  const closing = opening !== "" && at === text.length ? "" : newline;
  return { start: at, end: at, text: opening + lines.join(newline) + closing };
}

/** The end of the line; undefined if more than a comment follows. */
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

/** The indentation that the file uses below a key. */
function stepOf(root: Node, text: string): number {
  for (const { key, value } of entriesOf(root).values()) {
    const isBlock = value.kind === "mapping" && text.charAt(value.span.start) !== "{";
    if (!isBlock || value.via.length > 0) continue;
    const step = columnOf(text, value.span.start) - columnOf(text, key.span.start);
    if (step > 0) return step;
  }
  return 2;
}
