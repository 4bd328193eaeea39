// A line of the old file → the same without values of properties that are none of ours: some of those are keys.
import { isShown } from "./known.js";
import { placeOf, type Script, type Stretch } from "./script.js";
import type { Place } from "../diagnostic.js";

/** More of one property than this is not looked through for what it may show. */
const LONGEST = 100_000;

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
    const whole = script.text.slice(start, Math.min(end, part.start + part.text.length));
    const shown = whole.length > LONGEST ? hideAll(whole) : hideForeign(whole, isInside);
    const skipped = Math.max(0, part.start - start);
    return part.text.slice(0, from).replace(/\S/g, " ") + shown.slice(skipped, skipped + to - from);
  });
}

/** Where the script is no JavaScript, nothing but the look of a line tells what belongs to which property. */
export function placeOfSlip(stretch: Stretch): Place {
  return placeOf(stretch, ({ start, text, isFromStart }) =>
    !isFromStart || isWithinText(stretch.script, start) ? hideAll(text) : hideForeign(text, false),
  );
}

/** Whether a line begins in the middle of a text. */
function isWithinText({ text }: Script, lineStart: number): boolean {
  const before = text.slice(0, lineStart);
  return /\\[\r\n]+$/.test(before.slice(-10)) || (before.split("`").length - 1) % 2 === 1;
}

const TOKEN =
  /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?|[\u2018-\u201f][^\u2018-\u201f\r\n]*[\u2018-\u201f]?|[\w$]+/g;

/** Texts, numbers and comments are hidden, from a name that is not ours on to the next one that is; the length stays. */
export function hideForeign(text: string, isShownAtFirst: boolean): string {
  let shown = "";
  let at = 0;
  let isOurs = isShownAtFirst;
  for (const { index, 0: token } of text.matchAll(TOKEN)) {
    shown += text.slice(at, index);
    at = index + token.length;
    const isWord = /^[A-Za-z_$]/.test(token);
    const isText = /^["'`]/.test(token);
    const isKey = (isWord || isText) && namesSomething(text, at, isText);
    if (isKey) isOurs = isShown(isText ? token.slice(1, -1) : token);
    shown += isWord || (isOurs && !token.startsWith("/")) ? token : hideAll(token);
  }
  return shown + text.slice(at);
}

/** Whether a value follows: a colon or one equals sign. */
function namesSomething(text: string, at: number, isText: boolean): boolean {
  SIGN.lastIndex = at;
  const sign = SIGN.exec(text)?.[1];
  return sign === ":" || (sign === "=" && !isText);
}

const SIGN = /\s*([:=])(?![=:>]|\/\/)/y;

function hideAll(text: string): string {
  return text.replace(/[\p{L}\p{N}_+/\\%&=.-]/gu, (found) => "*".repeat(found.length));
}

/** Whether a comment holds a property that somebody took out and that is none of ours, or what looks like a key. */
export function looksForeign(comment: string): boolean {
  const found = comment.matchAll(/([A-Za-z_$][\w$]*)["']?\s*[:=]\s*(?:["'`\d]|[^\s/]{16})/g);
  return [...found].some(([, name = ""]) => !isShown(name));
}
