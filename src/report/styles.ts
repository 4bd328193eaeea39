// Decides how a text for people looks: its colours, its clock, and how wide its lines may be.
import { showTime, UTC, type Zone } from "../lib/text.js";

type Style = (text: string) => string;

export interface Styles {
  readonly isColoured: boolean;
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly yellow: Style;
  readonly green: Style;
  readonly cyan: Style;
  /** Writes a moment. */
  readonly time: (moment: string) => string;
  readonly width: number;
  /** Of messages, which programs search line by line where there is no terminal. */
  readonly messageWidth: number;
  /** The same with the clock of another zone. */
  readonly in: (zone: Zone) => Styles;
}

/** Where there is no terminal. */
const WIDTH = 96;
/** A narrower terminal breaks the lines itself. */
const NARROWEST = 40;

interface Reader {
  readonly isColoured: boolean;
  /** UTC where left out, as in all that is read elsewhere. */
  readonly zone?: Zone;
  /** Of a terminal; left out where there is none. */
  readonly columns?: number | undefined;
}

export function stylesFor({ isColoured, zone = UTC, columns }: Reader): Styles {
  const style = (open: number, close: number) => (text: string) =>
    isColoured && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    isColoured,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    cyan: style(36, 39),
    time: (moment: string) => showTime(moment, zone),
    width: Math.max(columns ?? WIDTH, NARROWEST),
    messageWidth: columns === undefined ? Infinity : Math.max(columns, NARROWEST),
    in: (other) => stylesFor({ isColoured, zone: other, columns }),
  };
}

/** For files: they travel, so their times are in UTC. */
export const PLAIN = stylesFor({ isColoured: false });
