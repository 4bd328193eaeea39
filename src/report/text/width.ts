// A text → the columns that it takes in a terminal.
import { eastAsianWidth } from "get-east-asian-width";

/** Letters of Europe, dashes, dots, arrows and lines: a column each, and none that joins with its neighbour. */
const ONE_COLUMN_EACH = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/;

export function widthOf(text: string): number {
  // To make a Segmenter takes 10 ms, half of what Node needs to start.
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += widthOfLetter(segment);
  return width;
}

function widthOfLetter(letter: string): number {
  // Marks that stand above or below the letter before them, and what nobody sees.
  if (/^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(letter)) return 0;
  // Shown as a picture by itself, or because of the selector behind it; flags are two letters that make one.
  const isPicture = /^\p{RI}{2}|\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u.test(letter);
  return isPicture ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);
}
