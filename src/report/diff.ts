// Compares two texts or two lists: what stayed, was removed and was added.
import { diffArrays } from "diff";
import { canonicalText, isEqual, isJsonObject, type Json, type JsonObject } from "../lib/json.js";
import type { Path } from "../settings.js";

/** All but the `added`, joined, is the text before; all but the `removed` the text after. */
export interface Segment {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** The same holds for lists; an entry that `changed` stands in both. */
export type Entry =
  | { readonly kind: Segment["kind"]; readonly value: Json }
  | {
      readonly kind: "changed";
      /** Where it stands afterwards, from 0. */
      readonly at: number;
      readonly before: Json;
      readonly after: Json;
      readonly parts: readonly Part[];
    };

/** What differs inside an object; undefined where nothing stands. */
export interface Part {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The time grows with its square; beyond it, all is taken as replaced. */
const MOST_EDITS = 1_000;

/** With fewer words in common, two texts are read more easily one after the other than mixed. */
const FEWEST_SAME = 0.3;

/** How far an entry looks for what it has become. */
const FARTHEST = 10;

/**
 * A word of letters, one letter of a script that is written without spaces, a line end, a run of spaces, a whole emoji.
 * Not by Intl.Segmenter: its every segment holds a copy of the text, which takes gigabytes for a long one.
 * Each run is bounded, because a pattern that repeats millions of times runs out of stack.
 */
function tokens(text: string): string[] {
  const token =
    /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_]){1,1000}|\n|[^\S\n]{1,1000}|\p{RI}\p{RI}|\p{ExtPict}[\p{EMod}\ufe0f]{0,9}(?:\u200d\p{ExtPict}[\p{EMod}\ufe0f]{0,9}){0,99}|./gsu;
  return text.match(token) ?? [];
}

type Run<Item> = readonly [kind: Segment["kind"], items: readonly Item[]];

export function diffTexts(before: string, after: string): Segment[] {
  const replaced = replacement(before, after);
  // Taking a new text apart and putting it together again would be a good part of a large report's work.
  if (replaced.length < 2) return replaced;
  const runs = runsOf(tokens(before), tokens(after));
  const segments = withoutGaps(runs.map(([kind, words]) => ({ kind, text: words.join("") })));
  const same = segments.reduce(
    (sum, { kind, text }) => sum + (kind === "same" ? text.length : 0),
    0,
  );
  return same < Math.min(before.length, after.length) * FEWEST_SAME ? replaced : segments;
}

/** Equal means what it means for settings: the order of keys and CR LF do not count. */
export function diffLists(before: readonly Json[], after: readonly Json[]): Entry[] {
  const entries: Entry[] = [];
  let [left, right] = [0, 0];
  let gone: readonly Json[] = [];
  for (const [kind, { length }] of runsOf(before.map(canonicalText), after.map(canonicalText))) {
    const come = kind === "added" ? after.slice(right, right + length) : [];
    if (kind !== "removed") entries.push(...paired(gone, come, right));
    const held = before.slice(left, left + length);
    gone = kind === "removed" ? held : [];
    if (kind === "same") entries.push(...held.map((value) => ({ kind, value })));
    if (kind !== "added") left += length;
    if (kind !== "removed") right += length;
  }
  return [...entries, ...paired(gone, [], right)];
}

/** Runs of neighbours of one kind; of those between two equal ones, what went comes first. */
function runsOf(before: string[], after: string[]): Run<string>[] {
  const changes = diffArrays(before, after, { maxEditLength: MOST_EDITS });
  if (!changes) {
    return [
      ["removed", before],
      ["added", after],
    ];
  }
  return changes.map(({ added, removed, value }) => [
    added ? "added" : removed ? "removed" : "same",
    value,
  ]);
}

/** Spaces alone between two changes would break a sentence into its words, so that they change with them. */
function withoutGaps(found: readonly Segment[]): Segment[] {
  const isKept = ({ kind, text }: Segment, at: number) =>
    kind === "same" && (/[\S\n]/.test(text) || at === 0 || at === found.length - 1);
  return neighbours(found, isKept).flatMap(([isSame, held]) =>
    isSame ? held : replacement(textWithout("added", held), textWithout("removed", held)),
  );
}

export function textWithout(left: Segment["kind"], segments: readonly Segment[]): string {
  return segments.map(({ kind, text }) => (kind === left ? "" : text)).join("");
}

/** Groups what follows on each other under one name. */
export function neighbours<Item, Name>(
  items: readonly Item[],
  nameOf: (item: Item, at: number) => Name,
): (readonly [name: Name, items: Item[]])[] {
  const groups: (readonly [Name, Item[]])[] = [];
  for (const [at, item] of items.entries()) {
    const [name, last] = [nameOf(item, at), groups.at(-1)];
    if (last?.[0] === name) last[1].push(item);
    else groups.push([name, [item]]);
  }
  return groups;
}

function replacement(before: string, after: string): Segment[] {
  const segments: Segment[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return segments.filter(({ text }) => text !== "");
}

/** Between two equal entries: what went, what came, and objects that are the same thing and changed. */
function paired(gone: readonly Json[], come: readonly Json[], start: number): Entry[] {
  const entries: Entry[] = [];
  const added = (values: readonly Json[]) =>
    values.map((value) => ({ kind: "added" as const, value }));
  let next = 0;
  for (const before of gone) {
    const at = come.slice(next, next + FARTHEST).findIndex((after) => isAkin(before, after));
    const after = come[next + at];
    if (at < 0 || after === undefined) {
      entries.push({ kind: "removed", value: before });
      continue;
    }
    const parts = partsOf(before, after);
    entries.push(...added(come.slice(next, next + at)));
    next += at + 1;
    entries.push({ kind: "changed", at: start + next - 1, before, after, parts });
  }
  return [...entries, ...added(come.slice(next))];
}

function isAkin(before: Json, after: Json): boolean {
  if (!isJsonObject(before) || !isJsonObject(after)) return false;
  return Object.keys(before).some(
    (key) => Object.hasOwn(after, key) && isEqual(before[key] ?? null, after[key] ?? null),
  );
}

function partsOf(before: Json | undefined, after: Json | undefined, path: Path = []): Part[] {
  if (before !== undefined && after !== undefined && isEqual(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    partsOf(valueOf(before, key), valueOf(after, key), [...path, key]),
  );
}

function valueOf(held: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(held, key) ? held[key] : undefined;
}
