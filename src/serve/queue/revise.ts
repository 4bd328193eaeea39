// What is published → the rows of its portals: whoever is new or not as before is due at once, and whoever is gone is forgotten.
import { knownOf, recordIn } from "./queue-store.js";
import type { Ask } from "./link.js";
import { DEFAULT_POOL } from "./queue.js";
import type { Revised, RevisedPortal } from "../bundle/revised.js";
import type { Followed } from "../follow/files.js";
import { notLookedAt, type Known } from "../known.js";
import { withoutLook } from "../look.js";
import type { Event } from "../news/event.js";
import { asciiText } from "../../state/postgres-connection.js";

export const poolOf = ({ pool }: Pick<RevisedPortal, "pool">) => pool ?? DEFAULT_POOL;

/** In the transaction in which it is published. Gives what is to be told of those whose files are wrong. */
export async function revise(
  ask: Ask,
  { number, commit, portals }: Revised,
  nowMs: number,
): Promise<readonly Event[]> {
  await ask("UPDATE queue SET revision = $1, commit = $2, revised_at = now()", [number, commit]);
  const rows = portals.map(({ key, pool, digest, problem }) => ({
    key,
    pool: poolOf({ pool }),
    digest,
    alone: problem !== undefined,
  }));
  // One after the other by their keys, as everybody who changes many.
  await ask(
    `INSERT INTO portal AS p (key, pool, digest, due)
     SELECT key, pool, digest, CASE WHEN alone THEN 'infinity' ELSE now() END
     FROM json_to_recordset($1::json) AS given (key text, pool text, digest text, alone boolean)
     ORDER BY key
     ON CONFLICT (key) DO UPDATE SET pool = excluded.pool, digest = excluded.digest,
       due = excluded.due, is_new = true, queued = NULL, put_off = NULL
     WHERE p.digest <> excluded.digest OR p.pool <> excluded.pool`,
    [JSON.stringify(rows)],
  );
  const keys = portals.map(({ key }) => key);
  for (const table of ["portal", "known"]) {
    await ask(
      `DELETE FROM ${table} t
       WHERE NOT EXISTS (SELECT FROM unnest($1::text[]) AS given (key) WHERE given.key = t.key)`,
      [keys],
    );
  }
  await knowNew(ask, portals, nowMs);
  return recordProblems(ask, portals, nowMs);
}

function followedOf({ key, file, name, url, id, windows }: RevisedPortal): Followed {
  return { key, file, portal: { name, url, id }, windows, marks: new Map() };
}

function newly(portal: RevisedPortal, nowMs: number): Known {
  const known = notLookedAt(followedOf(portal), nowMs, nowMs);
  return { ...known, seen: { ...known.seen, pool: poolOf(portal) } };
}

async function knowNew(ask: Ask, portals: readonly RevisedPortal[], nowMs: number): Promise<void> {
  const missing = await ask<{ key: string }>(
    "SELECT p.key FROM portal p LEFT JOIN known k USING (key) WHERE k.key IS NULL",
  );
  if (missing.length === 0) return;
  const keys = new Set(missing.map(({ key }) => key));
  const fresh = portals.filter(({ key }) => keys.has(key));
  await ask(
    `INSERT INTO known (key, known, status, failures)
     SELECT key, known, 'unknown', 0 FROM unnest($1::text[], $2::text[]) AS given (key, known)
     ON CONFLICT DO NOTHING`,
    [
      fresh.map(({ key }) => key),
      fresh.map((each) => asciiText(JSON.stringify(newly(each, nowMs)))),
    ],
  );
}

/** A file that is wrong is told when it is published: nobody looks at its portal. */
async function recordProblems(
  ask: Ask,
  portals: readonly RevisedPortal[],
  nowMs: number,
): Promise<readonly Event[]> {
  const told: Event[] = [];
  for (const portal of portals) {
    const { problem, key } = portal;
    if (!problem) continue;
    const [row] = await ask<{ known: string }>("SELECT known FROM known WHERE key = $1", [key]);
    const before = knownOf(row?.known ?? null) ?? newly(portal, nowMs);
    const { known, events } = withoutLook(followedOf(portal), before, { problem, nowMs });
    await recordIn(ask, key, known, events);
    told.push(...events);
  }
  return told;
}
