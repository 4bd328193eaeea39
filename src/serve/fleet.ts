// Holds the portals of a run that does not end, each with its snapshot, in the order in which their turns come.
import { comingMs, nextBoundaryMs, whenDueMs } from "./due.js";
import type { Followed } from "./follow/files.js";
import { notLookedAt, type Known } from "./known.js";
import { firstTurnMs, longestWaitMs } from "./turn.js";
import { openHeap } from "../lib/heap.js";

export interface Kept {
  followed: Followed;
  known: Known;
  /** A check of it is running. */
  isUnderWay?: boolean;
}

export type Fleet = ReturnType<typeof openFleet>;

export function openFleet(everyMs: number) {
  const portals = new Map<string, Kept>();
  const turns = openHeap<Kept>();
  /** When the next window of a portal opens or closes: these come first, because they are reported to the minute. */
  const boundaries = openHeap<Kept>();
  let remembered: ReadonlyMap<string, Known> = new Map();
  let scheduledMs = -Infinity;

  function schedule(kept: Kept, nowMs: number): void {
    const { known, followed, isUnderWay } = kept;
    turns.delete(kept);
    boundaries.delete(kept);
    if (isUnderWay || followed.problem || portals.get(followed.file) !== kept) return;
    const { key, windows } = followed;
    const longestMs = longestWaitMs(key, known.failures, everyMs);
    turns.set(kept, comingMs(whenDueMs(known, windows), nowMs, longestMs));
    const boundaryMs = nextBoundaryMs(known.lookedMs, windows);
    if (boundaryMs < Infinity)
      boundaries.set(kept, Math.max(boundaryMs, known.notBeforeMs ?? -Infinity));
    scheduledMs = Math.max(scheduledMs, nowMs);
  }

  /** A clock that was put back makes nothing wait longer than ever. */
  function scheduleAnew(nowMs: number): void {
    if (nowMs >= scheduledMs) return;
    scheduledMs = nowMs;
    for (const kept of portals.values()) schedule(kept, nowMs);
  }

  function firstOf(nowMs: number): Kept | undefined {
    scheduleAnew(nowMs);
    const [boundary, turn] = [boundaries.first(), turns.first()];
    if (boundary && boundary.priority <= nowMs) return boundary.item;
    return turn && turn.priority <= nowMs ? turn.item : undefined;
  }

  return {
    portals,
    /** What an earlier run knew, by the portals' keys. */
    remember(known: ReadonlyMap<string, Known>): void {
      remembered = known;
    },
    /** The keys of the portals that are checked. */
    keys: () => new Set([...portals.values()].map(({ followed }) => followed.key)),
    /**
     * Files that are new or changed have their turns at once. At the start, and where all files are meant, turns follow
     * each other within a minute: those checked longest ago come first, so that restarts starve none.
     */
    take(read: ReadonlyMap<string, Followed>, nowMs: number, areAllMeant: boolean): void {
      for (const [file, kept] of portals) {
        if (read.has(file)) continue;
        portals.delete(file);
        schedule(kept, nowMs);
      }
      // A file that never named its portal was known by its own name.
      const knownOf = ({ file, key }: Followed) =>
        portals.get(file)?.known ?? remembered.get(key) ?? remembered.get(file);
      const checkedMs = (followed: Followed) => knownOf(followed)?.lookedMs ?? -Infinity;
      const all = [...read.values()];
      const ordered = areAllMeant
        ? all.toSorted((one, other) => checkedMs(one) - checkedMs(other))
        : all;
      for (const [place, followed] of ordered.entries()) {
        const kept = portals.get(followed.file);
        if (!areAllMeant && kept?.followed === followed) continue;
        const turnMs = areAllMeant ? firstTurnMs(place, read.size, everyMs, nowMs) : nowMs;
        const before = knownOf(followed);
        const { notBeforeMs: _, ...rest } = before ?? notLookedAt(followed, nowMs, turnMs);
        const isSame = kept?.followed === followed;
        const known = { ...rest, turnMs, ...(!isSame && { failures: 0 }) };
        const next = kept ?? { followed, known };
        Object.assign(next, { followed, known });
        portals.set(followed.file, next);
        schedule(next, nowMs);
      }
    },
    /** The portal whose turn it is; undefined where none is due. */
    due: (nowMs: number) => firstOf(nowMs),
    /** When the next turn comes. */
    nextMs(nowMs: number): number {
      scheduleAnew(nowMs);
      return turns.first()?.priority ?? Infinity;
    },
    /** From now until `end`, its turn does not come. */
    begin(kept: Kept, nowMs: number): void {
      kept.isUnderWay = true;
      schedule(kept, nowMs);
    },
    end(kept: Kept, nowMs: number): void {
      kept.isUnderWay = false;
      schedule(kept, nowMs);
    },
    /** Its turn comes at a moment, though it is due already. */
    delay(kept: Kept, untilMs: number, nowMs: number): void {
      kept.known = { ...kept.known, turnMs: untilMs, notBeforeMs: untilMs };
      schedule(kept, nowMs);
    },
    /** Takes over what a check of a file found; windows that are over by then are dropped. */
    looked(kept: Kept, known: Known, followed: Followed): void {
      // A file that was read again meanwhile is checked again.
      const isNewer = kept.followed !== followed;
      const { turnMs } = kept.known;
      kept.known = isNewer ? { ...known, turnMs, failures: 0 } : known;
      const windows = followed.windows.filter(({ untilMs }) => untilMs > known.lookedMs);
      if (!isNewer && windows.length < followed.windows.length)
        (followed as { windows: Followed["windows"] }).windows = windows;
      schedule(kept, known.lookedMs);
    },
  };
}
