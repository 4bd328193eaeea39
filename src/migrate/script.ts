// Places in the text of an old configuration file, with excerpts that show no value of an unknown name.
import type { Place } from "../diagnostic.js";
import { lineText, placeIn, sourceTextOf, type SourceText } from "../lib/source-text.js";
import { isKnownWord } from "./known.js";

export type Script = SourceText;
export { sourceTextOf as scriptOf };

/** By offsets; the end is the first that is not meant. */
export interface Stretch {
  readonly script: Script;
  readonly start: number;
  readonly end: number;
}

/** The code of a line. */
export function lineAt(script: Script, line: number): Stretch {
  const text = lineText(script, line);
  const start = (script.lineStarts[line - 1] ?? 0) + text.length - text.trimStart().length;
  return { script, start, end: start + text.trim().length };
}

/** The excerpt masks every unknown word outside of `shown`: any of them may be a key. */
export function placeOf(stretch: Stretch, shown: readonly Stretch[] = []): Place {
  return placeIn(stretch.script, stretch, (from, to) => {
    const line = stretch.script.text.slice(from, to);
    let text = masked(line);
    for (const { script, start, end } of shown) {
      const [first, last] = [Math.max(start - from, 0), Math.max(end - from, 0)];
      if (script === stretch.script) {
        text = text.slice(0, first) + line.slice(first, last) + text.slice(last);
      }
    }
    return text;
  });
}

/** Letters, digits, and all that is not ASCII but typographic quotes. */
const WORD = /(?:[\w@#\\]|[^ -~\t\u2018-\u201f])+|\$(?!\{)/gu;

/** The same length, so that columns stay right. */
export function masked(code: string): string {
  return code.replace(WORD, (word) => (isKnownWord(word) ? word : "*".repeat(word.length)));
}
