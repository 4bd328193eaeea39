// Noun: text that people read: characters that mislead made visible, counts in words, long texts shortened.

/** Control characters but for tabs and line ends, what turns the direction of text, and what takes no room. */
export const CONTROLS =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- characters that mislead are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** U+202E for the character that turns what follows around. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * What a user's file holds must not drive the terminal: escape sequences, and the characters that turn the direction
 * of text, are shown by their number. Tabs and line ends are left alone.
 */
export function visible(text: string): string {
  // Most texts are plain, and to see that is faster than to look for every such character.
  return isPlain(text) ? text : text.replace(CONTROLS, (found) => `<${codePointOf(found)}>`);
}

/** The same for what must not begin a line of its own: a forged line could pass for one of ours. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : visible(text).replace(/\n/g, "<U+000A>");
}

/** ASCII on one line. */
export function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** "1 portal", "1,200 portals", "2 entries". */
export function counted(count: number, word: string): string {
  const words = /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
  return `${grouped(count)} ${count === 1 ? word : words}`;
}

/** By hand, because toLocaleString loads the tables of every language. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Cut in the middle, and the letters left out are counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const [head, tail] = [headOf(text, Math.ceil(most * 0.7)), tailOf(text, Math.floor(most * 0.3))];
  const left = text.length - head.length - tail.length;
  return `${head}… (${counted(left, "more character")}) …${tail}`;
}

/** Up to the end of a word where there is one, and never half a letter. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const word = head.search(/\s\S*$/u);
  return word > most / 2 ? head.slice(0, word + 1) : head.replace(/[\ud800-\udbff]$/, "");
}

export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = text.slice(-most);
  const word = tail.search(/\s/u);
  return word >= 0 && word < most / 2 ? tail.slice(word) : tail.replace(/^[\udc00-\udfff]/, "");
}
