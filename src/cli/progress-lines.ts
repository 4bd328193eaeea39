// Formats the progress of a run: the counts of portals, and those that take long.
import { counted, grouped, oneLine, shortened } from "../lib/text.js";
import { widthOf } from "../report/text-layout.js";

export interface RunProgress {
  readonly portals: number;
  readonly done: number;
  readonly failed: number;
  readonly changing: number;
  /** Since the first portal started. */
  readonly elapsedMs: number;
  readonly underWay: readonly {
    readonly name: string;
    /** "signing in" */
    readonly doing: string;
    readonly forMs: number;
  }[];
}

/** Portals that take less time are not named. */
const LONG_MS = 2_000;
const LONGEST_NAME = 40;
/** With fewer, an estimate of the time left is useless. */
const FEWEST_DONE = 3;

/** There is no second line if no portal takes long. No line is wider than `width`. */
export function progressLines(status: RunProgress, width: number): string[] {
  const { portals, done, failed, changing, underWay } = status;
  const [only] = underWay;
  if (only && portals === 1) return [cut(doingText(only), width)];
  const parts = [
    `${grouped(done)} of ${counted(portals, "portal")} done`,
    changing > 0 && `${grouped(changing)} with changes`,
    failed > 0 && `${grouped(failed)} failed`,
    leftText(status),
  ];
  const waiting = waitingText(status, width);
  return [cut(parts.filter(Boolean).join(", "), width), ...(waiting ? [waiting] : [])];
}

/** The slowest portals, as many as fit. */
function waitingText({ underWay }: RunProgress, width: number): string {
  const long = underWay
    .filter(({ forMs }) => forMs >= LONG_MS)
    .toSorted((one, other) => other.forMs - one.forMs)
    .map(doingText);
  let text = "";
  for (const [at, each] of long.entries()) {
    const left = long.length - at - 1;
    const more = left > 0 ? ` and ${left} more` : "";
    const longer = text === "" ? `  ${each}` : `${text}, ${each}`;
    if (at > 0 && widthOf(longer + more) > width) {
      return cut(`${text} and ${long.length - at} more`, width);
    }
    text = longer;
  }
  return cut(text, width);
}

function doingText({ name, doing, forMs }: RunProgress["underWay"][number]): string {
  return `${oneLine(shortened(name, LONGEST_NAME))} ${doing} (${timeText(forMs)})`;
}

function leftText({ portals, done, elapsedMs }: RunProgress): string {
  if (done < FEWEST_DONE || done === portals || elapsedMs < LONG_MS) return "";
  return `about ${timeText((elapsedMs / done) * (portals - done))} left`;
}

function timeText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = text;
  while (widthOf(kept) > width - 1) kept = kept.slice(0, -1);
  return `${kept}…`;
}
