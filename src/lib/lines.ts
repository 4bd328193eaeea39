// Finds the line, the column and the excerpt of an offset in a file's text.
import type { Place } from "../diagnostic.js";

export interface Lines {
  /** As people name it: relative to where they stand. */
  readonly file: string;
  readonly text: string;
  /** The offset at which each line begins. */
  readonly lineStarts: readonly number[];
}

const LONGEST_EXCERPT = 120;

/** From 1. */
export function lineOf({ lineStarts }: Lines, offset: number): number {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Where the line ends, without looking for it: a line of a million problems would be searched as often. */
function endOfLine({ text, lineStarts }: Lines, line: number): number {
  const lineStart = lineStarts[line - 1] ?? 0;
  let end = lineStarts[line] ?? text.length;
  while (end > lineStart && /[\r\n\u2028\u2029]/.test(text.charAt(end - 1))) end--;
  return end;
}

/** The line without its end. */
export function lineText(lines: Lines, line: number): string {
  return lines.text.slice(lines.lineStarts[line - 1] ?? 0, endOfLine(lines, line));
}

/** `show` hides what is secret in a part of a line, and keeps its length. */
export function placeIn(
  lines: Lines,
  { start, end }: { readonly start: number; readonly end: number },
  show: (from: number, to: number, lineStart: number) => string,
): Place {
  const from = Math.min(start, lines.text.length);
  const to = Math.min(Math.max(end, from), lines.text.length);
  const [line, endLine] = [lineOf(lines, from), lineOf(lines, to)];
  const lineStart = lines.lineStarts[line - 1] ?? 0;
  const lineEnd = endOfLine(lines, line);
  // A window of a very long line, so that one problem prints one line of a terminal.
  const first = Math.max(lineStart, Math.min(from - 40, lineEnd - LONGEST_EXCERPT));
  const last = Math.min(lineEnd, first + LONGEST_EXCERPT);
  return {
    file: lines.file,
    line,
    column: from - lineStart + 1,
    endLine,
    endColumn: to - (lines.lineStarts[endLine - 1] ?? 0) + 1,
    excerpt: {
      text: show(first, last, lineStart),
      from: from - first,
      to: Math.max(Math.min(to, last) - first, from - first),
    },
  };
}
