// Two texts or two lists → what stayed, went and came, as data that each format draws in its own way.
import { diffArrays } from "diff";
import { canonicalText, isEqual, isJsonObject, type Json, type JsonObject } from "../../json.js";
import type { Path } from "../../settings.js";

/** What is not `added`, joined, is the text before; what is not `removed` the text after. */
export interface Segment {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** The same holds for lists; an entry that `changed` stands in both. */
export type Entry =
  | { readonly kind: "same"; readonly value: Json }
  | { readonly kind: "removed" | "added"; readonly value: Json }
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

/** The time grows with its square; beyond it, what lies between equal ends is taken as replaced. */
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
const TOKEN =
  /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}\p{N}_]){1,1000}|\n|[^\S\n]{1,1000}|\p{RI}\p{RI}|\p{ExtPict}[\p{EMod}\ufe0f]{0,9}(?:\u200d\p{ExtPict}[\p{EMod}\ufe0f]{0,9}){0,99}|./gsu;

type Run<Item> = readonly [kind: Segment["kind"], items: readonly Item[]];

export function diffTexts(before: string, after: string): Segment[] {
  // To take a new text apart and put it together again is a tenth of a large report's work.
  if (before === "" || after === "")
    return segments([
      ["removed", before],
      ["added", after],
    ]);
  const [left, right] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  const found = runsOf(left, right).map(([kind, words]) => ({ kind, text: words.join("") }));
  const joined = withoutGaps(found);
  const same = joined
    .filter(({ kind }) => kind === "same")
    .reduce((sum, { text }) => sum + text.length, 0);
  if (same < Math.min(before.length, after.length) * FEWEST_SAME) {
    return segments([
      ["removed", before],
      ["added", after],
    ]);
  }
  return joined;
}

/** Equal means what it means for settings: the order of keys and CR LF do not count. */
export function diffLists(before: readonly Json[], after: readonly Json[]): Entry[] {
  if (before.length === 0) return after.map((value) => ({ kind: "added", value }));
  const numbers = new Map<string, number>();
  const numbered = (value: Json) => {
    const text = canonicalText(value);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const runs = runsOf(before.map(numbered), after.map(numbered));
  const entries: Entry[] = [];
  let [left, right] = [0, 0];
  for (let each = 0; each < runs.length; each++) {
    const [kind, { length }] = runs[each] ?? ["same", []];
    const [nextKind, next] = runs[each + 1] ?? ["same", []];
    if (kind === "removed" && nextKind === "added") {
      const [gone, come] = [
        before.slice(left, left + length),
        after.slice(right, right + next.length),
      ];
      entries.push(...paired(gone, come, right));
      left += length;
      right += next.length;
      each++;
      continue;
    }
    const held =
      kind === "added" ? after.slice(right, right + length) : before.slice(left, left + length);
    entries.push(...held.map((value) => ({ kind, value })));
    if (kind !== "added") left += length;
    if (kind !== "removed") right += length;
  }
  return entries;
}

/** Runs of neighbours of one kind; of those between two equal ones, what went comes first. */
function runsOf<Item>(before: Item[], after: Item[]): Run<Item>[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [left, right] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  const between: Run<Item>[] = diffArrays(left, right, { maxEditLength: MOST_EDITS })?.map(
    ({ added, removed, value }) => [added ? "added" : removed ? "removed" : "same", value],
  ) ?? [
    ["removed", left],
    ["added", right],
  ];
  const runs: Run<Item>[] = [
    ["same", before.slice(0, start)],
    ...between,
    ["same", before.slice(before.length - end)],
  ];
  return runs.filter(([, { length }]) => length > 0);
}

/** Spaces alone between two changes would break a sentence into its words, so that they change with them. */
function withoutGaps(found: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    joined.push(
      ...segments([
        ["removed", removed],
        ["added", added],
      ]),
    );
    [removed, added] = ["", ""];
  };
  found.forEach(({ kind, text }, at) => {
    const isGap = kind === "same" && /^[^\S\n]*$/.test(text) && at > 0 && at < found.length - 1;
    if (kind === "same" && !isGap) {
      flush();
      joined.push({ kind, text });
      return;
    }
    if (kind !== "added") removed += text;
    if (kind !== "removed") added += text;
  });
  flush();
  return joined;
}

function segments(runs: readonly (readonly [Segment["kind"], string])[]): Segment[] {
  return runs.filter(([, text]) => text !== "").map(([kind, text]) => ({ kind, text }));
}

/** Between two equal entries: what went, what came, and objects that are the same thing and changed. */
function paired(gone: readonly Json[], come: readonly Json[], start: number): Entry[] {
  const entries: Entry[] = [];
  const add = (values: readonly Json[]) =>
    entries.push(...values.map((value) => ({ kind: "added" as const, value })));
  let next = 0;
  for (const before of gone) {
    const at = come.slice(next, next + FARTHEST).findIndex((after) => isAkin(before, after));
    const after = come[next + at];
    if (at < 0 || after === undefined) {
      entries.push({ kind: "removed", value: before });
      continue;
    }
    add(come.slice(next, next + at));
    next += at + 1;
    entries.push({
      kind: "changed",
      at: start + next - 1,
      before,
      after,
      parts: partsOf(before, after),
    });
  }
  add(come.slice(next));
  return entries;
}

function isAkin(before: Json, after: Json): boolean {
  if (!isJsonObject(before) || !isJsonObject(after)) return false;
  return Object.keys(before).some(
    (key) => Object.hasOwn(after, key) && isEqual(before[key] ?? null, after[key] ?? null),
  );
}

function partsOf(before: Json, after: Json, path: Path = []): Part[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): Part[] => {
    const [left, right] = [valueOf(before, key), valueOf(after, key)];
    const below = [...path, key];
    if (left === undefined || right === undefined)
      return [{ path: below, before: left, after: right }];
    return isEqual(left, right) ? [] : partsOf(left, right, below);
  });
}

function valueOf(held: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(held, key) ? held[key] : undefined;
}
