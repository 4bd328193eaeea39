// Changes → lines for a terminal: mark, name, before → after, where it stands, and below it what differs inside.
import type { ChangeReport } from "../../model/change.js";
import { neighbours } from "../../model/diff.js";
import { shownValue, type Difference } from "../../model/difference.js";
import { oneLine } from "../../../lib/text.js";
import { differenceLines, noteLines, paintOf, type Looks } from "./difference.js";
import { flow, painted, plainly, widthOfPieces, type Piece } from "../flow.js";
import { widthOf } from "../width.js";

type Row = ReturnType<typeof rowOf>;
type Columns = ReturnType<typeof columnsOf>;

const LONGEST_NAME = 44;
const LONGEST_VALUE = 400;

const ARROW = " → ";
const BETWEEN = "  ";

/** What a column of values leaves to the place beside it. */
const ROOM_FOR_PLACE = 20;

/** Aligned within a parameter; settings that are parameters themselves stand together. */
export function changesLines(changes: readonly ChangeReport[], looks: Looks): string[] {
  const groups = neighbours(changes, ({ name, parameter }) => (name ? parameter : ""));
  return groups.flatMap(([parameter, held]) => {
    const rows = held.map((change) => rowOf(change, looks));
    const columns = columnsOf(rows, looks);
    return [
      ...(parameter ? [`  ${parameter}`] : []),
      ...rows.flatMap((row) => changeLines(row, columns, looks)),
    ];
  });
}

/** What stands in the columns of a change's first line. */
function rowOf(change: ChangeReport, { paint }: Looks) {
  const { parameter, name, difference, words } = change;
  return {
    change,
    // Deeper below the name of a parameter than where the parameter is the setting.
    indent: name ? "    " : "  ",
    name: name || parameter,
    value: valuePieces(difference, paint.dim),
    words: { text: words, paint: paint.dim },
    difference,
  };
}

function columnsOf(rows: readonly Row[], { width }: Looks) {
  const names = rows.map(({ indent, name }) => indent.length + widthOf(name));
  const name = Math.max(0, ...names.filter((each) => each <= LONGEST_NAME));
  const room = width - name - 4 - ROOM_FOR_PLACE;
  const spoken = rows.filter(({ value, words }) => value.length > 0 && words.text !== "");
  const longest = Math.max(0, ...spoken.map(({ words }) => widthOf(words.text))) + BETWEEN.length;
  const widths = spoken.map(({ value }) => widthOfPieces(value));
  // As wide as the values that have words beside them, so that the words stand below each other.
  const said = Math.max(0, ...widths.filter((each) => each + longest <= room));
  const values = rows.map((row) => widthOfPieces(together(row, said)));
  return { name, said, value: Math.max(0, ...values.filter((each) => each <= room)) };
}

function changeLines(row: Row, columns: Columns, looks: Looks): string[] {
  const { indent, name, difference } = row;
  const { mark, at, notes } = row.change;
  const { paint, width } = looks;
  const nameWidth = Math.max(columns.name - indent.length, widthOf(name));
  const left = `${indent}${paintOf(mark, paint)(mark)} ${paint.bold(name)}${" ".repeat(nameWidth - widthOf(name))}  `;
  const leftWidth = indent.length + 2 + nameWidth + 2;
  const below = `${indent}    `;
  const beside = valueLines(row, columns, width - leftWidth);
  // A long name on a narrow terminal leaves no room for a whole word.
  const fits = beside.every((pieces) => widthOfPieces(pieces) <= width - leftWidth);
  const [first = [], ...more] = fits
    ? beside
    : [[], ...valueLines(row, columns, width - below.length)];
  const firstWidth = widthOfPieces(first);
  const valueWidth = Math.max(columns.value, firstWidth);
  const place = oneLine(at);
  const isBeside = fits && leftWidth + valueWidth + 2 + widthOf(place) <= width;
  const space = " ".repeat(valueWidth > 0 ? valueWidth - firstWidth + 2 : 0);
  return [
    `${left}${painted(first)}${isBeside && place ? `${space}${paint.dim(place)}` : ""}`.trimEnd(),
    ...more.map((pieces) => `${fits ? " ".repeat(leftWidth) : below}${painted(pieces)}`),
    ...(isBeside || !place ? [] : [`${below}${paint.dim(place)}`]),
    ...differenceLines(difference, looks, width - below.length).map((line) => below + line),
    ...noteLines(notes, below, looks),
  ];
}

/** On one line where it fits; else before, after and words below each other. */
function valueLines(row: Row, columns: Columns, width: number): (readonly Piece[])[] {
  const { value, words } = row;
  const line = together(row, columns.said);
  if (widthOfPieces(line) <= width) return [line];
  const arrow = value.findIndex(({ text }) => text === ARROW);
  const after = [{ text: "→ ", paint: plainly }, ...value.slice(arrow + 1)];
  const parts = arrow < 0 ? [value] : [value.slice(0, arrow), after];
  return [...parts.flatMap((part) => flow(part, width)), ...(words.text ? [[words]] : [])];
}

function together({ value, words }: Row, said: number): Piece[] {
  if (value.length === 0 || words.text === "") return [...value, words];
  const left = " ".repeat(Math.max(0, said - widthOfPieces(value)));
  return [...value, { text: left + BETWEEN, paint: plainly }, words];
}

function valuePieces(difference: Difference, quiet: Piece["paint"]): Piece[] {
  if (difference.kind === "list") return [{ text: difference.size, paint: quiet }];
  if (difference.kind === "text") return [];
  const [before = [], after = []] = [difference.before, difference.after].map((value) =>
    value === undefined ? [] : [{ text: shownValue(value, LONGEST_VALUE), paint: plainly }],
  );
  return before.length === 0 ? after : [...before, { text: ARROW, paint: quiet }, ...after];
}
