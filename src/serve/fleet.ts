// The portals of a run that does not end, each with what is known of it, when its turn is, and whether somebody looks at it now.
import { comingMs, nextBoundaryMs, whenDueMs } from "./due.js";
import type { Followed } from "./follow/files.js";
import { notLookedAt, type Known } from "./known.js";
import { firstTurnMs, longestWaitMs } from "./turn.js";

export interface Kept {
  followed: Followed;
  known: Known;
  /** Somebody looks at it. */
  isUnderWay?: boolean;
}

export type Fleet = ReturnType<typeof openFleet>;

export function openFleet(everyMs: number) {
  const portals = new Map<string, Kept>();
  let remembered: ReadonlyMap<string, Known> = new Map();
  const dueMs = ({ known, followed: { key, windows } }: Kept, nowMs: number) =>
    comingMs(whenDueMs(known, windows), nowMs, longestWaitMs(key, known.failures, everyMs));
  return {
    portals,
    /** What an earlier run knew, by the portals' keys. */
    remember(known: ReadonlyMap<string, Known>): void {
      remembered = known;
    },
    /** The keys of those that are looked at. */
    keys: () => new Set([...portals.values()].map(({ followed }) => followed.key)),
    /** Those of files that are new, or not as they were, have their turn at once; at the beginning, or where all are meant, soon. */
    take(read: ReadonlyMap<string, Followed>, nowMs: number, areAllMeant: boolean): void {
      const soonMs = (key: string) => firstTurnMs(key, everyMs, nowMs, read.size);
      for (const [file, kept] of portals) {
        if (!read.has(file)) portals.delete(file);
        else if (areAllMeant) turnAt(kept, soonMs(kept.followed.key));
      }
      for (const [file, followed] of read) {
        const kept = portals.get(file);
        if (kept && kept.followed === followed) continue;
        const turnMs = areAllMeant ? soonMs(followed.key) : nowMs;
        // A file that never told which portal it is about was known by its own name.
        const before = remembered.get(followed.key) ?? remembered.get(file);
        if (!kept && before) {
          const { notBeforeMs: _, ...rest } = before;
          portals.set(file, { followed, known: { ...rest, turnMs, failures: 0 } });
        } else if (!kept)
          portals.set(file, { followed, known: notLookedAt(followed, nowMs, turnMs) });
        else {
          kept.followed = followed;
          kept.known = { ...kept.known, turnMs, failures: 0 };
        }
      }
    },
    /** Whose turn it is: boundaries first, because they are told to the minute. */
    due(nowMs: number): readonly Kept[] {
      const due = [...portals.values()].filter(
        (each) => isIdle(each) && dueMs(each, nowMs) <= nowMs,
      );
      const isLate = ({ known, followed }: Kept) =>
        nextBoundaryMs(known.lookedMs, followed.windows) <= nowMs;
      return due.toSorted(
        (one, other) =>
          Number(isLate(other)) - Number(isLate(one)) || dueMs(one, nowMs) - dueMs(other, nowMs),
      );
    },
    /** When somebody's turn is next. */
    nextMs(nowMs: number): number {
      let next = Infinity;
      for (const each of portals.values()) {
        if (isIdle(each)) next = Math.min(next, dueMs(each, nowMs));
      }
      return next;
    },
    /** Its turn comes at a moment, though it is due already. */
    delay(kept: Kept, untilMs: number): void {
      kept.known = { ...kept.known, turnMs: untilMs, notBeforeMs: untilMs };
    },
    /** What a look at a file found; windows that are over by then are let go. */
    looked(kept: Kept, known: Known, followed: Followed): void {
      // Read anew meanwhile, it is looked at once more.
      const isNewer = kept.followed !== followed;
      const { turnMs } = kept.known;
      kept.known = isNewer ? { ...known, turnMs, failures: 0 } : known;
      if (isNewer) return;
      const windows = followed.windows.filter(({ untilMs }) => untilMs > known.lookedMs);
      if (windows.length < followed.windows.length) {
        (followed as { windows: Followed["windows"] }).windows = windows;
      }
    },
  };
}

function turnAt(kept: Kept, turnMs: number): void {
  kept.known = { ...kept.known, turnMs };
}

function isIdle({ followed, isUnderWay }: Kept): boolean {
  return !isUnderWay && !followed.problem;
}
