// A change → its lines for a terminal: mark, name, before → after, where it stands, and below it what differs inside.
import type { Change } from "../../plan/diff.js";
import {
  differenceOf,
  markOf,
  shownValue,
  splitPath,
  wordsOf,
  type Difference,
} from "../model/change.js";
import { differenceLines, paintOf, plainly, sizeText, type Looks } from "./difference.js";
import { flow, painted, widthOfPieces, type Piece } from "./flow.js";
import { widthOf } from "./paint.js";
import { oneLine } from "../../text.js";

/** What stands in the columns of a change's first line. */
export interface Row {
  readonly change: Change;
  readonly difference: Difference;
  /** Deeper below the name of a parameter than where the parameter is the setting. */
  readonly indent: string;
  readonly name: string;
  readonly value: readonly Piece[];
  readonly words: Piece;
}

export interface Columns {
  readonly name: number;
  /** As wide as the values that have words beside them, so that the words stand below each other. */
  readonly said: number;
  readonly value: number;
}

const LONGEST_NAME = 44;
const LONGEST_VALUE = 400;

const ARROW = " → ";
const BETWEEN = "  ";

/** What a column of values leaves to the place beside it. */
const ROOM_FOR_PLACE = 20;

export function rowOf(change: Change, looks: Looks): Row {
  const [parameter, rest] = splitPath(change.path);
  const difference = differenceOf(change);
  return {
    change,
    difference,
    indent: rest ? "    " : "  ",
    name: rest || parameter,
    value: valuePieces(difference, looks),
    words: { text: wordsOf(change, looks.isDone), paint: looks.paint.dim },
  };
}

export function columnsOf(rows: readonly Row[], { width }: Looks): Columns {
  const names = rows.map(({ indent, name }) => indent.length + widthOf(name));
  const name = Math.max(0, ...names.filter((each) => each <= LONGEST_NAME));
  const room = width - name - 4 - ROOM_FOR_PLACE;
  const spoken = rows.filter(({ value, words }) => value.length > 0 && words.text !== "");
  const longest = Math.max(0, ...spoken.map(({ words }) => widthOf(words.text))) + BETWEEN.length;
  const widths = spoken.map(({ value }) => widthOfPieces(value));
  const said = Math.max(0, ...widths.filter((each) => each + longest <= room));
  const values = rows.map((row) => widthOfPieces(together(row, said)));
  return { name, said, value: Math.max(0, ...values.filter((each) => each <= room)) };
}

export function changeLines(row: Row, columns: Columns, looks: Looks): string[] {
  const { change, difference, indent, name } = row;
  const { paint, width } = looks;
  const mark = markOf(change);
  const nameWidth = Math.max(columns.name - indent.length, widthOf(name));
  const left = `${indent}${paintOf(mark, paint)(mark)} ${paint.bold(name)}${" ".repeat(nameWidth - widthOf(name))}  `;
  const leftWidth = indent.length + 2 + nameWidth + 2;
  const [first = [], ...more] = valueLines(row, columns, width - leftWidth);
  const valueWidth = Math.max(columns.value, widthOfPieces(first));
  const place = change.place ? oneLine(`${change.place.file}:${change.place.line}`) : "";
  const isBeside = leftWidth + valueWidth + 2 + widthOf(place) <= width;
  const space = " ".repeat(valueWidth > 0 ? valueWidth - widthOfPieces(first) + 2 : 0);
  const below = `${indent}    `;
  return [
    `${left}${painted(first)}${isBeside && place ? `${space}${paint.dim(place)}` : ""}`.trimEnd(),
    ...more.map((pieces) => `${" ".repeat(leftWidth)}${painted(pieces)}`),
    ...(isBeside || !place ? [] : [`${below}${paint.dim(place)}`]),
    ...differenceLines(difference, looks, width - below.length).map((line) => below + line),
  ];
}

/** On one line where it fits; else before, after and words below each other. */
function valueLines(row: Row, columns: Columns, width: number): (readonly Piece[])[] {
  const { value, words } = row;
  const line = together(row, columns.said);
  if (widthOfPieces(line) <= width) return [line];
  const said = words.text ? [[words]] : [];
  const arrow = value.findIndex(({ text }) => text === ARROW);
  if (arrow < 0) return [...flow(value, width), ...said];
  const after = [{ text: "→ ", paint: plainly }, ...value.slice(arrow + 1)];
  return [...flow(value.slice(0, arrow), width), ...flow(after, width), ...said];
}

function together({ value, words }: Row, said: number): Piece[] {
  if (value.length === 0 || words.text === "") return [...value, words];
  const left = " ".repeat(Math.max(0, said - widthOfPieces(value)));
  return [...value, { text: left + BETWEEN, paint: plainly }, words];
}

function valuePieces(difference: Difference, { paint }: Looks): Piece[] {
  if (difference.kind !== "value") {
    const size = sizeText(difference);
    return size ? [{ text: size, paint: paint.dim }] : [];
  }
  const { before, after } = difference;
  const now =
    after === undefined ? [] : [{ text: shownValue(after, LONGEST_VALUE), paint: plainly }];
  if (before === undefined) return now;
  return [
    { text: shownValue(before, LONGEST_VALUE), paint: plainly },
    { text: ARROW, paint: paint.dim },
    ...now,
  ];
}
