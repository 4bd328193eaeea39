// Prints changes for a terminal: mark, name, both values, place, and the differences inside a value.
import { oneLine } from "../lib/text.js";
import type { ChangeEntry, NoteEntry } from "./change-entry.js";
import { neighbours, type Segment } from "./diff.js";
import { withSpacesShown, type Difference, type Mark, type Row } from "./difference.js";
import type { Styles } from "./styles.js";
import {
  flow,
  plainly,
  sentenceLines,
  styled,
  widthOf,
  widthOfPieces,
  type Piece,
} from "./text-layout.js";

const LONGEST_NAME = 44;

const ARROW = " → ";

/** What a column of values leaves to the place beside it. */
const ROOM_FOR_PLACE = 20;

/** Aligned within a parameter; settings that are parameters themselves stand together. */
export function changesLines(changes: readonly ChangeEntry[], styles: Styles): string[] {
  const groups = neighbours(changes, ({ name, parameter }) => (name ? parameter : ""));
  return groups.flatMap(([parameter, own]) => {
    const indent = parameter ? "    " : "  ";
    const names = own.map((change) => widthOf(nameOf(change)));
    const nameWidth = Math.max(0, ...names.filter((width) => width <= LONGEST_NAME));
    const room = styles.width - indent.length - nameWidth - 4 - ROOM_FOR_PLACE;
    const values = own.map((change) => widthOfPieces(valuePieces(change, styles)));
    const valueWidth = Math.max(0, ...values.filter((width) => width <= room));
    return [
      ...(parameter ? [`  ${parameter}`] : []),
      ...own.flatMap((change) => changeLines(change, indent, { nameWidth, valueWidth }, styles)),
    ];
  });
}

function nameOf({ name, parameter }: ChangeEntry): string {
  return name || parameter;
}

interface Columns {
  readonly nameWidth: number;
  readonly valueWidth: number;
}

/** The value and the place stand beside the name where they fit, else below it. */
function changeLines(
  change: ChangeEntry,
  indent: string,
  { nameWidth, valueWidth }: Columns,
  styles: Styles,
): string[] {
  const { mark, at, notes, difference } = change;
  const name = nameOf(change);
  const place = oneLine(at);
  const value = valuePieces(change, styles);
  const below = `${indent}    `;
  const nameEnd = indent.length + 2 + widthOf(name);
  const valueAt = Math.max(nameEnd, indent.length + 2 + nameWidth) + 2;
  const valueEnd = valueAt + widthOfPieces(value);
  const widest = Math.max(valueAt + valueWidth, valueEnd);
  const placeAt = widest > valueAt ? widest + 2 : valueAt;
  const isBeside = valueEnd <= styles.width;
  const isPlaceBeside = isBeside && placeAt + widthOf(place) <= styles.width;
  const first = [
    `${indent}${styleOf(mark, styles)(mark)} ${styles.bold(name)}`,
    isBeside ? " ".repeat(valueAt - nameEnd) + styled(value) : "",
    isPlaceBeside ? " ".repeat(placeAt - valueEnd) + styles.dim(place) : "",
  ];
  const room = styles.width - below.length;
  return [
    first.join("").trimEnd(),
    ...(isBeside ? [] : valueLines(value, room).map((pieces) => below + styled(pieces))),
    ...(isPlaceBeside || place === "" ? [] : [below + styles.dim(place)]),
    ...differenceLines(difference, styles, room).map((line) => below + line),
    ...noteLines(notes, below, styles),
  ];
}

/** On one line where they fit, else before and after below each other. */
function valueLines(value: readonly Piece[], width: number): (readonly Piece[])[] {
  const arrow = value.findIndex(({ text }) => text === ARROW);
  if (arrow < 0 || widthOfPieces(value) <= width) return flow(value, width);
  const after = [{ text: "→ ", style: plainly }, ...value.slice(arrow + 1)];
  return [...flow(value.slice(0, arrow), width), ...flow(after, width)];
}

/** The values, then the words on them. */
function valuePieces({ difference, words }: ChangeEntry, { dim }: Styles): Piece[] {
  const value = differencePieces(difference, dim);
  if (words === "") return value;
  return [
    ...value,
    ...(value.length > 0 ? [{ text: "  ", style: plainly }] : []),
    { text: words, style: dim },
  ];
}

function differencePieces(difference: Difference, quiet: Piece["style"]): Piece[] {
  if (difference.kind === "list") return [{ text: difference.size, style: quiet }];
  if (difference.kind === "text") return [];
  const [before = [], after = []] = [difference.before, difference.after].map((text) =>
    text === undefined ? [] : [{ text, style: plainly }],
  );
  if (before.length === 0 || after.length === 0) return [...before, ...after];
  return [...before, { text: ARROW, style: quiet }, ...after];
}

function styleOf(mark: Mark, styles: Styles): Piece["style"] {
  return { "+": styles.green, "~": styles.yellow, "-": styles.red, "=": styles.cyan }[mark];
}

export function noteLines(notes: readonly NoteEntry[], indent: string, styles: Styles): string[] {
  return notes.flatMap(({ text, isUnexpected }) =>
    sentenceLines(text, isUnexpected ? styles.yellow : styles.dim, indent, styles),
  );
}

function differenceLines(difference: Difference, styles: Styles, width: number): string[] {
  if (difference.kind === "value") return [];
  if (difference.kind === "text") return textLines(difference.segments, styles, width);
  return difference.rows.flatMap((row) => rowLines(row, styles, width));
}

/** A bar before every line, so that no text can pass for a line of the report. */
function textLines(segments: readonly Segment[], styles: Styles, width: number): string[] {
  const pieces = segments.map(({ kind, text }): Piece => {
    const isWhole = segments.length === 1 && kind === "added";
    if (isWhole || kind === "same") return { text, style: plainly };
    return markedPiece(kind, withSpacesShown(text), styles);
  });
  return flow(pieces, width - 2).map((line) => `${styles.dim("│")} ${styled(line)}`.trimEnd());
}

/** Colour marks the words where there is any, else brackets do. */
function markedPiece(kind: "removed" | "added", text: string, styles: Styles): Piece {
  const [open, close, style] =
    kind === "removed"
      ? (["[-", "-]", styles.red] as const)
      : (["{+", "+}", styles.green] as const);
  return { text: styles.isColoured ? text : `${open}${text}${close}`, style };
}

function rowLines(row: Row, styles: Styles, width: number): string[] {
  if (row.kind === "rest") return [styles.dim(`  ${row.text}`)];
  if (row.kind !== "changed") {
    return markedLines(row.kind === "added" ? "+" : "-", row.value, styles, width);
  }
  const { mark, name, difference } = row;
  const value = differencePieces(difference, plainly);
  return [
    ...markedLines(mark, [name, styled(value)].filter(Boolean).join("  "), styles, width),
    ...differenceLines(difference, styles, width - 4).map((line) => `    ${line}`),
  ];
}

/** The mark, and the text indented beside it. */
function markedLines(mark: Mark, text: string, styles: Styles, width: number): string[] {
  return flow([{ text, style: plainly }], width - 2).map((line, at) =>
    `${at === 0 ? styleOf(mark, styles)(mark) : " "} ${styled(line)}`.trimEnd(),
  );
}
