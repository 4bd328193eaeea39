// Noun of this room: a configuration file as text, and stretches of it; a stretch → the place that people are told.
import type { Place } from "../diagnostic.js";

export interface Script {
  /** As people name it. */
  readonly file: string;
  readonly text: string;
  /** The offset at which each line begins. */
  readonly lineStarts: readonly number[];
}

/** By offsets; the end is the first that is not meant. */
export interface Stretch {
  readonly script: Script;
  readonly start: number;
  readonly end: number;
}

const LONGEST_EXCERPT = 120;

export function scriptOf(file: string, text: string): Script {
  const lineStarts = [0];
  // JavaScript ends lines with these, and so do most editors.
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    lineStarts.push(index + end.length);
  }
  return { file, text, lineStarts };
}

/** From 1. */
export function lineOf({ script, start }: Stretch): number {
  const { lineStarts } = script;
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** The line without its end. */
export function lineText({ lineStarts, text }: Script, line: number): string {
  const end = lineStarts[line] ?? text.length;
  return text.slice(lineStarts[line - 1] ?? 0, end).replace(/[\r\n\u2028\u2029]+$/, "");
}

/** What is looked at of a line; only files made by machines, or to do harm, have longer ones. */
const LONGEST_LINE = 100_000;

/** Part of a line: where it begins, and whether that is the beginning of the line. */
export interface LinePart {
  readonly start: number;
  readonly text: string;
  readonly isFromStart: boolean;
}

/** `show` makes unreadable what is secret in a line, and leaves its length. */
export function placeOf(stretch: Stretch, show: (part: LinePart) => string): Place {
  const { script, start, end } = stretch;
  const line = lineOf(stretch);
  const endLine = lineOf({ ...stretch, start: Math.max(start, end) });
  const lineStart = script.lineStarts[line - 1] ?? 0;
  const whole = lineText(script, line);
  const isLong = whole.length > LONGEST_LINE;
  const cut = isLong ? Math.max(0, start - lineStart - LONGEST_EXCERPT) : 0;
  const text = isLong ? whole.slice(cut, cut + 3 * LONGEST_EXCERPT) : whole;
  const column = start - lineStart - cut;
  const windowStart = Math.max(0, Math.min(column - 40, text.length - LONGEST_EXCERPT));
  const shown = show({ start: lineStart + cut, text, isFromStart: cut === 0 }).slice(
    windowStart,
    windowStart + LONGEST_EXCERPT,
  );
  const from = Math.min(column - windowStart, shown.length);
  const to = endLine === line ? column + (end - start) - windowStart : shown.length;
  return {
    file: script.file,
    line,
    column: start - lineStart + 1,
    endLine,
    endColumn: Math.max(start, end) - (script.lineStarts[endLine - 1] ?? 0) + 1,
    excerpt: { text: shown, from, to: Math.max(from, Math.min(to, shown.length)) },
  };
}
