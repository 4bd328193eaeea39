// A portal's windows, its turn and when it was looked at last → when it is due, and what opened or closed since.

/** A window as its file has it. */
export interface TimedWindow {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** In which its times are written, by name. */
  readonly timeZone?: string;
}

export interface PassedBoundary {
  readonly window: TimedWindow;
  readonly is: "open" | "over";
  readonly ms: number;
}

export interface Timed {
  readonly lookedMs: number;
  readonly turnMs: number;
  readonly notBeforeMs?: number;
}

export function whenDueMs(
  { lookedMs, turnMs, notBeforeMs = 0 }: Timed,
  windows: readonly TimedWindow[],
): number {
  return Math.max(notBeforeMs, Math.min(turnMs, nextBoundaryMs(lookedMs, windows)));
}

/**
 * When a moment comes that was set no further ahead than so long: at once, where it is further away by now, because the
 * clock was ahead when it was set and has been put right since.
 */
export function comingMs(atMs: number, nowMs: number, longestMs: number): number {
  return atMs > nowMs + longestMs ? nowMs : atMs;
}

/** The first moment after the last look at which a window opens or closes. */
export function nextBoundaryMs(lookedMs: number, windows: readonly TimedWindow[]): number {
  let first = Infinity;
  for (const { fromMs, untilMs } of windows) {
    const next = fromMs > lookedMs ? fromMs : untilMs;
    if (next > lookedMs) first = Math.min(first, next);
  }
  return first;
}

/** What opened or closed after the last look, up to a moment, in the order of time. */
export function passedBoundaries(
  windows: readonly TimedWindow[],
  lookedMs: number,
  atMs: number,
): PassedBoundary[] {
  const hasPassed = (ms: number) => lookedMs < ms && ms <= atMs;
  return windows
    .flatMap((window) => [
      ...(hasPassed(window.fromMs) ? [{ window, is: "open" as const, ms: window.fromMs }] : []),
      ...(hasPassed(window.untilMs) ? [{ window, is: "over" as const, ms: window.untilMs }] : []),
    ])
    .toSorted((one, other) => one.ms - other.ms);
}
