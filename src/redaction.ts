// Another system's text → a text that may be shown: bounded, without control characters, and without our secrets.
import { printJson, type Json, type JsonObject } from "./json.js";
import type { Secret } from "./secret.js";

const LONGEST = 500;
const WITHHELD = "(withheld: it repeats a secret)";
// Also the marks that turn the direction of a text, with which a message could disguise itself.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Masking a part would tell how long a secret is and where it stands, so such a text is withheld as a whole. */
export function showForeign(text: string, secrets: readonly Secret[], longest = LONGEST): string {
  // A secret that begins where the shown part ends must not leave its beginning there.
  const near = text.slice(0, longest + LONGEST);
  // Characters that nobody sees keep nobody from reading what stands around them.
  const read = near.replace(UNSEEN, "");
  if (secrets.some((each) => each.isIn(near) || each.isIn(read))) {
    return WITHHELD;
  }
  const shown = text
    .slice(0, longest)
    .trim()
    .replace(UNSEEN, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > longest ? `${shown}…` : shown;
}

/** An answer that repeats a secret would carry it into whatever shows the answer's texts. */
export function withoutEchoes(answer: JsonObject, secrets: readonly Secret[]): JsonObject {
  const isEcho = (text: string) => secrets.some((each) => each.isIn(text));
  const shown = Object.entries(answer).map(([name, value]): [string, Json] => {
    if (typeof value === "string") return [name, showForeign(value, secrets)];
    // A secret of digits alone can come back as a number.
    return [name, isEcho(printJson(value)) ? WITHHELD : value];
  });
  return Object.fromEntries(shown);
}
