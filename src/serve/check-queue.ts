// Orders portals by the time of their next check.
import { comingMs, nextBoundaryMs, whenDueMs } from "./due.js";
import type { Kept } from "./fleet.js";
import { longestWaitMs } from "./turn.js";
import { openHeap } from "../lib/heap.js";

export function openCheckQueue(everyMs: number) {
  const checks = openHeap<Kept>();
  /** When the next window of a portal opens or closes: these come first, because they are reported to the minute. */
  const boundaries = openHeap<Kept>();
  const waiting = new Set<Kept>();
  let scheduledMs = -Infinity;

  function set(kept: Kept, nowMs: number): void {
    const { known, followed } = kept;
    const { key, windows } = followed;
    const longestMs = longestWaitMs(key, known.failures, everyMs);
    waiting.add(kept);
    checks.set(kept, comingMs(whenDueMs(known, windows), nowMs, longestMs));
    const boundaryMs = nextBoundaryMs(known.lookedMs, windows);
    if (boundaryMs === Infinity) boundaries.delete(kept);
    else boundaries.set(kept, Math.max(boundaryMs, known.notBeforeMs ?? -Infinity));
    scheduledMs = Math.max(scheduledMs, nowMs);
  }

  /** After the clock was put back, nothing waits until it is as late again. */
  function follow(nowMs: number): void {
    if (nowMs >= scheduledMs) return;
    scheduledMs = nowMs;
    for (const kept of waiting) set(kept, nowMs);
  }

  return {
    set,
    delete(kept: Kept): void {
      waiting.delete(kept);
      checks.delete(kept);
      boundaries.delete(kept);
    },
    /** The portal to check now; undefined where none is due. */
    due(nowMs: number): Kept | undefined {
      follow(nowMs);
      const isDue = (each?: { readonly priority: number }) => each && each.priority <= nowMs;
      const [boundary, check] = [boundaries.first(), checks.first()];
      return isDue(boundary) ? boundary?.item : isDue(check) ? check?.item : undefined;
    },
    /** When the next check is due. */
    nextMs(nowMs: number): number {
      follow(nowMs);
      return checks.first()?.priority ?? Infinity;
    },
  };
}
