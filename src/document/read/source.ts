// A file's text and the places in it: offset → line, column and an excerpt for people.
import type { Place } from "../../diagnostic.js";
import type { Spot } from "../../settings.js";
import { hideSecrets } from "./hiding.js";

export interface Source {
  /** As people name it: relative to where they stand. */
  readonly file: string;
  /** Where it lies, links resolved; undefined for standard input. */
  readonly path: string | undefined;
  readonly text: string;
  /** The offset at which each line begins. */
  readonly lineStarts: readonly number[];
  /** The entry of `extends` that brought the file in. */
  readonly extendedAt?: Span;
}

/** A stretch of a source, by offsets; the end is the first that is not meant. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

const LONGEST_EXCERPT = 120;

export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** A place without its excerpt, which takes long to make: whether it holds a secret shows many lines above. */
export function spotOf({ source, start }: Span): Spot {
  const from = Math.min(start, source.text.length);
  const line = lineAt(source, from);
  return { file: source.file, line: line + 1, column: from - (source.lineStarts[line] ?? 0) + 1 };
}

export function placeOf(span: Span): Place {
  const { source, start, end } = span;
  const { text } = source;
  const from = Math.min(start, text.length);
  const to = Math.min(Math.max(end, from), text.length);
  const spot = spotOf(span);
  const last = spotOf({ source, start: to, end: to });
  const lineStart = from - spot.column + 1;
  const lineEnd = endOfLine(source, spot.line - 1);
  // A window of a very long line, so that one problem prints one line of a terminal.
  const windowStart = Math.max(lineStart, Math.min(from - 40, lineEnd - LONGEST_EXCERPT));
  const windowEnd = Math.min(lineEnd, windowStart + LONGEST_EXCERPT);
  return {
    ...spot,
    endLine: last.line,
    endColumn: last.column,
    excerpt: {
      text: hideSecrets(text, lineStart, windowStart, windowEnd),
      from: from - windowStart,
      to: Math.max(Math.min(to, windowEnd) - windowStart, from - windowStart),
    },
  };
}

function lineAt({ lineStarts }: Source, offset: number): number {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without looking for it: a line of a million problems would be searched as often. */
function endOfLine({ text, lineStarts }: Source, line: number): number {
  const next = lineStarts[line + 1];
  const end = next === undefined ? text.length : next - 1;
  return end > (lineStarts[line] ?? 0) && text[end - 1] === "\r" ? end - 1 : end;
}
