// A long text or the segments of one → as much of it as a reader needs, with … where something is left out.
import type { Segment } from "./diff.js";
import { counted } from "../text/diagnostic.js";

/** How much of an unchanged stretch is shown beside a change. */
const CONTEXT = 48;

/** Cut in the middle, and the letters left out are counted aloud. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const [head, tail] = [headOf(text, Math.ceil(most * 0.7)), tailOf(text, Math.floor(most * 0.3))];
  const left = text.length - head.length - tail.length;
  return `${head}… (${counted(left, "more character")}) …${tail}`;
}

/** Changes stay as they are up to a length, and of what is the same between them the ends. */
export function shortenedSegments(segments: readonly Segment[], most: number): Segment[] {
  return segments.map(({ kind, text }, at) => {
    if (kind !== "same") return { kind, text: shortened(text, most) };
    const [isFirst, isLast] = [at === 0, at === segments.length - 1];
    const head = isFirst ? "" : headOf(text, CONTEXT);
    const tail = isLast ? "" : tailOf(text, CONTEXT);
    const isShort = text.length <= head.length + tail.length + CONTEXT / 2;
    return { kind, text: isShort ? text : `${head}…${tail}` };
  });
}

/** Up to the end of a word where there is one, and never half a letter. */
function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const word = head.search(/\s\S*$/u);
  return word > most / 2 ? head.slice(0, word + 1) : head.replace(/[\ud800-\udbff]$/, "");
}

function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = text.slice(-most);
  const word = tail.search(/\s/u);
  return word >= 0 && word < most / 2 ? tail.slice(word) : tail.replace(/^[\udc00-\udfff]/, "");
}
