// Reads and writes the portals of the queue: file, pool and time of the next job. One statement handles many rows.
import type { Query, QueueDatabase } from "./database.js";
import type { DueJob, Jobs } from "./jobs.js";
import { GONE_AFTER, runningProcesses } from "./processes.js";

export interface ListedPortal {
  readonly key: string;
  /** Relative to the root of the repository, with slashes. */
  readonly file: string;
  readonly pool: string;
  /** New, or its files changed: due at once. */
  readonly isChanged: boolean;
  /** Its file has errors: never due. */
  readonly isInvalid: boolean;
}

/**
 * Replaces the list of portals with that of a commit. Does nothing unless the listed commit is still `before`, so only
 * one of two processes succeeds.
 */
export async function listPortals(
  query: Query,
  listed: {
    readonly commit: string;
    readonly before: string | null;
    readonly portals: readonly ListedPortal[];
  },
): Promise<boolean> {
  const { commit, before, portals } = listed;
  const [queue] = await query(
    `UPDATE SCHEMA.queue SET commit = $1, committed = now(), generation = generation + 1
     WHERE commit IS NOT DISTINCT FROM $2 RETURNING commit`,
    [commit, before],
  );
  if (!queue) return false;
  await query(
    `INSERT INTO SCHEMA.portal AS p (key, file, pool, due)
     SELECT key, file, pool, CASE WHEN "isInvalid" THEN 'infinity' ELSE now() END
     FROM json_to_recordset($1::json)
       AS given (key text, file text, pool text, "isChanged" boolean, "isInvalid" boolean)
     ORDER BY key
     ON CONFLICT (key) DO UPDATE SET file = excluded.file, pool = excluded.pool,
       due = CASE WHEN excluded.due = 'infinity' OR p.due = 'infinity' OR p.pool <> excluded.pool
           OR p.file <> excluded.file OR p.key = ANY($2::text[]) THEN excluded.due ELSE p.due END`,
    [JSON.stringify(portals), portals.filter(({ isChanged }) => isChanged).map(({ key }) => key)],
  );
  const keys = portals.map(({ key }) => key);
  for (const table of ["portal", "known"])
    await query(`DELETE FROM SCHEMA.${table} WHERE key <> ALL($1::text[])`, [keys]);
  return true;
}

/** A portal with a running job is due again after this time, in case the job is lost. */
const LOST_AFTER = "15 minutes";

/** Makes jobs for all portals that are due. */
export async function insertDueJobs(database: QueueDatabase, jobs: Jobs): Promise<number> {
  return database.transaction(async (query) => {
    const due = await query<DueJob>(
      `UPDATE SCHEMA.portal p SET due = now() + interval '${LOST_AFTER}'
       FROM SCHEMA.queue q
       WHERE p.key IN (SELECT key FROM SCHEMA.portal WHERE due <= now() ORDER BY key FOR UPDATE SKIP LOCKED)
         AND NOT q.is_draining AND q.commit IS NOT NULL
       RETURNING p.key, p.pool, p.is_boundary AS "isBoundary", q.commit`,
    );
    await jobs.insert(due, query);
    return due.length;
  });
}

/** Runs once a minute in one process: creates jobs for due portals, and deletes expired rows. */
export async function tick(database: QueueDatabase, jobs: Jobs): Promise<void> {
  const { query } = database;
  await freeJobs(database, jobs);
  await setDead(query, await jobs.takeDead());
  await insertDueJobs(database, jobs);
  await query(
    `DELETE FROM SCHEMA.event
     WHERE recorded < now() - (SELECT keep_ms FROM SCHEMA.queue) * interval '1 millisecond'`,
  );
  await query("DELETE FROM SCHEMA.pace WHERE used < now() - interval '1 day'");
  await query(
    "DELETE FROM SCHEMA.process WHERE seen NOT BETWEEN now() - interval '1 day' AND now() + interval '1 hour'",
  );
}

