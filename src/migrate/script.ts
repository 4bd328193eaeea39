// A configuration file's text, and stretches of it → places, with excerpts that show no values of properties that are none of ours: some of those are keys.
import type { Place } from "../diagnostic.js";
import { lineText, placeIn, sourceTextOf, type SourceText } from "../lib/source-text.js";
import { hidden, masked, maskedSlip } from "./mask.js";

export type Script = SourceText;
export { sourceTextOf as scriptOf };

/** By offsets; the end is the first that is not meant. */
export interface Stretch {
  readonly script: Script;
  readonly start: number;
  readonly end: number;
}

/** More of one property, or of one line, than this is not looked through for what it may show. */
const LONGEST = 20_000;

/** The code of a line. */
export function lineAt(script: Script, line: number): Stretch {
  const text = lineText(script, line);
  const start = (script.lineStarts[line - 1] ?? 0) + text.length - text.trimStart().length;
  return { script, start, end: start + text.trim().length };
}

/** What stands outside of the stretch, or of the property that it belongs to, is not shown at all; `told` is a name that may be seen. */
export function placeWithin(stretch: Stretch, property?: Stretch, told?: string): Place {
  const { text } = stretch.script;
  const isInside = property?.script === stretch.script && property.start <= stretch.start;
  const start = isInside ? property.start : stretch.start;
  const end = Math.max(start, stretch.end, isInside ? property.end : 0);
  return placeOf(stretch, (from, to) => {
    // From its beginning on, because a line alone does not tell what it belongs to.
    const cut = Math.min(end, start + LONGEST);
    const shown =
      masked(text.slice(start, cut), isInside, told) + hidden(text.slice(cut, Math.min(end, to)));
    const before = text.slice(from, Math.max(from, start)).replace(/\S/g, " ");
    return before + shown.slice(Math.max(0, from - start), to - start);
  });
}

/** Where the script is no JavaScript, nothing but the look of a line tells what belongs to which property. */
export function placeOfSlip(stretch: Stretch): Place {
  const { text } = stretch.script;
  return placeOf(stretch, (from, to, lineStart) => {
    const before = text.slice(0, lineStart);
    const isWithinText = /\\[\r\n]+$/.test(before.slice(-10)) || before.split("`").length % 2 === 0;
    return isWithinText || to - lineStart > LONGEST
      ? hidden(text.slice(from, to))
      : maskedSlip(text.slice(lineStart, to)).slice(from - lineStart);
  });
}

/** What a mark hides more than its own letter is zero bytes behind it, which nobody is shown. */
function placeOf(stretch: Stretch, show: Parameters<typeof placeIn>[2]): Place {
  const place = placeIn(stretch.script, stretch, show);
  const text = place.excerpt.text.replace(/^\0/, "…");
  const seenBefore = (offset: number) => {
    const seen = text.slice(0, offset).replaceAll("\0", "").length;
    return text.charAt(offset) === "\0" ? Math.max(0, seen - 1) : seen;
  };
  const from = seenBefore(place.excerpt.from);
  const to = Math.max(from, seenBefore(place.excerpt.to));
  return { ...place, excerpt: { text: text.replaceAll("\0", ""), from, to } };
}
