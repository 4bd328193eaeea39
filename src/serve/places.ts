// Looks under way, side by side within a bound → whether there is room for another; those that hang make room for others.
import type { Io } from "../io.js";

/** A look that takes longer makes room for another, so that portals that hang delay no other. */
const SLOW_MS = 5_000;
/** So many times the looks that are quick may be under way in all. */
const MOST_SLOW = 8;
/** Then a signal ends it, whatever still goes on: an open journal tells the next run of it. */
const ENDING_MS = 25_000;

/** What was begun is finished, as far as that ends soon. */
export async function endSoon(
  io: Pick<Io, "sleep">,
  begun: Iterable<Promise<unknown>>,
): Promise<void> {
  const over = new AbortController();
  const all = Promise.allSettled(begun).finally(() => over.abort());
  const late = io.sleep(ENDING_MS, over.signal).catch(() => undefined);
  await Promise.race([all, late]);
}

export type Places = ReturnType<typeof openPlaces>;

export function openPlaces(io: Pick<Io, "now" | "sleep">, concurrency: number) {
  /** Each with when it was begun. */
  const looks = new Map<Promise<void>, number>();
  const most = concurrency * MOST_SLOW;

  /** When those were begun that are not slow yet. */
  function quick(): readonly number[] {
    const nowMs = io.now();
    // The clock may have been put back since.
    return [...looks.values()].filter((ms) => Math.abs(nowMs - ms) < SLOW_MS);
  }

  return {
    /** `ended` is told once there is room for another. */
    begin(work: () => Promise<void>, ended: () => void): void {
      const look: Promise<void> = work().finally(() => {
        looks.delete(look);
        ended();
      });
      looks.set(look, io.now());
    },
    /** How many more may be begun now. */
    free: () => Math.max(0, Math.min(concurrency - quick().length, most - looks.size)),
    /** Where none may be begun, when one of those under way has become slow. */
    freeMs(): number {
      if (looks.size >= most) return Infinity;
      const since = quick();
      return since.length < concurrency ? -Infinity : Math.min(...since) + SLOW_MS;
    },
    underWay: () => looks.size,
    end: () => endSoon(io, looks.keys()),
  };
}
