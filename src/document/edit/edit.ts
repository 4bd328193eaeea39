// A text and changes → the text with those changes, and every other byte as it was.
import { isJsonList, isJsonObject, sortKeys, type Json } from "../../lib/json.js";
import type { Path } from "../../settings.js";
import { parse } from "../read/parse.js";
import { lineStartsOf, type Source } from "../read/source.js";
import { nodeAt, toJson, writtenText, type Node } from "../read/tree.js";
import { addition, columnOf } from "./place.js";
import { flowText, isLegible, quoted } from "./value.js";

/** A value that stands in the text itself becomes another. */
interface Setting {
  readonly set: Path;
  readonly value: Json;
}

/** A value where nothing stands yet, below the mapping that it belongs into. */
export interface Addition {
  readonly add: readonly string[];
  readonly value: Json;
  /** Lines of a comment above it; a mapping in flow style has no room for one. */
  readonly above?: readonly string[];
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
 * undefined where the text reads otherwise afterwards than was asked for: where a value to be set stands nowhere or came
 * through an alias, where something stands at a path to be added, or where there is no room.
 */
export function edit(text: string, changes: readonly Change[]): string | undefined {
  if (changes.length === 0) return text;
  const { root, problems } = parse(sourceOf(text));
  if (!root || problems.length > 0) return undefined;
  const wanted = exact(changes.reduce<Json>(withChange, toJson(root) ?? null));
  const ways = groupsOf(changes).map((group) => waysFor(text, root, group));
  // Mostly the first way to write each of them will do, and the text is looked at once for all.
  const most = ways.length === 1 ? (ways[0]?.length ?? 0) : 1;
  for (let way = 0; way < most; way++) {
    const stretches = ways.map((each) => each[way]);
    const next = spliced(text, stretches);
    if (next !== undefined && reads(next, wanted)) return next;
  }
  if (changes.length === 1) return undefined;
  // One by one: from the end, so that stretches keep their places.
  const startOf = (change: Change) => ("start" in change ? change.start : -1);
  let now: string | undefined = text;
  for (const change of changes.toSorted((one, other) => startOf(other) - startOf(one))) {
    now = now === undefined ? undefined : edit(now, [change]);
  }
  return now;
}

/** Whatever a way of writing broke, this sees; the ends of lines count as well. */
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

/** What is added to one mapping stays together. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups = new Map<unknown, Change[]>();
  for (const each of changes) {
    const key = "add" in each ? JSON.stringify(each.add.slice(0, -1)) : each;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(each);
  }
  return [...groups.values()];
}

/** Ways to write a group of changes, the one most like what stands there first; none where there is no place. */
function waysFor(text: string, root: Node, group: readonly Change[]): readonly Stretch[] {
  const [first] = group;
  if (first && "start" in first) return [first];
  if (first && "set" in first) return waysToSet(text, root, first);
  const added = addition(text, root, group as readonly Addition[]);
  return added ? [added] : [];
}

function spliced(text: string, stretches: readonly (Stretch | undefined)[]): string | undefined {
  let [result, at] = ["", 0];
  const given = stretches.flatMap((each) => each ?? []);
  if (given.length < stretches.length) return undefined;
  for (const each of given.toSorted((one, other) => one.start - other.start)) {
    if (each.start < at) return undefined;
    result += text.slice(at, each.start) + each.text;
    at = each.end;
  }
  return result + text.slice(at);
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
  return { file: "", path: undefined, text, lineStarts: lineStartsOf(text) };
}
