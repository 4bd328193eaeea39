// Limits the number of actions of each caller in a minute.
import { MINUTE_MS } from "../../moment.js";

export interface RateLimit {
  /** Whether this many more actions would exceed the limit. */
  isExceeded(caller: string, more?: number): boolean;
  count(caller: string, more?: number): void;
}

/** The limit of remembered callers; the oldest are dropped. */
const MOST_CALLERS = 10_000;

export function openRateLimit(mostAMinute: number, now: () => number): RateLimit {
  const counted = new Map<string, { readonly untilMs: number; count: number }>();
  return {
    isExceeded(caller, more = 1) {
      const { untilMs = 0, count = 0 } = counted.get(caller) ?? {};
      return (untilMs > now() ? count : 0) + more > mostAMinute;
    },
    count(caller, more = 1) {
      const before = counted.get(caller);
      const isOver = !before || before.untilMs <= now();
      const next = isOver ? { untilMs: now() + MINUTE_MS, count: 0 } : before;
      next.count += more;
      counted.delete(caller);
      counted.set(caller, next);
      const [oldest] = counted.keys();
      if (counted.size > MOST_CALLERS && oldest !== undefined) counted.delete(oldest);
    },
  };
}
