// Reads the text of a file: decodes its bytes, and finds the line, the column and the excerpt of an offset.
import { isUtf8 } from "node:buffer";
import type { Place } from "../diagnostic.js";

export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Windows-1252";

export interface SourceText {
  /** The name for messages: relative to the working directory. */
  readonly file: string;
  readonly text: string;
  /** The offset of each line's start. */
  readonly lineStarts: readonly number[];
}

/** Decided by the byte order mark; without one, text that is not UTF-8 counts as Windows-1252. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  if (first === 0xfe && second === 0xff) return "UTF-16BE";
  // In UTF-16, every other byte of ASCII text is zero.
  if (first && second === 0 && third && fourth === 0) return "UTF-16LE";
  if (first === 0 && second && third === 0 && fourth) return "UTF-16BE";
  return isUtf8(bytes) ? "UTF-8" : "Windows-1252";
}

/** The byte order mark is not part of the text. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== "Windows-1252") return new TextDecoder(encoding.toLowerCase()).decode(bytes);
  const text = Buffer.from(bytes).toString("latin1");
  return text.replace(/[\x80-\x9f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80] ?? char);
}

/** Characters from 0x80 on, which Node's own decoder of Windows-1252 lacks. */
const HIGH = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** The byte order mark of UTF-8, to restore it in a changed text. */
export function markOf([first, second, third]: Uint8Array): string {
  return first === 0xef && second === 0xbb && third === 0xbf ? "\ufeff" : "";
}

export function sourceTextOf(file: string, text: string): SourceText {
  return { file, text, lineStarts: lineStartsOf(text) };
}

export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const LONGEST_EXCERPT = 120;

/** From 1. */
export function lineOf({ lineStarts }: SourceText, offset: number): number {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** The end of a line from the index: searching would be slow for a line with a million problems. */
function endOfLine({ text, lineStarts }: SourceText, line: number): number {
  const lineStart = lineStarts[line - 1] ?? 0;
  let end = lineStarts[line] ?? text.length;
  while (end > lineStart && /[\r\n]/.test(text.charAt(end - 1))) end--;
  return end;
}

/** The line without its end. */
export function lineText(source: SourceText, line: number): string {
  return source.text.slice(source.lineStarts[line - 1] ?? 0, endOfLine(source, line));
}

/** `show` hides secrets in a part of a line, and keeps its length. */
export function placeIn(
  source: SourceText,
  { start, end }: { readonly start: number; readonly end: number },
  show: (from: number, to: number, lineStart: number) => string,
): Place {
  const from = Math.min(start, source.text.length);
  const to = Math.min(Math.max(end, from), source.text.length);
  const [line, endLine] = [lineOf(source, from), lineOf(source, to)];
  const lineStart = source.lineStarts[line - 1] ?? 0;
  const lineEnd = endOfLine(source, line);
  // Cuts a very long line, so that one problem prints one line of a terminal.
  const first = Math.max(lineStart, Math.min(from - 40, lineEnd - LONGEST_EXCERPT));
  const last = Math.min(lineEnd, first + LONGEST_EXCERPT);
  return {
    file: source.file,
    line,
    column: from - lineStart + 1,
    endLine,
    endColumn: to - (source.lineStarts[endLine - 1] ?? 0) + 1,
    excerpt: {
      text: show(first, last, lineStart),
      from: from - first,
      to: Math.max(Math.min(to, last) - first, from - first),
    },
  };
}
