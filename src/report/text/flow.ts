// Pieces of text, each with its paint → lines of a width, broken between words where there are any.
import { widthOf } from "./paint.js";
import { isPlain, oneLine } from "../../text.js";

export interface Piece {
  readonly text: string;
  readonly paint: (text: string) => string;
}

export function plainly(text: string): string {
  return text;
}

interface Line {
  readonly pieces: Piece[];
  width: number;
}

/** Words longer than this are measured and broken in parts: measuring takes much memory. */
const LONGEST_WORD = 64;

/** Line ends in a text begin a line; whatever else could drive a terminal is made visible. */
export function flow(pieces: readonly Piece[], room: number): (readonly Piece[])[] {
  const width = Math.max(room, NARROWEST);
  // Most of what is told fits on its line as it is.
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= width && pieces.every(({ text }) => isPlain(text))) return [pieces];
  const lines: Line[] = [{ pieces: [], width: 0 }];
  const begin = () => lines.push({ pieces: [], width: 0 });
  for (const word of wordsOf(pieces)) {
    if (word.isLineEnd) {
      begin();
      continue;
    }
    for (const part of word.width > width ? word.pieces.flatMap(lettersOf) : [word]) {
      const line = lines.at(-1);
      const isFull = line !== undefined && line.width > 0 && line.width + part.width > width;
      if (isFull) {
        if (/^\s+$/.test(line.pieces.at(-1)?.text ?? "")) line.pieces.pop();
        begin();
      }
      if (isFull && part.isSpace) continue;
      const last = lines.at(-1);
      last?.pieces.push(...part.pieces);
      if (last) last.width += part.width;
    }
  }
  return lines.map(({ pieces }) => pieces);
}

export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** However little room a long name leaves. */
const NARROWEST = 20;

interface Word {
  readonly pieces: readonly Piece[];
  readonly width: number;
  readonly isSpace: boolean;
  readonly isLineEnd: boolean;
}

/** A word may be of several pieces, as where a change ends in its middle. */
function wordsOf(pieces: readonly Piece[]): Word[] {
  const words: { pieces: Piece[]; width: number; isSpace: boolean; isLineEnd: boolean }[] = [];
  for (const { text, paint } of pieces) {
    for (const found of text.match(/\n|[^\S\n]+|\S{1,64}/gu) ?? []) {
      const [isLineEnd, isSpace] = [found === "\n", /^[^\S\n]/.test(found)];
      const shown = isLineEnd ? "" : oneLine(found);
      const last = words.at(-1);
      const piece = { text: shown, paint };
      const isJoined = last && !isSpace && !isLineEnd && !last.isSpace && !last.isLineEnd;
      if (isJoined && last.width < LONGEST_WORD) {
        last.pieces.push(piece);
        last.width += widthOf(shown);
      } else words.push({ pieces: [piece], width: widthOf(shown), isSpace, isLineEnd });
    }
  }
  return words;
}

function lettersOf({ text, paint }: Piece): Word[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => ({
    pieces: [{ text: segment, paint }],
    width: widthOf(segment),
    isSpace: false,
    isLineEnd: false,
  }));
}

/** Neighbours in one paint are painted at once. */
export function painted(pieces: readonly Piece[]): string {
  const joined: { text: string; paint: Piece["paint"] }[] = [];
  for (const { text, paint } of pieces) {
    const last = joined.at(-1);
    if (last?.paint === paint) last.text += text;
    else joined.push({ text, paint });
  }
  return joined.map(({ text, paint }) => paint(text)).join("");
}
