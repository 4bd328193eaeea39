// Lays out text for a terminal: wrapped lines, hanging indents, columns and tables, measured in terminal columns.
import { eastAsianWidth } from "get-east-asian-width";
import { isPlain, oneLine, visible } from "../lib/text.js";
import type { Styles } from "./styles.js";

type Style = (text: string) => string;

export interface Piece {
  readonly text: string;
  readonly style: Style;
}

export function plainly(text: string): string {
  return text;
}

/** A long name may leave less room than this. */
const NARROWEST = 20;

/** Wraps pieces to lines. Line ends begin a line; all other control characters are made visible. */
export function flow(pieces: readonly Piece[], room: number): (readonly Piece[])[] {
  const width = Math.max(room, NARROWEST);
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= width && pieces.every(({ text }) => isPlain(text))) return [pieces];
  let [line, used]: [Piece[], number] = [[], 0];
  const lines = [line];
  const begin = () => {
    [line, used] = [[], 0];
    lines.push(line);
  };
  for (const word of wordsOf(pieces)) {
    if (word.kind === "line end") begin();
    else {
      for (const part of word.width > width ? partsOf(word) : [word]) {
        if (used > 0 && used + part.width > width) {
          if (/^\s+$/.test(line.at(-1)?.text ?? "")) line.pop();
          begin();
          if (part.kind === "space") continue;
        }
        line.push(...part.pieces);
        used += part.width;
      }
    }
  }
  return lines;
}

interface Word {
  readonly kind: "word" | "space" | "line end";
  readonly pieces: Piece[];
  width: number;
}

/** A word may consist of several pieces, as where a change ends in its middle. */
function wordsOf(pieces: readonly Piece[]): Word[] {
  const words: Word[] = [];
  for (const { text, style } of pieces) {
    for (const found of text.match(/\n|[^\S\n]+|\S+/gu) ?? []) {
      const kind = found === "\n" ? "line end" : /^\s/.test(found) ? "space" : "word";
      const piece = { text: oneLine(found), style };
      const width = widthOf(piece.text);
      const last = words.at(-1);
      if (kind === "word" && last?.kind === "word") {
        last.pieces.push(piece);
        last.width += width;
      } else words.push({ kind, pieces: [piece], width });
    }
  }
  return words;
}

const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{Emoji_Presentation}]/u;

/** Scripts without spaces break between letters; every other word stays whole, so that it can be copied. */
function partsOf(word: Word): Word[] {
  if (!word.pieces.some(({ text }) => SPACELESS.test(text))) return [word];
  return word.pieces.flatMap(({ text, style }) =>
    [...new Intl.Segmenter().segment(text)].map(({ segment }): Word => ({
      kind: "word",
      pieces: [{ text: segment, style }],
      width: widthOf(segment),
    })),
  );
}

/** Neighbours in one style are styled at once. */
export function styled(pieces: readonly Piece[]): string {
  const joined: { text: string; style: Style }[] = [];
  for (const { text, style } of pieces) {
    const last = joined.at(-1);
    if (last?.style === style) last.text += text;
    else joined.push({ text, style });
  }
  return joined.map(({ text, style }) => style(text)).join("");
}

/** A wrapped sentence; the lines below its first are for copying and stay as they are. */
export function sentenceLines(
  text: string,
  style: Style,
  indent: string,
  { width = Infinity }: { readonly width?: number },
): string[] {
  const [first = "", ...more] = visible(text).split("\n");
  const wrapped = flow([{ text: first, style }], width - indent.length).map(styled);
  return [...wrapped, ...more.map(style)].map((line) => indent + line);
}

export function wrap(text: string, width: number): string[] {
  return flow([{ text, style: plainly }], width).map(styled);
}

/** Too narrow for what stands beside a column. */
const NARROWEST_COLUMN = 28;

/** The left sides in one column, the right sides wrapped beside them, or below them where there is no room. */
export function inColumns(
  rows: readonly (readonly [left: string, right: string])[],
  styles: Styles,
): string[] {
  const cells = rows.map(([left, right]) => [cellOf(left), cellOf(right)]);
  return tableLines([], cells, styles);
}

export type Cell = readonly Piece[];

export function cellOf(text: string, style: Style = plainly): Cell {
  return text === "" ? [] : [{ text: oneLine(text), style }];
}

/**
 * Each column is as wide as its widest cell; the last one is wrapped. Too narrow a terminal gets the cells below each
 * other. Without a head, the columns have no names.
 */
export function tableLines(
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  styles: Styles,
  narrowest = NARROWEST_COLUMN,
): string[] {
  const bold = head.map((cell) => cell.map((piece) => ({ ...piece, style: styles.bold })));
  const all = head.length > 0 ? [bold, ...rows] : rows;
  const widths = (all[0] ?? []).map((_, column) =>
    all.reduce((most, row) => Math.max(most, widthOfPieces(row[column] ?? [])), 0),
  );
  const left = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  if (styles.width - left < narrowest) return rows.flatMap((row) => stacked(row, bold, styles));
  return all.flatMap((row) => {
    const start = row
      .slice(0, -1)
      .map((cell, at) => styled(cell) + " ".repeat((widths[at] ?? 0) + 2 - widthOfPieces(cell)))
      .join("");
    return flow(row.at(-1) ?? [], styles.width - left).map((line, at) =>
      ((at === 0 ? start : " ".repeat(left)) + styled(line)).trimEnd(),
    );
  });
}

/** The mark begins the first line; the pieces are wrapped beside it. */
export function hanging(mark: string, pieces: Cell, { width }: Pick<Styles, "width">): string[] {
  return flow(pieces, width - mark.length).map(
    (line, at) => (at === 0 ? mark : " ".repeat(mark.length)) + styled(line),
  );
}

/** Each cell below the first, with the name of its column where it has one. */
function stacked(row: readonly Cell[], head: readonly Cell[], styles: Styles): string[] {
  const [first = [], ...others] = row;
  const [indent = ""] = /^ */.exec(first[0]?.text ?? "") ?? [];
  const rest = others.flatMap((cell, at) => {
    if (cell.length === 0) return [];
    const name = head[at + 1];
    if (!name) return hanging(`${indent}    `, cell, styles);
    return hanging("  ", [...name, { text: ": ", style: plainly }, ...cell], styles);
  });
  return [...hanging("", first, styles), ...rest];
}

export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** Letters of Europe, dashes, dots, arrows and lines: one column each, and none joins with its neighbour. */
const ONE_COLUMN_EACH = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/;

/** The columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += widthOfLetter(segment);
  return width;
}

function widthOfLetter(letter: string): number {
  // Marks above or below the letter before them, and invisible characters.
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(letter)) return 0;
  // A picture on its own, or because of the selector behind it; a flag is two letters.
  const isPicture = /^\p{RI}{2}|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(letter);
  return isPicture ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}
