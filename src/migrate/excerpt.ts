// A stretch of the old file → its place, with an excerpt that shows no values of properties that are none of ours: some of those are keys.
import { hidden, masked, maskedSlip } from "./mask.js";
import { placeOf, type Script, type Stretch } from "./script.js";
import type { Place } from "../diagnostic.js";

/** More of one property than this is not looked through for what it may show. */
const LONGEST = 20_000;

/** What stands outside of the stretch, or of the property that it belongs to, is not shown at all. */
export function placeWithin(stretch: Stretch, property?: Stretch): Place {
  const { script } = stretch;
  const isInside =
    property !== undefined && property.script === script && property.start <= stretch.start;
  const start = isInside ? property.start : stretch.start;
  const end = isInside ? Math.max(stretch.end, property.end) : stretch.end;
  return placeOf(stretch, (part) => {
    const from = Math.max(0, start - part.start);
    const to = Math.max(from, end - part.start);
    // From its beginning on, because a line alone does not tell what it belongs to.
    const whole = script.text.slice(
      start,
      Math.max(start, Math.min(end, part.start + part.text.length)),
    );
    const shown = whole.length > LONGEST ? hidden(whole) : masked(whole, isInside);
    const skipped = Math.max(0, part.start - start);
    return part.text.slice(0, from).replace(/\S/g, " ") + shown.slice(skipped, skipped + to - from);
  });
}

/** Where the script is no JavaScript, nothing but the look of a line tells what belongs to which property. */
export function placeOfSlip(stretch: Stretch): Place {
  return placeOf(stretch, ({ start, text, lineStart }) => {
    const whole = stretch.script.text.slice(lineStart, start + text.length);
    return whole.length > LONGEST || isWithinText(stretch.script, lineStart)
      ? hidden(text)
      : maskedSlip(whole).slice(start - lineStart);
  });
}

/** Whether a line begins in the middle of a text. */
function isWithinText({ text }: Script, lineStart: number): boolean {
  const before = text.slice(0, lineStart);
  return /\\[\r\n]+$/.test(before.slice(-10)) || (before.split("`").length - 1) % 2 === 1;
}
