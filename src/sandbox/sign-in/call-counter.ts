// Calls by operation and client address → how many are left in the window, so that the 61st is turned away.
import type { SignInOperation } from "../../catalog/facts.js";

/** Counts one call. An operation without a documented limit is always within, and has no headers. */
export function createCallCounter(now: () => number) {
  const windows = new Map<string, { readonly endsAt: number; calls: number }>();
  return {
    count({ name, limit }: SignInOperation, address: string) {
      if (!limit) return { isWithin: true, headers: {} };
      const key = `${name} ${address}`;
      const open = windows.get(key);
      const window =
        open && now() < open.endsAt ? open : { endsAt: now() + limit.seconds * 1000, calls: 0 };
      window.calls++;
      windows.set(key, window);
      return {
        isWithin: window.calls <= limit.calls,
        headers: {
          "x-ratelimit-limit": String(limit.calls),
          "x-ratelimit-remaining": String(Math.max(0, limit.calls - window.calls)),
          // Such a date has whole seconds; rounded down, it would invite a call that is still too early.
          "x-ratelimit-reset": new Date(Math.ceil(window.endsAt / 1000) * 1000).toUTCString(),
        },
      };
    },
  };
}
