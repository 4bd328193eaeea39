// Adds entries to a history, and drops the oldest entries and the live values of all but the newest.
import { appliesOf, isNote, type Entry, type State } from "./state.js";

/** Number of entries that keep live values, which are most of a history's size. */
export const ENTRIES_WITH_VALUES = 50;
export const MOST_ENTRIES = 1000;

type History = Pick<State, "history" | "earlier">;

/** Numbers the new applies and rollbacks. */
export function append(
  { history, earlier }: History,
  ...entries: readonly Omit<Entry, "number">[]
): History {
  let number = appliesOf({ history }).at(-1)?.number ?? 0;
  const numbered = entries.map((each) => (isNote(each) ? each : { ...each, number: ++number }));
  const all: readonly Entry[] = [...history, ...numbered];
  const dropped = Math.max(0, all.length - MOST_ENTRIES) + (earlier?.entries ?? 0);
  const kept = all.slice(-MOST_ENTRIES).map(withoutOldValues);
  return { history: kept, ...(dropped > 0 && { earlier: { entries: dropped } }) };
}

function withoutOldValues(entry: Entry, at: number, { length }: readonly Entry[]): Entry {
  if (at >= length - ENTRIES_WITH_VALUES || !entry.live) return entry;
  const { live: _old, ...rest } = entry;
  return rest;
}
