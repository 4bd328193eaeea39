// Changes → lines of a diff block: what was in red, what is in green, what only concerns the state marked with !.
import type { Json } from "../../lib/json.js";
import { counted, oneLine, shortened } from "../../lib/text.js";
import type { ChangeReport } from "../model/change.js";
import {
  differenceBetween,
  firstRows,
  shortenedSegments,
  shownValue,
  withSpacesShown,
  type Difference,
  type Limits,
} from "../model/difference.js";
import { neighbours, textWithout, type Segment } from "../model/diff.js";
import { flow, painted, plainly } from "../text/flow.js";

const WIDTH = 100;
const LONGEST_NOTE = 400;

/** Under the name of their parameter. */
export function diffLines(changes: readonly ChangeReport[], limits: Limits): string[] {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  const groups = neighbours(shown, ({ name, parameter }) => (name ? parameter : ""));
  return [
    ...groups.flatMap(([parameter, held], at) => [
      // One that has no parameter above it would seem to belong to the one before.
      ...(parameter ? [`@@ ${parameter} @@`] : at > 0 ? ["@@ settings @@"] : []),
      ...held.flatMap((change) => changeLines(change, limits)),
    ]),
    ...(left > 0 ? [`# … ${counted(left, "more change")}`] : []),
  ];
}

function changeLines(change: ChangeReport, limits: Limits): string[] {
  const { mark, parameter, name, difference, notes } = change;
  const remark = [change.words, change.at].filter(Boolean).join(", ");
  const end = remark ? `  # ${oneLine(remark)}` : "";
  const isSent = mark === "+" || mark === "~";
  return [
    ...differenceLines(difference, name || parameter, limits, isSent ? "+ " : "! ", end),
    ...notes.flatMap(({ text }) => prefixed("# ", shortened(text, LONGEST_NOTE))),
  ];
}

function differenceLines(
  difference: Difference,
  name: string,
  limits: Limits,
  come: string,
  end: string,
): string[] {
  const line = (mark: string, value: Json | undefined) =>
    `${mark}${`${name}: ${shownValue(value, limits.value)}`.trimEnd()}`;
  if (difference.kind === "text") {
    return [`  ${name}:${end}`, ...textLines(difference.segments, limits)];
  }
  if (difference.kind === "list") {
    return [`  ${name}:${end}`, ...listLines(difference.rows, limits)];
  }
  const { before, after } = difference;
  if (before === undefined) return [line(come, after) + end];
  return [line("- ", before), ...(after === undefined ? [] : [line(come, after) + end])];
}

function textLines(segments: readonly Segment[], limits: Limits): string[] {
  const shown = shortenedSegments(segments, limits.text).map(({ kind, text }) => {
    const isUnseen = kind !== "same" && /^[^\S\n]+$/.test(text);
    return { kind, text: isUnseen ? withSpacesShown(text) : text };
  });
  const [before, after] = [textWithout("added", shown), textWithout("removed", shown)];
  return [...(before ? prefixed("-   ", before) : []), ...(after ? prefixed("+   ", after) : [])];
}

function listLines(rows: Extract<Difference, { kind: "list" }>["rows"], limits: Limits): string[] {
  return firstRows(rows, limits.entries).flatMap((row) => {
    if (row.kind === "rest") return [`    ${row.text}`];
    if (row.kind !== "changed") {
      return [`${row.kind === "added" ? "+" : "-"}   ${shownValue(row.value, limits.value)}`];
    }
    return row.parts
      .slice(0, limits.entries)
      .flatMap((part) =>
        differenceLines(differenceBetween(part), `  ${part.name}`, limits, "+ ", ""),
      );
  });
}

function prefixed(prefix: string, text: string): string[] {
  return flow([{ text, paint: plainly }], WIDTH).map((line) =>
    `${prefix}${painted(line)}`.trimEnd(),
  );
}
