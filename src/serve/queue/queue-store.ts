// The event store in the tables of a queue: many processes record, one `serve` sends.
import type { Ask, Link } from "./link.js";
import type { EventStore } from "../events/event-store.js";
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";
import { parseJson } from "../../lib/json.js";
import { asciiText } from "../../state/postgres-connection.js";

export function openQueueStore({ ask, together }: Link): EventStore {
  const acknowledge: EventStore["acknowledge"] = async (receiver, ids) => {
    await ask(
      `DELETE FROM unsent u USING event e
       WHERE u.receiver = $1 AND e.number = u.number AND e.id = ANY($2::text[])`,
      [receiver, ids],
    );
  };
  return {
    async snapshots() {
      const rows = await ask<{ key: string; known: string }>("SELECT key, known FROM known");
      const known = rows.map((row) => [row.key, knownOf(row.known)] as const);
      return new Map(known.filter((each): each is [string, Known] => each[1] !== undefined));
    },
    record: (key, known, events) => together((asks) => recordIn(asks, key, known, events)),
    async forget(key) {
      await ask("DELETE FROM known WHERE key = $1", [key]);
    },
    register: (names) => together((asks) => nameReceivers(asks, names)),
    async pending(receiver, most) {
      const rows = await ask<{ id: string; event: string }>(
        `SELECT e.id, e.event FROM unsent u JOIN event e USING (number)
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

/** Of whatever is recorded from then on; those that were named before and are not now are told nothing any more. */
export async function nameReceivers(ask: Ask, names: readonly string[]): Promise<void> {
  await ask("DELETE FROM receiver WHERE name <> ALL($1::text[])", [names]);
  await ask("INSERT INTO receiver SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING", [
    names,
  ]);
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
  ask: Ask,
  key: string,
  known: Known,
  events: readonly Event[],
): Promise<void> {
  const { failures, seen } = known;
  await ask(
    `INSERT INTO known (key, known, status, failures) VALUES ($1, $2, $3, $4)
     ON CONFLICT (key) DO UPDATE SET known = excluded.known, status = excluded.status,
       failures = excluded.failures, changed = pg_current_xact_id()`,
    [key, textOf(known), seen.status, failures],
  );
  if (events.length === 0) return;
  await ask(
    `WITH told AS (
       INSERT INTO event (id, key, event)
       SELECT id, key, event
       FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (id, key, event, place)
       ORDER BY place
       ON CONFLICT (id) DO NOTHING RETURNING number
     )
     INSERT INTO unsent SELECT r.name, told.number FROM receiver r, told`,
    [events.map(({ id }) => id), events.map((each) => each.key), events.map(textOf)],
  );
}

function textOf(value: object): string {
  return asciiText(JSON.stringify(value));
}
