// What a receiver has not got → what it is told now, all of which is told together; or when that will be, or what is too old by now.
import type { Event } from "../news/event.js";
import { DAY_MS, MINUTE_MS } from "../../moment.js";

/** The first is told as soon as nothing more comes; what comes to pass within a minute of that is told together. */
const CALM_MS = 1_000;
const GROUP_MS = MINUTE_MS;
/** Then nobody wants to hear of it any more. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
/** Read in one go, of what may be days of events. */
export const MOST_READ = 500;

export interface Batch {
  /** The cursor moves past these, whether they are sent or not. */
  readonly settles: readonly Event[];
  readonly tells: readonly Event[];
  readonly isTooOld: boolean;
}

interface Wanting {
  readonly isMeant: (event: Event) => boolean;
  /** As many as the receiver takes at once. */
  readonly most: number;
  readonly nowMs: number;
  /** When it was told something last. */
  readonly toldMs: number;
  /** It was tried in vain. */
  readonly mayGiveUp: boolean;
}

/** A batch; or when to look again, at the latest: Infinity where nothing waits. */
export function batchOf(
  read: readonly Event[],
  { isMeant, most, nowMs, toldMs, mayGiveUp }: Wanting,
): Batch | number {
  const old = mayGiveUp
    ? read.findLastIndex(({ timeMs }) => timeMs < nowMs - GIVEN_UP_AFTER_MS) + 1
    : 0;
  if (old > 0) {
    const settles = read.slice(0, old);
    return { settles, tells: settles.filter(isMeant), isTooOld: true };
  }
  const meant = read.filter(isMeant);
  const [first, last] = [meant[0], meant.at(-1)];
  if (!first || !last) {
    // Whoever is told of little does not keep what is not for it.
    return read.length < MOST_READ ? Infinity : { settles: read, tells: [], isTooOld: false };
  }
  // A clock that was put back keeps nothing waiting until it is as late again.
  const sinceMs = (ms: number) => (ms > nowMs ? -Infinity : ms);
  const calmMs = Math.min(sinceMs(first.timeMs) + GROUP_MS, sinceMs(last.timeMs) + CALM_MS);
  const readyMs = Math.max(calmMs, sinceMs(toldMs) + GROUP_MS);
  if (meant.length < most && readyMs > nowMs) return readyMs;
  const tells = meant.slice(0, most);
  const end = read.indexOf(tells.at(-1) ?? first) + 1;
  return { settles: read.slice(0, end), tells, isTooOld: false };
}
