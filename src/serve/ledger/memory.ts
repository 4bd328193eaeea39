// A ledger for a run without a folder: what is known is kept as long as the run goes on, and nobody else is told.
import type { Ledger } from "./ledger.js";
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";

export function openMemory(): Ledger {
  const portals = new Map<string, Known>();
  const waiting = new Map<string, Event[]>();
  return {
    portals: async () => new Map(portals),
    async record(key, known, events) {
      portals.set(key, known);
      for (const each of waiting.values()) each.push(...events);
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
    close: async () => {},
  };
}
