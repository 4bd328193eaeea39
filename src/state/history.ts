// Adds entries to a history, and drops what it may no longer hold: the oldest entries, and all but the newest live values.
import type { Entry, State } from "./state.js";

/** The entries that keep the live values, which are most of what a history holds. */
export const ENTRIES_WITH_VALUES = 50;
export const MOST_ENTRIES = 1000;

type History = Pick<State, "history" | "earlier">;

export function append({ history, earlier }: History, ...entries: readonly Entry[]): History {
  const all = [...history, ...entries];
  const dropped = Math.max(0, all.length - MOST_ENTRIES) + (earlier?.entries ?? 0);
  const kept = all.slice(-MOST_ENTRIES).map(withoutOldValues);
  return { history: kept, ...(dropped > 0 && { earlier: { entries: dropped } }) };
}

function withoutOldValues(entry: Entry, at: number, { length }: readonly Entry[]): Entry {
  if (at >= length - ENTRIES_WITH_VALUES || !entry.live) return entry;
  const { live: _old, ...rest } = entry;
  return rest;
}