/**
 * Retries jobs of workers that are gone before they expire. A worker that was only suspended finds at its next state
 * write that another worker was faster.
 */
async function freeJobs({ query, at }: QueueDatabase, jobs: Jobs): Promise<void> {
  const active = await query<{ id: string; name: string; key: string }>(
    `SELECT id, name, singleton_key AS key FROM ${at.jobs}.job
     WHERE name LIKE 'portals-%' AND state = 'active' AND started_on < now() - interval '${GONE_AFTER}'`,
  );
  const running = await runningProcesses(query);
  const doing = new Set(running.flatMap((each) => each.doing ?? []));
  for (const { id, name, key } of active) if (!doing.has(key)) await jobs.fail(name, id);
}

/** The listed file and commit for a job. */
export interface PortalToCheck {
  readonly key: string;
  readonly file: string;
  readonly pool: string;
  readonly commit: string;
  readonly isBoundary: boolean;
  readonly everyMs: number;
  /** The snapshot as JSON; null before the first check. */
  readonly known: string | null;
  /** The server's clock. */
  readonly nowMs: number;
}

export async function portalToCheck(query: Query, key: string): Promise<PortalToCheck | undefined> {
  const [found] = await query<PortalToCheck>(
    `SELECT p.key, p.file, p.pool, p.is_boundary AS "isBoundary", q.commit, q.every_ms::float8 AS "everyMs", k.known,
       floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"
     FROM SCHEMA.queue q, SCHEMA.portal p LEFT JOIN SCHEMA.known k USING (key)
     WHERE p.key = $1 AND p.due < 'infinity' AND q.commit IS NOT NULL`,
    [key],
  );
  return found;
}

/** Whether the job may still apply: the commit, file and pool of the portal are unchanged. */
export async function isStillListed(query: Query, checked: PortalToCheck): Promise<boolean> {
  const { key, file, pool, commit } = checked;
  const found = await query(
    `SELECT FROM SCHEMA.portal p, SCHEMA.queue q
     WHERE p.key = $1 AND p.file = $2 AND p.pool = $3 AND p.due < 'infinity' AND q.commit = $4`,
    [key, file, pool, commit],
  );
  return found.length > 0;
}

/** Sets when the next job is due. A portal that was listed again meanwhile may be due earlier. */
export async function setNextDue(
  query: Query,
  { key, commit }: Pick<PortalToCheck, "key" | "commit">,
  next: { readonly dueMs: number; readonly isBoundary: boolean },
): Promise<void> {
  await query(
    `UPDATE SCHEMA.portal p SET is_boundary = $3, dead = NULL, due = CASE
       WHEN q.commit = $4 THEN to_timestamp($2::float8 / 1000)
       ELSE LEAST(p.due, to_timestamp($2::float8 / 1000)) END
     FROM SCHEMA.queue q WHERE p.key = $1 AND p.due < 'infinity'`,
    [key, next.dueMs, next.isBoundary, commit],
  );
}

/** Marks portals whose jobs failed three times: they are due again, and shown until a check succeeds. */
export async function setDead(query: Query, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await query(
    `UPDATE SCHEMA.portal SET dead = COALESCE(dead, now()), due = now()
     WHERE key = ANY($1::text[]) AND due < 'infinity'`,
    [keys],
  );
}

/** Makes portals due now; without keys, those that failed or are blocked. Returns their number. */
export async function retryPortals(
  query: Query,
  keys: readonly string[] | undefined,
): Promise<number> {
  const due = await query(
    `UPDATE SCHEMA.portal p SET due = now()
     WHERE due < 'infinity' AND CASE
       WHEN $1::text[] IS NULL THEN dead IS NOT NULL OR EXISTS (
         SELECT FROM SCHEMA.known k WHERE k.key = p.key AND k.status = ANY($2::text[])
       )
       ELSE key = ANY($1::text[]) END
     RETURNING key`,
    [keys ?? null, ["invalid", "unreachable"]],
  );
  return due.length;
}
