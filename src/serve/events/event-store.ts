// Declares the store of records and events, and implements it in memory.
import type { PortalRecord } from "../snapshot.js";
import type { Event } from "./event.js";
import { DAY_MS } from "../../moment.js";

/** Events are kept for 90 days. */
export const KEEP_MS = 90 * DAY_MS;
/** The time after which undelivered events of a webhook are dropped. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;

/** Events of all portals, by UTC day such as "2026-06-15". */
export interface Activity {
  /** Newest first. */
  days(): Promise<readonly string[]>;
  /** In the order in which they were recorded. */
  eventsOn(day: string): Promise<readonly Event[]>;
}

/** One contract test runs against every implementation. */
export interface EventStore extends Activity {
  /** The records of all portals by key, read once at the start. */
  records(): Promise<ReadonlyMap<string, PortalRecord>>;
  /**
   * Stores the events, then the record; both are durable when it returns. An event whose ID is already stored may be
   * skipped, and so may a record that differs only in times. Never called twice at once for one key.
   */
  record(key: string, record: PortalRecord, events: readonly Event[]): Promise<void>;
  /** Deletes a record. The events of the portal stay. */
  forget(key: string): Promise<void>;
  /**
   * Called before anything is recorded. A new webhook gets the events recorded from then on, a known one continues where
   * it was, and the cursors of all others are deleted.
   */
  register(webhooks: readonly string[]): Promise<void>;
  /** The first events that a webhook has not acknowledged, in the order in which they were recorded. */
  pending(webhook: string, most: number): Promise<readonly Event[]>;
  /** Moves the cursor of a webhook past these events, the first of `pending`. Durable when it returns. */
  acknowledge(webhook: string, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The limit of events in memory. */
const MOST_RECENT = 1_000;

function dayOf({ timeMs }: Event): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

export function openMemoryStore(): EventStore {
  const stored = new Map<string, PortalRecord>();
  const pending = new Map<string, Event[]>();
  let recent: readonly Event[] = [];
  return {
    records: async () => new Map(stored),
    async record(key, portal, events) {
      stored.set(key, portal);
      for (const each of pending.values()) each.push(...events);
      if (events.length > 0) recent = [...recent, ...events].slice(-MOST_RECENT);
    },
    days: async () => [...new Set(recent.map(dayOf))].toSorted().toReversed(),
    eventsOn: async (day) => recent.filter((each) => dayOf(each) === day),
    async forget(key) {
      stored.delete(key);
    },
    async register(webhooks) {
      for (const name of pending.keys()) if (!webhooks.includes(name)) pending.delete(name);
      for (const name of webhooks) pending.set(name, pending.get(name) ?? []);
    },
    pending: async (webhook, most) => pending.get(webhook)?.slice(0, most) ?? [],
    async acknowledge(webhook, ids) {
      pending.get(webhook)?.splice(0, ids.length);
    },
    close: async () => {},
  };
}
