// Counts what each caller does within a minute.
import { MINUTE_MS } from "../../moment.js";

export interface RateLimit {
  isExceeded(caller: string): boolean;
  count(caller: string): void;
}

/** The oldest of more callers than this are forgotten. */
const MOST_CALLERS = 10_000;

export function openRateLimit(mostAMinute: number, now: () => number): RateLimit {
  const counted = new Map<string, { readonly untilMs: number; count: number }>();
  return {
    isExceeded(caller) {
      const { untilMs = 0, count = 0 } = counted.get(caller) ?? {};
      return count >= mostAMinute && untilMs > now();
    },
    count(caller) {
      const before = counted.get(caller);
      const isOver = !before || before.untilMs <= now();
      const next = isOver ? { untilMs: now() + MINUTE_MS, count: 0 } : before;
      next.count++;
      counted.delete(caller);
      counted.set(caller, next);
      const [oldest] = counted.keys();
      if (counted.size > MOST_CALLERS && oldest !== undefined) counted.delete(oldest);
    },
  };
}
