// What differs inside a long text or a list → lines for a terminal, in colour or with marks around the words.
import type { Json } from "../../../lib/json.js";
import type { NoteReport } from "../../model/change.js";
import {
  differenceBetween,
  firstRows,
  shortenedSegments,
  shownValue,
  withSpacesShown,
  type ChangedPart,
  type Difference,
  type Mark,
} from "../../model/difference.js";
import type { Segment } from "../../model/diff.js";
import { flow, painted, plainly, said, type Piece } from "../flow.js";
import type { Paint } from "../paint.js";

export interface Looks {
  readonly paint: Paint;
  readonly width: number;
  /** Whether nothing is shortened. */
  readonly isFull: boolean;
}

const MOST_ENTRIES = 40;
const LONGEST_TEXT = 4_000;
const LONGEST_ENTRY = 400;

export function paintOf(mark: Mark, paint: Paint): (text: string) => string {
  return { "+": paint.green, "~": paint.yellow, "-": paint.red, "=": paint.cyan }[mark];
}

/** Those that nobody may have meant stand out. */
export function noteLines(notes: readonly NoteReport[], indent: string, looks: Looks): string[] {
  const { paint } = looks;
  return notes.flatMap(({ text, isUnmeant }) =>
    said(text, isUnmeant ? paint.yellow : paint.dim, indent, looks),
  );
}

export function differenceLines(difference: Difference, looks: Looks, width: number): string[] {
  if (difference.kind === "value") return [];
  if (difference.kind === "text") return textLines(difference.segments, looks, width);
  const rows = firstRows(difference.rows, looks.isFull ? Infinity : MOST_ENTRIES);
  return rows.flatMap((row) => {
    if (row.kind === "rest") return [looks.paint.dim(`  ${row.text}`)];
    if (row.kind === "changed") return row.parts.flatMap((part) => partLines(part, looks, width));
    return hung(row.kind === "added" ? "+" : "-", shownEntry(row.value, looks), looks, width);
  });
}

/** The bar stands before every line, so that no text can pass for a line of the report. */
function textLines(segments: readonly Segment[], { paint, isFull }: Looks, width: number) {
  const shown = isFull ? segments : shortenedSegments(segments, LONGEST_TEXT);
  const pieces = shown.map(({ kind, text }): Piece => {
    if (segments.length === 1 || kind === "same") return { text, paint: plainly };
    return marked(kind, withSpacesShown(text), paint);
  });
  return flow(pieces, width - 2).map((line) => `${paint.dim("│")} ${painted(line)}`.trimEnd());
}

/** Colour marks the words where there is any, else brackets do. */
function marked(kind: "removed" | "added", text: string, paint: Paint): Piece {
  const isColoured = paint.red("x") !== "x";
  const [open, close, colour] =
    kind === "removed" ? (["[-", "-]", paint.red] as const) : (["{+", "+}", paint.green] as const);
  return { text: isColoured ? text : `${open}${text}${close}`, paint: colour };
}

function partLines(part: ChangedPart, looks: Looks, width: number): string[] {
  const { mark, name, before, after } = part;
  const difference = differenceBetween(part);
  const values = difference.kind === "value" ? [before, after] : [];
  const shown = values.flatMap((each) => (each === undefined ? [] : [shownEntry(each, looks)]));
  const value = difference.kind === "list" ? difference.size : shown.join(" → ");
  return [
    ...hung(mark, value ? `${name}  ${value}` : name, looks, width),
    ...differenceLines(difference, looks, width - 4).map((line) => `    ${line}`),
  ];
}

/** The mark, and the text indented beside it. */
function hung(mark: Mark, text: string, { paint }: Looks, width: number): string[] {
  return flow([{ text, paint: plainly }], width - 2).map((line, at) =>
    `${at === 0 ? paintOf(mark, paint)(mark) : " "} ${painted(line)}`.trimEnd(),
  );
}

function shownEntry(value: Json, looks: Looks): string {
  return shownValue(value, looks.isFull ? Infinity : LONGEST_ENTRY);
}
