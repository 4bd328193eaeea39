// What is published → the rows of its portals: whoever is new or not as before is due at once, and whoever is gone is forgotten.
import type { Boss } from "./boss.js";
import type { Ask } from "./link.js";
import { queueDue } from "./portals.js";
import type { Known } from "../known.js";
import { asciiText } from "../../state/postgres/write.js";

export interface Revised {
  readonly number: number;
  readonly commit: string | null;
  readonly portals: readonly RevisedPortal[];
}

export interface RevisedPortal {
  readonly key: string;
  readonly pool: string;
  /** Of all that a look at it needs. */
  readonly digest: string;
  /** Its file is wrong, so that nobody looks. */
  readonly isLeftAlone: boolean;
  /** What is known of it where nobody has looked yet. */
  readonly known: Known;
}

/** In the transaction in which it is published. */
export async function revise(
  ask: Ask,
  boss: Boss,
  { number, commit, portals }: Revised,
): Promise<void> {
  await ask("UPDATE queue SET revision = $1, commit = $2, revised_at = now()", [number, commit]);
  const rows = portals.map(({ key, pool, digest, isLeftAlone }) => ({
    key,
    pool,
    digest,
    alone: isLeftAlone,
  }));
  await ask(
    `INSERT INTO portal AS p (key, pool, digest, due)
     SELECT key, pool, digest, CASE WHEN alone THEN 'infinity' ELSE now() END
     FROM json_to_recordset($1::json) AS given (key text, pool text, digest text, alone boolean)
     ORDER BY key
     ON CONFLICT (key) DO UPDATE SET pool = excluded.pool, digest = excluded.digest,
       due = excluded.due, queued = NULL, put_off = NULL
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
  await knowNew(ask, portals);
  await queueDue(ask, boss);
}

async function knowNew(ask: Ask, portals: readonly RevisedPortal[]): Promise<void> {
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
    [fresh.map(({ key }) => key), fresh.map(({ known }) => asciiText(JSON.stringify(known)))],
  );
}
