// The event store in the tables of a queue: many processes record, one `serve` sends.
import { promptly, type Query, type QueueDatabase } from "./database.js";
import type { EventStore } from "../events/event-store.js";
import type { Activity } from "../dashboard/board.js";
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";
import type { Io } from "../../io.js";
import { parseJson } from "../../lib/json.js";
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
    async snapshots() {
      const rows = await query<{ key: string; known: string }>(
        "SELECT key, known FROM SCHEMA.known",
      );
      const known = rows.map((row) => [row.key, knownOf(row.known)] as const);
      return new Map(known.filter((each): each is [string, Known] => each[1] !== undefined));
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
      // They would stand before all others for ever.
      if (lost.length > 0) await acknowledge(receiver, lost);
      return eventsIn(rows);
    },
    acknowledge,
    // The connection is the process's own.
    close: async () => {},
  };
}

/** For the dashboard. */
export function queueActivity(database: QueueDatabase, io: Pick<Io, "sleep">): Activity {
  const query: Query = (...words) => promptly(database, io, () => database.query(...words));
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

/** Of whatever is recorded from then on; those that were named before and are not now are told nothing any more. */
export async function nameReceivers(query: Query, names: readonly string[]): Promise<void> {
  await query("DELETE FROM SCHEMA.receiver WHERE name <> ALL($1::text[])", [names]);
  await query(
    "INSERT INTO SCHEMA.receiver SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING",
    [names],
  );
}

/** What others have made unreadable is as if nothing were known: the next look finds all of it again. */
export function knownOf(text: string | null): Known | undefined {
  const known = parseJson(text ?? "null") as Partial<Known> | null | undefined;
  return known?.seen && known.standing ? (known as Known) : undefined;
}

/** The same of what was to be told: nobody is told what nobody can read. */
function eventIn(text: string): Event | undefined {
  const event = parseJson(text) as Partial<Event> | null | undefined;
  return event?.id && event.kind && event.about ? (event as Event) : undefined;
}

function eventsIn(rows: readonly { readonly event: string }[]): readonly Event[] {
  return rows.map(({ event }) => eventIn(event)).filter((each) => each !== undefined);
}

/** An event that was recorded before is told once, whoever finds the same again. */
export async function recordIn(
  query: Query,
  key: string,
  known: Known,
  events: readonly Event[],
): Promise<void> {
  const { failures, seen } = known;
  await query(
    `INSERT INTO SCHEMA.known AS stored (key, known, status, failures, looked) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key) DO UPDATE SET known = excluded.known, status = excluded.status,
       failures = excluded.failures, looked = excluded.looked, changed = pg_current_xact_id()
     -- A slow check must not replace what a later one found.
     WHERE stored.looked <= excluded.looked`,
    [key, textOf(known), seen.status, failures, known.lookedMs],
  );
  if (events.length === 0) return;
  await query(
    `WITH told AS (
       INSERT INTO SCHEMA.event (id, key, event)
       SELECT id, key, event
       FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (id, key, event, place)
       ORDER BY place
       ON CONFLICT (id) DO NOTHING RETURNING number
     )
     INSERT INTO SCHEMA.unsent SELECT r.name, told.number FROM SCHEMA.receiver r, told`,
    [events.map(({ id }) => id), events.map((each) => each.key), events.map(textOf)],
  );
}

function textOf(value: object): string {
  return asciiText(JSON.stringify(value));
}
