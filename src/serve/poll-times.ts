// Computes when a portal is checked next: at its regular poll, after a failure, and when a window opens or closes.
import { digestOfText } from "../lib/digest.js";
import { backOffMs } from "../lib/retry.js";
import { MINUTE_MS } from "../moment.js";

/** A window as in the file. */
export interface TimedWindow {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** The name of the time zone in which the file writes the times. */
  readonly timeZone?: string;
  /** It was never applied, so that it opens only after an apply of the file. */
  readonly isUnapplied?: boolean;
}

export interface PassedBoundary {
  readonly window: TimedWindow;
  readonly is: "open" | "over";
  readonly ms: number;
}

export interface PollTimes {
  readonly checkedMs: number;
  readonly nextPollMs: number;
  readonly notBeforeMs?: number;
}

export function dueAtMs(
  { checkedMs, nextPollMs, notBeforeMs = 0 }: PollTimes,
  windows: readonly TimedWindow[],
): number {
  return Math.max(notBeforeMs, Math.min(nextPollMs, nextBoundaryMs(checkedMs, windows)));
}

/** The first moment after a check at which a window opens or closes. */
export function nextBoundaryMs(checkedMs: number, windows: readonly TimedWindow[]): number {
  let first = Infinity;
  for (const { fromMs, untilMs } of windows) {
    const next = fromMs > checkedMs ? fromMs : untilMs;
    if (next > checkedMs) first = Math.min(first, next);
  }
  return first;
}

/** The boundaries after a check, up to a moment, in order of time. */
export function passedBoundaries(
  windows: readonly TimedWindow[],
  checkedMs: number,
  atMs: number,
): PassedBoundary[] {
  const hasPassed = (ms: number) => checkedMs < ms && ms <= atMs;
  return windows
    .flatMap((window) => [
      ...(hasPassed(window.fromMs) ? [{ window, is: "open" as const, ms: window.fromMs }] : []),
      ...(hasPassed(window.untilMs) ? [{ window, is: "over" as const, ms: window.untilMs }] : []),
    ])
    .toSorted((one, other) => one.ms - other.ms);
}

/**
 * Returns the moment, which is never set further ahead than `longestMs`. If it is further away, the clock was wrong
 * when it was set: then returns now.
 */
export function comingMs(atMs: number, nowMs: number, longestMs: number): number {
  return atMs > nowMs + longestMs ? nowMs : atMs;
}

/** The digits of a digest that a number holds exactly. */
const DIGITS = 12;

/** From 0 to below 1: evenly spread, and constant for each text. */
function shareOf(text: string): number {
  return Number.parseInt(digestOfText(text).slice(0, DIGITS), 16) / 16 ** DIGITS;
}

/** Each portal has a fixed offset in the interval, so that portals stay spread after restarts. */
export function regularPollMs(key: string, everyMs: number, nowMs: number): number {
  const offsetMs = Math.floor(shareOf(key) * everyMs);
  const pollMs = nowMs - (nowMs % everyMs) + offsetMs;
  return pollMs > nowMs ? pollMs : pollMs + everyMs;
}

/** The time between the first checks of two portals after a start, unless all would take more than a minute. */
const EACH_MS = 250;

export function startupPollMs(
  place: number,
  portals: number,
  everyMs: number,
  nowMs: number,
): number {
  const allMs = Math.min(everyMs, MINUTE_MS, portals * EACH_MS);
  return nowMs + Math.floor((place / portals) * allMs);
}

const LONGEST_MS = 30 * MINUTE_MS;

/** Differs between portals, so that not all portals of one host are retried at once. */
export function afterFailureMs(key: string, failures: number, everyMs: number): number {
  const waits = { leastMs: Math.min(everyMs, MINUTE_MS), mostMs: Math.max(everyMs, LONGEST_MS) };
  return backOffMs(failures, waits, shareOf(`${key} ${failures}`));
}

/** No check is scheduled further ahead. Changed files and a failing store delay a check by at most a minute. */
export function longestWaitMs(key: string, failures: number, everyMs: number): number {
  const failureMs = failures > 0 ? afterFailureMs(key, failures, everyMs) : 0;
  return Math.max(everyMs, MINUTE_MS) + failureMs;
}
