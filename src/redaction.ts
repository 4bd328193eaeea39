// Another system's text → a text that may be shown: bounded, without control characters, and without our secrets.
import type { Secret } from "./secret.js";

const LONGEST = 500;
// Also the marks that turn the direction of a text, with which a message could disguise itself.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Masking a part would tell how long a secret is and where it stands, so such a text is withheld as a whole. */
export function showForeign(text: string, secrets: readonly Secret[], longest = LONGEST): string {
  if (secrets.some((each) => each.isIn(text))) return "(withheld: it repeats a secret)";
  const shown = text
    .slice(0, longest)
    .trim()
    .replace(UNSEEN, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > longest ? `${shown}…` : shown;
}
