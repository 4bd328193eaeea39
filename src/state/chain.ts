// A history → the same with more entries, each holding the digest of the one before; and where such a chain does not hold.
import { digest } from "../lib/digest.js";
import { ENTRY, type Entry, type State } from "./state.js";

/** The entries that keep the live values, which are most of what a history holds. */
export const ENTRIES_WITH_VALUES = 50;
/** As many stand in a state; where a backend has a table of its own for them, all stand there. */
export const MOST_ENTRIES = 1000;

/** Of everything that it holds but the live values, of which it holds the digests. */
export function digestOfEntry(entry: Entry): string {
  const { live: _covered, ...rest } = entry;
  // As it will be read again, without the keys that hold nothing.
  return digest(ENTRY(rest));
}

/** Of the newest entry, which tells of all entries before it too; undefined where there never was one. */
export function newestDigest({ history, earlier }: Chain): string | undefined {
  const newest = history.at(-1);
  return newest ? digestOfEntry(newest) : earlier?.digest;
}

type Chain = Pick<State, "history" | "earlier">;

/** Drops the oldest entries and the older values, and remembers by their digests what they were. */
export function append({ history, earlier }: Chain, ...entries: readonly Entry[]): Chain {
  let chain: Chain = { history, ...(earlier && { earlier }) };
  for (const entry of entries) {
    const previous = newestDigest(chain);
    const linked = { ...withDigests(entry), ...(previous !== undefined && { previous }) };
    chain = { ...chain, history: [...chain.history, linked] };
  }
  const surplus = chain.history.slice(0, -MOST_ENTRIES);
  const dropped = surplus.at(-1);
  const kept = chain.history.slice(-MOST_ENTRIES).map(withoutOldValues);
  if (!dropped) return { ...chain, history: kept };
  const count = (chain.earlier?.entries ?? 0) + surplus.length;
  return { earlier: { entries: count, digest: digestOfEntry(dropped) }, history: kept };
}

/** The first entry that does not fit. */
export interface Break {
  readonly serial: number;
  /** What is wrong with it, to go on from its name. */
  readonly why: string;
}

/** Undefined where every entry fits. The newest is covered by the digest that an apply prints, and by a signature. */
export function findBreak({ history, earlier }: Chain): Break | undefined {
  let previous = earlier?.digest;
  let before = "";
  for (const entry of history) {
    const { serial } = entry;
    if (entry.previous !== previous) return { serial, why: whyNot(entry, before, previous) };
    const odd = strangeValues(entry);
    if (odd) return { serial, why: `does not fit its own values ${odd} the apply` };
    previous = digestOfEntry(entry);
    before = `the entry of serial ${serial}`;
  }
  return undefined;
}

function whyNot(entry: Entry, before: string, previous: string | undefined): string {
  const stands = before || (previous === undefined ? "the beginning" : "those that were dropped");
  if (entry.previous === undefined)
    return `says that nothing was before it, and stands after ${stands}`;
  return `was not written after ${stands}, as it stands now`;
}

function strangeValues({ live, values }: Entry): "before" | "after" | undefined {
  return (["before", "after"] as const).find((when) => {
    const held = live?.[when];
    return held !== undefined && digest(held) !== values?.[when];
  });
}

function withDigests(entry: Entry): Entry {
  if (!entry.live) return entry;
  const { before, after } = entry.live;
  if (!before && !after) return entry;
  const values = {
    ...(before && { before: digest(before) }),
    ...(after && { after: digest(after) }),
  };
  return { ...entry, values };
}

function withoutOldValues(entry: Entry, at: number, { length }: readonly Entry[]): Entry {
  if (at >= length - ENTRIES_WITH_VALUES || !entry.live) return entry;
  const { live: _forgotten, ...rest } = entry;
  return rest;
}

/** Whether an entry with this digest stands in the history, or right before it; of none, it always does. */
export function chainHolds(chain: Chain, digest: string | undefined): boolean {
  if (digest === undefined || chain.earlier?.digest === digest) return true;
  return chain.history.some((entry) => digestOfEntry(entry) === digest);
}
