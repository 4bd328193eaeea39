// Pieces of text, each with its paint → lines of a width, broken between words where there are any.
import { widthOf } from "./width.js";
import { isPlain, oneLine, visible } from "../../lib/text.js";

export interface Piece {
  readonly text: string;
  readonly paint: (text: string) => string;
}

export function plainly(text: string): string {
  return text;
}

/** However little room a long name leaves. */
const NARROWEST = 20;

/** Line ends in a text begin a line; whatever else could drive a terminal is made visible. */
export function flow(pieces: readonly Piece[], room: number): (readonly Piece[])[] {
  const width = Math.max(room, NARROWEST);
  // Most of what is told fits on its line as it is.
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

export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
}

interface Word {
  readonly kind: "word" | "space" | "line end";
  readonly pieces: Piece[];
  width: number;
}

/** A word may be of several pieces, as where a change ends in its middle. */
function wordsOf(pieces: readonly Piece[]): Word[] {
  const words: Word[] = [];
  for (const { text, paint } of pieces) {
    for (const found of text.match(/\n|[^\S\n]+|\S+/gu) ?? []) {
      const kind = found === "\n" ? "line end" : /^\s/.test(found) ? "space" : "word";
      const piece = { text: oneLine(found), paint };
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

function isSpaceless({ text }: Piece): boolean {
  return /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{Emoji_Presentation}]/u.test(
    text,
  );
}

/** Scripts that write no spaces may be broken between any two letters; every other word stays whole, so that it can be copied. */
function partsOf(word: Word): Word[] {
  return word.pieces.some(isSpaceless) ? word.pieces.flatMap(lettersOf) : [word];
}

function lettersOf({ text, paint }: Piece): Word[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => ({
    kind: "word",
    pieces: [{ text: segment, paint }],
    width: widthOf(segment),
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

/** A sentence, wrapped; the lines below its first, which are to be copied, stay as they are. */
export function said(
  text: string,
  paint: (text: string) => string,
  indent: string,
  { width = Infinity }: { readonly width?: number },
): string[] {
  const [first = "", ...more] = visible(text).split("\n");
  const wrapped = flow([{ text: first, paint }], width - indent.length).map(painted);
  return [...wrapped, ...more.map(paint)].map((line) => indent + line);
}
