// A text, paths and values → the same text with those values, and every other byte as it was.
import { isJsonObject, sortKeys, type Json } from "../../json.js";
import type { Path } from "../../settings.js";
import { parse } from "../read/parse.js";
import { lineStartsOf, type Source } from "../read/source.js";
import { nodeAt, toJson, writtenText, type Node } from "../read/tree.js";

export interface Edit {
  readonly path: Path;
  readonly value: Json;
}

/** Replaces values that stand in the text itself; undefined where one stands nowhere there or came through an alias. */
export function replaceValues(text: string, edits: readonly Edit[]): string | undefined {
  // From the end, so that the places before stay where they were.
  const root = parse(sourceOf(text)).root;
  const placed = edits.map((edit) => ({ edit, node: root && nodeAt(root, edit.path) }));
  if (placed.some(({ node }) => !node || node.via.length > 0)) return undefined;
  return placed
    .toSorted((one, other) => (other.node?.span.start ?? 0) - (one.node?.span.start ?? 0))
    .reduce<string | undefined>(
      (now, { edit }) => (now === undefined ? undefined : replaceOne(now, edit)),
      text,
    );
}

function replaceOne(text: string, edit: Edit): string | undefined {
  const root = parse(sourceOf(text)).root;
  const node = root && nodeAt(root, edit.path);
  if (!node) return undefined;
  const { start, end } = node.span;
  for (const written of candidates(node, edit.value)) {
    const tail = text.slice(start, end).endsWith("\n") && !written.endsWith("\n") ? "\n" : "";
    const next = text.slice(0, start) + asWritten(written + tail, text) + text.slice(end);
    if (isJust(root, next, edit)) return next;
  }
  return undefined;
}

/** With the line ends of the text around it. */
function asWritten(part: string, text: string): string {
  return text.includes("\r\n") ? part.replace(/\r?\n/g, "\r\n") : part;
}

/** Ways to write a value, the one most like what stands there first; the last is JSON, which YAML always reads. */
function candidates(node: Node, value: Json): string[] {
  const old = writtenText(node);
  const json = JSON.stringify(value);
  const spaced = flow(value);
  if (typeof value !== "string") {
    const isBlock = Array.isArray(value) && value.length > 0 && old.startsWith("- ");
    return [...(isBlock ? [block(node, value)] : []), spaced, json];
  }
  const single = `'${value.replaceAll("'", "''")}'`;
  if (old.startsWith("'")) return [single, json];
  if (old.startsWith('"')) return [json];
  const header = /^([|>][0-9+-]*)[^\n]*\n([ \t]*)/.exec(old);
  if (header) return [literal(value, header[2] ?? "  "), json];
  return [value, json];
}

/** The items of a list below each other, as deep as the one that stands there. */
function block({ span: { source, start } }: Node, items: readonly Json[]): string {
  const column = start - (source.text.lastIndexOf("\n", start - 1) + 1);
  return items.map((item) => `- ${flow(item)}`).join(`\n${" ".repeat(column)}`);
}

/** A literal text; the sign says whether its last line ends. */
function literal(text: string, indent: string): string {
  const chomp = text.endsWith("\n") ? (text.endsWith("\n\n") ? "+" : "") : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}\n`;
}

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((each: Json) => flow(each)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, held]) => `${JSON.stringify(key)}: ${flow(held)}`,
  );
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
}

/** Whether a text reads as before but for one value; whatever a way of writing broke, this sees. */
function isJust(before: Node, text: string, { path, value }: Edit): boolean {
  const { root, problems } = parse(sourceOf(text));
  if (!root || problems.length > 0) return false;
  const after = withValue(toJson(before) ?? null, path, value);
  return JSON.stringify(sortKeys(toJson(root) ?? null)) === JSON.stringify(sortKeys(after));
}

function withValue(json: Json, path: Path, value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(json)) {
    return json.map((each: Json, at) => (at === first ? withValue(each, rest, value) : each));
  }
  if (!isJsonObject(json)) return json;
  // A mark such as !default is no value, so that the key may be missing here.
  const held = Object.hasOwn(json, first) ? (json[first] ?? null) : null;
  return { ...json, [first]: withValue(held, rest, value) };
}

export function sourceOf(text: string): Source {
  return { file: "", path: undefined, text, lineStarts: lineStartsOf(text) };
}
