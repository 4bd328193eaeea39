// A text → the same in colour for a terminal that wants it, and with every control character made visible.

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

export function paintFor({ isColoured }: { readonly isColoured: boolean }): Paint {
  const style = (open: number, close: number) => (text: string) =>
    isColoured && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    cyan: style(36, 39),
  };
}

/**
 * What a user's file holds must not drive the terminal: escape sequences, and the characters that turn the direction
 * of text, are shown by their number. Tabs and line ends are left alone.
 */
export function visible(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (found) => `<U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** The same for what must not begin a line of its own: a forged line could pass for one of ours. */
export function oneLine(text: string): string {
  return visible(text).replace(/\n/g, "<U+000A>");
}

/** The columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        segment,
      )
        ? 2
        : 1;
  }
  return width;
}
