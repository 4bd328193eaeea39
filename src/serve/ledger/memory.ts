// A ledger for a run without a folder: what is known is kept as long as the run goes on, and nobody else is told.
import type { Ledger } from "./ledger.js";
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";

/** Where nobody has given a folder, only these are kept. */
const MOST_TOLD = 1_000;

export function openMemory(): Ledger {
  const portals = new Map<string, Known>();
  const told: Event[] = [];
  const waiting = new Map<string, Event[]>();
  return {
    portals: async () => new Map(portals),
    async record(key, known, events) {
      portals.set(key, known);
      for (const each of waiting.values()) each.push(...events);
      told.push(...events);
      if (told.length > MOST_TOLD * 2) told.splice(0, told.length - MOST_TOLD);
    },
    async forget(key) {
      portals.delete(key);
    },
    async receivers(names) {
      for (const name of waiting.keys()) if (!names.includes(name)) waiting.delete(name);
      for (const name of names) waiting.set(name, waiting.get(name) ?? []);
    },
    unsent: async (receiver, most) => waiting.get(receiver)?.slice(0, most) ?? [],
    async settle(receiver, ids) {
      waiting.get(receiver)?.splice(0, ids.length);
    },
    events: async (most, key) =>
      told
        .filter((each) => key === undefined || each.key === key)
        .slice(-most)
        .toReversed(),
    close: async () => {},
  };
}
