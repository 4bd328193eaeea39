// A file's text and the places in it: offset → line, column and an excerpt for people.
import type { Place } from "../../diagnostic.js";
import { lineOf, placeIn, type Lines } from "../../lib/lines.js";
import type { Spot } from "../../settings.js";
import { hideSecrets } from "./hiding.js";

export interface Source extends Lines {
  /** Where it lies, links resolved; undefined for standard input. */
  readonly path: string | undefined;
  /** The entry of `extends` that brought the file in. */
  readonly extendedAt?: Span;
}

/** A stretch of a source, by offsets; the end is the first that is not meant. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** A place without its excerpt, which takes long to make: whether it holds a secret shows many lines above. */
export function spotOf({ source, start }: Span): Spot {
  const from = Math.min(start, source.text.length);
  const line = lineOf(source, from);
  return { file: source.file, line, column: from - (source.lineStarts[line - 1] ?? 0) + 1 };
}

export function placeOf(span: Span): Place {
  const { source } = span;
  return placeIn(source, span, (from, to, lineStart) =>
    hideSecrets(source.text, lineStart, from, to),
  );
}
