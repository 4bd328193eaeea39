// The segments of a long text → as much of them as a reader needs, with … where something is left out.
import type { Segment } from "./diff.js";
import { headOf, shortened, tailOf } from "../../text.js";

/** How much of an unchanged stretch is shown beside a change. */
const CONTEXT = 48;

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
