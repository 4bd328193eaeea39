// Noun: characters that nobody sees and that mislead: they drive a terminal, turn the direction of a text or hide in it.

/** Control characters but for tabs and line ends, what turns the direction of text, and what takes no room. */
export const CONTROLS =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- characters that mislead are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** U+202E for the character that turns what follows around. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
