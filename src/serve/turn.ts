// A portal's key, how often it is looked at, and how often that failed → when its turn comes; the same in each run.
import { digestOfText } from "../lib/digest.js";
import { backOffMs } from "../lib/retry.js";
import { MINUTE_MS } from "../moment.js";

/** Digits of a digest that a number holds exactly. */
const DIGITS = 12;

/** From 0 up to, not including, 1: as good as chance, and the same whenever it is asked for. */
function shareOf(text: string): number {
  return Number.parseInt(digestOfText(text).slice(0, DIGITS), 16) / 16 ** DIGITS;
}

/** The next of a portal's own moments, by the clock: however often a run is begun anew, portals stay spread out. */
export function nextTurnMs(key: string, everyMs: number, nowMs: number): number {
  const ownMs = Math.floor(shareOf(key) * everyMs);
  const turnMs = nowMs - (nowMs % everyMs) + ownMs;
  return turnMs > nowMs ? turnMs : turnMs + everyMs;
}

/** Between the first checks of two portals after a start, unless that would take more than a minute. */
const EACH_MS = 250;

/** Soon, one after the other. */
export function firstTurnMs(
  place: number,
  portals: number,
  everyMs: number,
  nowMs: number,
): number {
  const allMs = Math.min(everyMs, MINUTE_MS, portals * EACH_MS);
  return nowMs + Math.floor((place / portals) * allMs);
}

const LONGEST_MS = 30 * MINUTE_MS;

/** Differs between portals, so that all of one host do not return at once. */
export function afterFailureMs(key: string, failures: number, everyMs: number): number {
  const waits = { leastMs: Math.min(everyMs, MINUTE_MS), mostMs: Math.max(everyMs, LONGEST_MS) };
  return backOffMs(failures, waits, shareOf(`${key} ${failures}`));
}

/** No turn is set further ahead: a minute is what it waits at most for files and disks. */
export function longestWaitMs(key: string, failures: number, everyMs: number): number {
  const backOffMs = failures > 0 ? afterFailureMs(key, failures, everyMs) : 0;
  return Math.max(everyMs, MINUTE_MS) + backOffMs;
}
