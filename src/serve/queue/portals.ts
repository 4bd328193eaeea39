// The portals of the queue: which file and pool each has, and when its next job is due. One statement for many rows.
import type { Query, QueueDatabase } from "./database.js";
import type { DueJob, Jobs } from "./jobs.js";
import { GONE_AFTER, runningProcesses } from "./processes.js";

export interface ListedPortal {
  readonly key: string;
  /** From the top of the repository, with slashes. */
  readonly file: string;
  readonly pool: string;
  /** Due at once: new, or its files have changed. */
  readonly isChanged: boolean;
  /** Never due: something is wrong with its file. */
  readonly isInvalid: boolean;
}

/**
 * Replaces the list of portals with that of a commit. Nothing happens unless the commit listed before is still
 * `before`, so that of two processes one wins.
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

/** A portal under way is due again then, should its job get lost. */
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

/** Once a minute, in whichever process gets the job: makes jobs for what is due, and deletes what is over. */
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
 * Jobs of workers that are gone are tried again before they expire. A worker that only stood still finds at its next
 * write of the state that another one was faster.
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

/** What a job works on, as it is listed now. */
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

/** Whether the job may still apply: the same commit is listed, and the portal with the same file and pool. */
export async function isStillListed(query: Query, checked: PortalToCheck): Promise<boolean> {
  const { key, file, pool, commit } = checked;
  const found = await query(
    `SELECT FROM SCHEMA.portal p, SCHEMA.queue q
     WHERE p.key = $1 AND p.file = $2 AND p.pool = $3 AND p.due < 'infinity' AND q.commit = $4`,
    [key, file, pool, commit],
  );
  return found.length > 0;
}

/** When the next job is due. A portal that was listed anew meanwhile may be due earlier. */
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

/** Portals whose jobs were given up are due again, and shown until a check succeeds. */
export async function setDead(query: Query, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await query(
    `UPDATE SCHEMA.portal SET dead = COALESCE(dead, now()), due = now()
     WHERE key = ANY($1::text[]) AND due < 'infinity'`,
    [keys],
  );
}

/** Makes the portals due now; without keys, those that failed, are blocked or were given up. Returns how many. */
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
