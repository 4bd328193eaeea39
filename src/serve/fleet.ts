// The portals of a run that does not end, each with when its turn is, what is known of it, and whether somebody looks at it now.
import type { Followed, ComingWindow } from "./follow/files.js";
import { NOTHING_KNOWN, type PassedBoundary, type Standing } from "./news/news.js";
import { afterFailureMs, firstTurnMs, nextTurnMs } from "./turn.js";

export interface Kept {
  followed: Followed;
  standing: Standing;
  /** When it is looked at next, at the latest. */
  turnMs: number;
  /** When it was looked at last; what opened or closed until then is told. */
  lookedMs: number;
  failures: number;
  /** Whatever is due before waits until then. */
  notBeforeMs?: number;
  /** Since when somebody looks at it. */
  underWaySinceMs?: number | undefined;
}

export type Fleet = ReturnType<typeof openFleet>;

export function openFleet(everyMs: number) {
  const portals = new Map<string, Kept>();
  return {
    portals,
    /** Those of files that are new, or not as they were, have their turn at once; at the beginning, or where all are meant, soon. */
    take(read: ReadonlyMap<string, Followed>, nowMs: number, areAllMeant: boolean): void {
      for (const [file, kept] of portals) {
        if (!read.has(file)) portals.delete(file);
        else if (areAllMeant)
          kept.turnMs = firstTurnMs(kept.followed.key, everyMs, nowMs, read.size);
      }
      for (const [file, followed] of read) {
        const known = portals.get(file);
        if (known && known.followed === followed) continue;
        const turnMs = areAllMeant ? firstTurnMs(followed.key, everyMs, nowMs, read.size) : nowMs;
        if (known) Object.assign(known, { followed, turnMs, failures: 0 });
        else {
          const begun = { standing: NOTHING_KNOWN, failures: 0, lookedMs: nowMs };
          portals.set(file, { followed, turnMs, ...begun });
        }
      }
    },
    /** Whose turn it is: boundaries first, because they are told to the minute. */
    due(nowMs: number): readonly Kept[] {
      const due = [...portals.values()].filter((each) => isIdle(each) && whenDueMs(each) <= nowMs);
      const isLate = (each: Kept) => boundaryMs(each) <= nowMs;
      return due.toSorted(
        (one, other) =>
          Number(isLate(other)) - Number(isLate(one)) || whenDueMs(one) - whenDueMs(other),
      );
    },
    /** When somebody's turn is next. */
    nextMs(): number {
      let next = Infinity;
      for (const each of portals.values()) {
        if (isIdle(each)) next = Math.min(next, whenDueMs(each));
      }
      return next;
    },
    /** Its turn comes at a moment, though it is due already. */
    delay(kept: Kept, untilMs: number): void {
      kept.turnMs = untilMs;
      kept.notBeforeMs = untilMs;
    },
    /** It was looked at as of a moment; then its next turn. */
    looked(kept: Kept, atMs: number, nowMs: number, hasFailed: boolean): void {
      const { key } = kept.followed;
      kept.lookedMs = atMs;
      kept.failures = hasFailed ? kept.failures + 1 : 0;
      kept.turnMs = hasFailed
        ? nowMs + afterFailureMs(key, kept.failures, everyMs)
        : nextTurnMs(key, everyMs, nowMs);
      const windows = kept.followed.windows.filter(({ untilMs }) => untilMs > atMs);
      if (windows.length < kept.followed.windows.length) dropWindows(kept, windows);
    },
  };
}

/** The same file: what is over is let go. */
function dropWindows(kept: Kept, windows: readonly ComingWindow[]): void {
  (kept.followed as { windows: readonly ComingWindow[] }).windows = windows;
}

function isIdle({ followed, underWaySinceMs }: Kept): boolean {
  return underWaySinceMs === undefined && !followed.problem;
}

function whenDueMs(kept: Kept): number {
  return Math.max(kept.notBeforeMs ?? 0, Math.min(kept.turnMs, boundaryMs(kept)));
}

/** The first moment after the last look at which a window opens or closes. */
function boundaryMs({ followed, lookedMs }: Kept): number {
  let first = Infinity;
  for (const { fromMs, untilMs } of followed.windows) {
    const next = fromMs > lookedMs ? fromMs : untilMs;
    if (next > lookedMs) first = Math.min(first, next);
  }
  return first;
}

/** What opened or closed after the last look, up to a moment, in the order of time. */
export function passedBoundaries({ followed, lookedMs }: Kept, atMs: number): PassedBoundary[] {
  const hasPassed = (ms: number) => lookedMs < ms && ms <= atMs;
  return followed.windows
    .flatMap((window) => [
      ...(hasPassed(window.fromMs) ? [{ window, is: "open" as const, ms: window.fromMs }] : []),
      ...(hasPassed(window.untilMs) ? [{ window, is: "over" as const, ms: window.untilMs }] : []),
    ])
    .toSorted((one, other) => one.ms - other.ms)
    .map(({ window, is }) => ({ window, is }));
}
