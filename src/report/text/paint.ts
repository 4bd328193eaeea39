// A text → the same for its reader: in colour where a terminal wants it, a time by their clock; and how wide a text is.
import { showTime, UTC, type Zone } from "../../text.js";

export type Paint = Readonly<ReturnType<typeof paintFor>>;

/** Times are in UTC where no zone is named, as in what is read elsewhere. */
export function paintFor({ isColoured, zone = UTC }: { isColoured: boolean; zone?: Zone }) {
  const style = (open: number, close: number) => (text: string) =>
    isColoured && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    cyan: style(36, 39),
    time: (moment: string) => showTime(moment, zone),
  };
}

/** For files, which nobody looks at in a terminal, and which travel: their times are in UTC, and say so. */
export const PLAIN = paintFor({ isColoured: false });

/** Letters of Europe, dashes, dots, arrows and lines: a column each, and none that joins with its neighbour. */
const ONE_COLUMN_EACH = /^[ -~\u00a0-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/;

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** The columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  // To make a Segmenter takes 10 ms, half of what Node needs to start.
  if (ONE_COLUMN_EACH.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
