// A change → lines of a diff block: what was in red, what is in green, what only concerns the state marked with !.
import { formatPath } from "../../settings.js";
import type { Change } from "../../plan/diff.js";
import {
  differenceBetween,
  differenceOf,
  shownValue,
  splitPath,
  wordsOf,
  type Difference,
} from "../model/change.js";
import type { Entry, Segment } from "../model/diff.js";
import { flow, painted } from "../text/flow.js";
import { counted, oneLine, shortened } from "../../text.js";
import { shortenedSegments } from "../model/shorten.js";
import { notesBeside, noteText } from "../model/wording.js";

/** How much is shown of what. */
export interface Limits {
  readonly text: number;
  readonly value: number;
  readonly entries: number;
  readonly changes: number;
}

const WIDTH = 100;
const LONGEST_NAME = 100;
const LONGEST_NOTE = 400;

/** Under the name of their parameter. */
export function diffLines(changes: readonly Change[], limits: Limits, isDone: boolean): string[] {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  return [
    ...shown.flatMap((change, at) => {
      const [parameter, rest] = splitPath(change.path);
      const isNew = rest !== "" && shown[at - 1]?.path[0] !== change.path[0];
      return [
        ...(isNew ? [`@@ ${parameter} @@`] : []),
        ...changeLines(change, rest || parameter, limits, isDone),
        ...notesBeside(change).flatMap((note) =>
          prefixed("# ", shortened(noteText(note), LONGEST_NOTE)),
        ),
      ];
    }),
    ...(left > 0 ? [`# … ${counted(left, "more change")}`] : []),
  ];
}

function changeLines(change: Change, name: string, limits: Limits, isDone: boolean): string[] {
  const { action, place } = change;
  const words = wordsOf(change, isDone);
  const at = place ? `${place.file}:${place.line}` : "";
  const remark = [words, at].filter(Boolean).join(", ");
  const difference = differenceOf(change);
  if (action === "adopt" || action === "release") {
    return valueLines("! ", name, change.after ?? undefined, limits, remark);
  }
  return differenceLines(difference, name, limits, remark);
}

function differenceLines(
  difference: Difference,
  name: string,
  limits: Limits,
  remark: string,
): string[] {
  const end = remark ? `  # ${oneLine(remark)}` : "";
  switch (difference.kind) {
    case "value":
      return [
        ...(difference.before === undefined
          ? []
          : valueLines("- ", name, difference.before, limits)),
        ...(difference.after === undefined
          ? []
          : valueLines("+ ", name, difference.after, limits, remark)),
      ];
    case "text":
      return [`  ${name}:${end}`, ...textLines(difference.segments, limits)];
    case "list":
      return [`  ${name}:${end}`, ...listLines(difference.entries, limits)];
    default:
      throw difference satisfies never;
  }
}

function valueLines(
  mark: string,
  name: string,
  value: Parameters<typeof shownValue>[0],
  { value: most }: Limits,
  remark = "",
): string[] {
  const held = value === undefined ? "" : ` ${shownValue(value, most)}`;
  return [`${mark}${name}:${held}${remark ? `  # ${oneLine(remark)}` : ""}`];
}

function textLines(segments: readonly Segment[], limits: Limits): string[] {
  const shown = shortenedSegments(segments, limits.text).map(({ kind, text }) => ({
    kind,
    text: kind !== "same" && /^[^\S\n]+$/.test(text) ? text.replaceAll(" ", "·") : text,
  }));
  const without = (kind: Segment["kind"]) =>
    shown
      .filter((each) => each.kind !== kind)
      .map(({ text }) => text)
      .join("");
  const [before, after] = [without("added"), without("removed")];
  return [...(before ? prefixed("-   ", before) : []), ...(after ? prefixed("+   ", after) : [])];
}

function listLines(entries: readonly Entry[], limits: Limits): string[] {
  const lines: string[] = [];
  let [same, changed] = [0, 0];
  const flush = () => {
    if (same > 0) lines.push(`    … ${same} unchanged`);
    same = 0;
  };
  for (const entry of entries) {
    if (entry.kind === "same") {
      same++;
      continue;
    }
    if (changed < limits.entries) {
      flush();
      lines.push(...entryLines(entry, limits));
    }
    changed++;
  }
  if (changed > limits.entries)
    lines.push(`    … ${counted(changed - limits.entries, "more change")}`);
  else flush();
  return lines;
}

function entryLines(entry: Exclude<Entry, { kind: "same" }>, limits: Limits): string[] {
  switch (entry.kind) {
    case "added":
      return [`+   ${shownValue(entry.value, limits.value)}`];
    case "removed":
      return [`-   ${shownValue(entry.value, limits.value)}`];
    case "changed":
      return entry.parts.slice(0, limits.entries).flatMap(({ path, before, after }) => {
        const name = `  ${shortened(oneLine(formatPath([entry.at, ...path])), LONGEST_NAME)}`;
        return differenceLines(differenceBetween(before, after), name, limits, "");
      });
    default:
      throw entry satisfies never;
  }
}

function prefixed(prefix: string, text: string): string[] {
  const pieces = [{ text, paint: (each: string) => each }];
  return flow(pieces, WIDTH).map((line) => `${prefix}${painted(line)}`.trimEnd());
}
