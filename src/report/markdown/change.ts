// Changes → lines of a diff block: what was in red, what is in green, what only concerns the state marked with !.
import type { Json } from "../../json.js";
import { counted, oneLine, shortened } from "../../text.js";
import { neighbours, type ChangeReport } from "../model/change.js";
import {
  differenceBetween,
  firstRows,
  shortenedSegments,
  shownValue,
  withSpacesShown,
  type Difference,
} from "../model/difference.js";
import type { Segment } from "../model/diff.js";
import { flow, painted, plainly } from "../text/flow.js";

/** How much is shown of what. */
export interface Limits {
  readonly text: number;
  readonly value: number;
  readonly entries: number;
  readonly changes: number;
}

const WIDTH = 100;
const LONGEST_NOTE = 400;

/** Under the name of their parameter. */
export function diffLines(changes: readonly ChangeReport[], limits: Limits): string[] {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  const groups = neighbours(shown, ({ name, parameter }) => (name ? parameter : ""));
  return [
    ...groups.flatMap(([parameter, held]) => [
      ...(parameter ? [`@@ ${parameter} @@`] : []),
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
  switch (difference.kind) {
    case "value": {
      const { before, after } = difference;
      const isGone = before !== undefined && after === undefined;
      return [
        ...(before === undefined ? [] : [line("- ", before)]),
        ...(isGone ? [] : [line(come, after) + end]),
      ];
    }
    case "text":
      return [`  ${name}:${end}`, ...textLines(difference.segments, limits)];
    case "list":
      return [`  ${name}:${end}`, ...listLines(difference.rows, limits)];
    default:
      throw difference satisfies never;
  }
}

function textLines(segments: readonly Segment[], limits: Limits): string[] {
  const shown = shortenedSegments(segments, limits.text);
  const without = (kind: Segment["kind"]) =>
    shown
      .filter((each) => each.kind !== kind)
      .map(({ kind, text }) =>
        kind !== "same" && /^[^\S\n]+$/.test(text) ? withSpacesShown(text) : text,
      )
      .join("");
  const [before, after] = [without("added"), without("removed")];
  return [...(before ? prefixed("-   ", before) : []), ...(after ? prefixed("+   ", after) : [])];
}

function listLines(rows: Extract<Difference, { kind: "list" }>["rows"], limits: Limits): string[] {
  return firstRows(rows, limits.entries).flatMap((row) => {
    switch (row.kind) {
      case "rest":
        return [`    ${row.text}`];
      case "added":
        return [`+   ${shownValue(row.value, limits.value)}`];
      case "removed":
        return [`-   ${shownValue(row.value, limits.value)}`];
      case "changed":
        return row.parts
          .slice(0, limits.entries)
          .flatMap((part) =>
            differenceLines(differenceBetween(part), `  ${part.name}`, limits, "+ ", ""),
          );
      default:
        throw row satisfies never;
    }
  });
}

function prefixed(prefix: string, text: string): string[] {
  return flow([{ text, paint: plainly }], WIDTH).map((line) =>
    `${prefix}${painted(line)}`.trimEnd(),
  );
}
