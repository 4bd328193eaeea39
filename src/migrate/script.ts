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
export function lineText(script: Script, line: number): string {
  return script.text.slice(script.lineStarts[line - 1] ?? 0, endOfLine(script, line));
}

/** Part of a line, the one that an excerpt shows. */
export interface LinePart {
  readonly start: number;
  readonly text: string;
  readonly lineStart: number;
}

/** `show` hides what is secret in a part of a line and leaves its length: what a mark hides more of is zero bytes behind it. */
export function placeOf(stretch: Stretch, show: (part: LinePart) => string): Place {
  const { script, start, end } = stretch;
  const line = lineOf(stretch);
  const endLine = lineOf({ ...stretch, start: Math.max(start, end) });
  const lineStart = script.lineStarts[line - 1] ?? 0;
  const lineEnd = endOfLine(script, line);
  // A line may be as long as the file: no more of it is looked at than is shown.
  const first = Math.max(lineStart, Math.min(start - 40, lineEnd - LONGEST_EXCERPT));
  const text = script.text.slice(first, Math.min(lineEnd, first + LONGEST_EXCERPT));
  const shown = show({ start: first, text, lineStart }).replace(/^\0/, "…");
  const last = endLine === line ? Math.max(start, end) : lineEnd;
  const from = seenBefore(shown, start - first);
  const to = seenBefore(shown, last - first);
  return {
    file: script.file,
    line,
    column: start - lineStart + 1,
    endLine,
    endColumn: Math.max(start, end) - (script.lineStarts[endLine - 1] ?? 0) + 1,
    excerpt: { text: shown.replaceAll("\0", ""), from, to: Math.max(from, to) },
  };
}

/** How many characters are seen before an offset; one within what a mark hides is at the mark. */
function seenBefore(shown: string, offset: number): number {
  const seen = shown.slice(0, offset).replaceAll("\0", "").length;
  return shown.charAt(offset) === "\0" ? Math.max(0, seen - 1) : seen;
}

/** Without what ends it. */
function endOfLine({ lineStarts, text }: Script, line: number): number {
  const lineStart = lineStarts[line - 1] ?? 0;
  let end = lineStarts[line] ?? text.length;
  while (end > lineStart && /[\r\n\u2028\u2029]/.test(text.charAt(end - 1))) end--;
  return end;
}
