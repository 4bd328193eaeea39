// Implements the event store in the tables of a queue: many processes record, one `serve` sends.
import type { Query, QueueDatabase } from "./database.js";
import type { Activity, EventStore } from "../events/event-store.js";
import type { PortalRecord } from "../snapshot.js";
import type { Event } from "../events/event.js";
import { eventIn, knownOf } from "./shapes.js";
import { asciiText } from "../../state/postgres-connection.js";

export function openQueueStore({ query, transaction }: QueueDatabase): EventStore {
  const acknowledge: EventStore["acknowledge"] = async (receiver, ids) => {
    await query(
      `DELETE FROM SCHEMA.unsent u USING SCHEMA.event e
       WHERE u.receiver = $1 AND e.number = u.number AND e.id = ANY($2::text[])`,
      [receiver, ids],
    );
  };
  return {
    ...queueActivity(query),
    async records() {
      const rows = await query<{ key: string; known: string }>(
        "SELECT key, known FROM SCHEMA.known",
      );
      const known = rows.map((row) => [row.key, knownOf(row.known)] as const);
      return new Map(known.filter((each): each is [string, PortalRecord] => each[1] !== undefined));
    },
    record: (key, known, events) => transaction((inside) => recordIn(inside, key, known, events)),
    async forget(key) {
      await query("DELETE FROM SCHEMA.known WHERE key = $1", [key]);
    },
    register: (names) => transaction((inside) => nameReceivers(inside, names)),
    async pending(receiver, most) {
      const rows = await query<{ id: string; event: string }>(
        `SELECT e.id, e.event FROM SCHEMA.unsent u JOIN SCHEMA.event e USING (number)
         WHERE u.receiver = $1 ORDER BY u.number LIMIT $2`,
        [receiver, most],
      );
      const lost = rows.filter(({ event }) => !eventIn(event)).map(({ id }) => id);
      // Else they would stay in front of all other events forever.
      if (lost.length > 0) await acknowledge(receiver, lost);
      return eventsIn(rows);
    },
    acknowledge,
    // The connection belongs to the process.
    close: async () => {},
  };
}

/** For the dashboard. */
export function queueActivity(query: Query): Activity {
  const dayOf = "to_char(recorded AT TIME ZONE 'UTC', 'YYYY-MM-DD')";
  return {
    async days() {
      const rows = await query<{ day: string }>(
        `SELECT DISTINCT ${dayOf} AS day FROM SCHEMA.event ORDER BY day DESC`,
      );
      return rows.map(({ day }) => day);
    },
    async eventsOn(day) {
      const rows = await query<{ event: string }>(
        `SELECT event FROM SCHEMA.event WHERE ${dayOf} = $1 ORDER BY number`,
        [day],
      );
      return eventsIn(rows);
    },
  };
}

/** Webhooks receive events from now on. Those no longer named receive nothing more. */
export async function nameReceivers(query: Query, names: readonly string[]): Promise<void> {
  await query("DELETE FROM SCHEMA.receiver WHERE name <> ALL($1::text[])", [names]);
  await query(
    "INSERT INTO SCHEMA.receiver SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING",
    [names],
  );
}

function eventsIn(rows: readonly { readonly event: string }[]): readonly Event[] {
  return rows.map(({ event }) => eventIn(event)).filter((each) => each !== undefined);
}

/** An event is sent once, even if several processes find it. */
export async function recordIn(
  query: Query,
  key: string,
  known: PortalRecord,
  events: readonly Event[],
): Promise<void> {
  const { failures, snapshot } = known;
  await query(
    `INSERT INTO SCHEMA.known AS stored (key, known, status, failures, looked) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key) DO UPDATE SET known = excluded.known, status = excluded.status,
       failures = excluded.failures, looked = excluded.looked, changed = pg_current_xact_id()
     -- A slow check must not replace what a later one found. No check was made an hour ahead, or at NaN.
     WHERE stored.looked <= excluded.looked OR stored.looked > excluded.looked + 3600000`,
    [key, textOf(known), snapshot.status, failures, known.checkedMs],
  );
  if (events.length === 0) return;
  await query(
    `WITH recorded AS (
       INSERT INTO SCHEMA.event (id, key, event)
       SELECT id, key, event
       FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (id, key, event, place)
       ORDER BY place
       ON CONFLICT DO NOTHING RETURNING number
     )
     INSERT INTO SCHEMA.unsent SELECT r.name, recorded.number FROM SCHEMA.receiver r, recorded`,
    [events.map(({ id }) => id), events.map((each) => each.key), events.map(textOf)],
  );
}

function textOf(value: object): string {
  return asciiText(JSON.stringify(value));
}
