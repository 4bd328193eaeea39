// Holds the portals of a run that does not end, each with its snapshot, and when each is checked next.
import { openCheckQueue } from "./check-queue.js";
import type { Followed } from "./follow/files.js";
import { notLookedAt, type Known } from "./known.js";
import { firstTurnMs } from "./turn.js";

export interface Kept {
  followed: Followed;
  known: Known;
  /** A check of it is running. */
  isUnderWay?: boolean;
}

export type Fleet = ReturnType<typeof openFleet>;

export function openFleet(everyMs: number) {
  const portals = new Map<string, Kept>();
  const queue = openCheckQueue(everyMs);
  let remembered: ReadonlyMap<string, Known> = new Map();

  /** A portal whose file is gone or wrong, or that is being checked, waits for no check. */
  function schedule(kept: Kept, nowMs: number): void {
    const { followed, isUnderWay } = kept;
    const isWaiting = !isUnderWay && !followed.problem && portals.get(followed.file) === kept;
    if (isWaiting) queue.set(kept, nowMs);
    else queue.delete(kept);
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
        const known = { ...rest, turnMs, ...(kept?.followed !== followed && { failures: 0 }) };
        const next = Object.assign(kept ?? {}, { followed, known });
        portals.set(followed.file, next);
        schedule(next, nowMs);
      }
    },
    due: (nowMs: number) => queue.due(nowMs),
    nextMs: (nowMs: number) => queue.nextMs(nowMs),
    /** Until `end`, it is not due. */
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
