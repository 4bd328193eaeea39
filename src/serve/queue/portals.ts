// The rows of a queue's portals → whose turn it is, who has it, and when its next turn is; each a statement about many rows at once.
import type { Boss, ToSend } from "./boss.js";
import type { Ask } from "./link.js";

/** A portal whose job somebody has fetched. */
export interface Claimed {
  readonly key: string;
  readonly pool: string;
  readonly job: string;
  readonly digest: string;
  /** Nobody has looked at it since it was published as it is. */
  readonly isNew: boolean;
  /** By the server's clock, as is everything here. */
  readonly atMs: number;
  /** As text; null where nobody has looked yet. */
  readonly known: string | null;
  /** The open journal that was seen there last, and how long ago it was first seen. */
  readonly journal: string | null;
  readonly journalForMs: number;
  /** How long it has been put off, again and again. */
  readonly putOffForMs: number;
}

/**
 * So many of a pool wait at once, and as many boundaries beside them. pg-boss sorts all that waits at each fetch, so that
 * a look would cost more with every portal that is due; whoever works comes by each second and brings the next.
 */
const MOST_WAITING = 500;

const IS_FREE = "queued IS NULL AND worker IS NULL";

/** Found by as many steps as there are kinds, however many portals are of each. */
const KINDS = `kind AS (
  (SELECT pool, is_boundary FROM portal WHERE ${IS_FREE} ORDER BY 1, 2 LIMIT 1)
  UNION ALL
  SELECT next.pool, next.is_boundary FROM kind, LATERAL (
    SELECT pool, is_boundary FROM portal p
    WHERE ${IS_FREE} AND (p.pool, p.is_boundary) > (kind.pool, kind.is_boundary) ORDER BY 1, 2 LIMIT 1
  ) next
)`;

/** Those whose time has come stand in their pools' queues from now on, as far as there is room; the longest due first. */
export async function queueDue(ask: Ask, boss: Boss): Promise<number> {
  const due = await ask<ToSend>(
    `WITH RECURSIVE ${KINDS}, waiting AS (
       SELECT pool, is_boundary, count(*) AS portals FROM portal WHERE queued IS NOT NULL GROUP BY 1, 2
     ), turn AS (
       SELECT next.key FROM kind LEFT JOIN waiting w USING (pool, is_boundary),
         LATERAL (
           SELECT key FROM portal p
           WHERE ${IS_FREE} AND due <= now() AND p.pool = kind.pool AND p.is_boundary = kind.is_boundary
           ORDER BY due LIMIT GREATEST($1 - COALESCE(w.portals, 0), 0) FOR UPDATE SKIP LOCKED
         ) next
     )
     UPDATE portal p SET queued = now() FROM turn WHERE p.key = turn.key
     RETURNING p.key, p.pool, p.is_boundary AS "isBoundary"`,
    [MOST_WAITING],
  );
  await boss.send(ask, due);
  return due.length;
}

/** What processes had that live no more is due again; so are rows whose jobs somebody has taken away. */
export async function freeOrphans(ask: Ask, boss: Boss): Promise<number> {
  const freed = await ask<{ pool: string; job: string }>(
    `WITH orphan AS (
       SELECT key, pool, job FROM portal
       WHERE worker IS NOT NULL AND worker NOT IN (SELECT number FROM alive) FOR UPDATE SKIP LOCKED
     )
     UPDATE portal p SET worker = NULL, job = NULL, since = NULL, due = now()
     FROM orphan WHERE p.key = orphan.key RETURNING orphan.pool, orphan.job`,
  );
  await giveUp(ask, boss, freed, "its process is gone");
  return freed.length;
}

/** A last resort: whose job somebody has taken out of the queue by hand, or which nobody fetched for weeks. */
export async function freeUnqueued(ask: Ask, jobs: string): Promise<void> {
  await ask(
    `UPDATE portal p SET queued = NULL
     WHERE queued < now() - interval '1 minute' AND NOT EXISTS (
       SELECT FROM ${jobs}.job j WHERE j.name = 'portals-' || p.pool AND j.state = 'created'
         AND j.policy = 'short' AND COALESCE(j.singleton_key, '') = p.key
     )`,
  );
}

/** Of a pool, for one process; those that wait longest first. */
export async function claim(
  ask: Ask,
  boss: Boss,
  { pool, process, most }: { readonly pool: string; readonly process: number; most: number },
): Promise<readonly Claimed[]> {
  // Who drains the queue waits for this, so that nothing is begun after that.
  const [queue] = await ask<{ draining: boolean }>(
    "SELECT is_draining AS draining FROM queue FOR SHARE",
  );
  if (queue?.draining) return [];
  const jobs = await boss.fetch(ask, pool, most);
  if (jobs.length === 0) return [];
  const claimed = await ask<Omit<Claimed, keyof Times> & Times>(
    `WITH claimed AS (
       UPDATE portal p SET worker = $1, job = given.job, since = now(), queued = NULL
       FROM unnest($2::text[], $3::uuid[]) AS given (key, job)
       WHERE p.key = given.key AND p.queued IS NOT NULL AND p.pool = $4
       RETURNING p.*
     )
     SELECT c.key, c.pool, c.job, c.digest, c.is_new AS "isNew", k.known, c.journal,
       extract(epoch FROM now()) * 1000 AS "atMs",
       COALESCE(extract(epoch FROM now() - c.journal_seen) * 1000, 0) AS "journalForMs",
       COALESCE(extract(epoch FROM now() - c.put_off) * 1000, 0) AS "putOffForMs"
     FROM claimed c LEFT JOIN known k USING (key)`,
    [process, jobs.map(({ key }) => key), jobs.map(({ id }) => id), pool],
  );
  const taken = new Set(claimed.map(({ job }) => job));
  // Of a portal that is gone, or that another process has: whoever ends that makes it due again.
  for (const { id } of jobs) if (!taken.has(id)) await boss.end(ask, pool, id, undefined);
  return claimed.map((each) => ({
    ...each,
    atMs: Math.floor(Number(each.atMs)),
    journalForMs: Number(each.journalForMs),
    putOffForMs: Number(each.putOffForMs),
  }));
}

/** Numbers as the server tells them. */
interface Times {
  readonly atMs: string;
  readonly journalForMs: string;
  readonly putOffForMs: string;
}

export interface Ended {
  readonly nextMs: number;
  /** Absent where it stays as it was. */
  readonly isBoundary?: boolean;
  readonly isPutOff: boolean;
  /** The open journal that was seen there; null where none was. */
  readonly journal: string | null;
}

/** False where the portal is not this job's any more, so that what was found counts for nothing. */
export async function endClaim(
  ask: Ask,
  { key, job, digest }: Pick<Claimed, "key" | "job" | "digest">,
  { nextMs, isBoundary, isPutOff, journal }: Ended,
): Promise<boolean> {
  const ended = await ask(
    `UPDATE portal SET worker = NULL, job = NULL, since = NULL,
       due = CASE WHEN digest = $3 THEN to_timestamp($4::float8 / 1000) ELSE now() END,
       is_boundary = COALESCE($5, is_boundary), journal = $6::text,
       is_new = is_new AND (digest <> $3 OR $7), put_off = CASE WHEN $7 THEN COALESCE(put_off, since) END,
       journal_seen = CASE WHEN $6::text IS NULL THEN NULL WHEN journal = $6::text THEN journal_seen ELSE since END
     WHERE key = $1 AND job = $2 RETURNING key`,
    [key, job, digest, nextMs, isBoundary, journal, isPutOff],
  );
  return ended.length > 0;
}

/** Asked before anything is carried out. */
export async function isStill(
  ask: Ask,
  { key, job, digest }: Pick<Claimed, "key" | "job" | "digest">,
): Promise<boolean> {
  const still = await ask("SELECT FROM portal WHERE key = $1 AND job = $2 AND digest = $3", [
    key,
    job,
    digest,
  ]);
  return still.length > 0;
}

/** All that a process has, but for these; as after it lost its connection in the middle of a claim. */
export async function release(
  ask: Ask,
  boss: Boss,
  { process, butFor, why }: { process: number; butFor: readonly string[]; why: string },
): Promise<void> {
  const freed = await ask<{ pool: string; job: string }>(
    `WITH left_over AS (
       SELECT key, pool, job FROM portal WHERE worker = $1 AND job <> ALL($2::uuid[]) FOR UPDATE
     )
     UPDATE portal p SET worker = NULL, job = NULL, since = NULL, due = now()
     FROM left_over WHERE p.key = left_over.key RETURNING left_over.pool, left_over.job`,
    [process, butFor],
  );
  await giveUp(ask, boss, freed, why);
}

async function giveUp(
  ask: Ask,
  boss: Boss,
  freed: readonly { readonly pool: string; readonly job: string }[],
  why: string,
): Promise<void> {
  for (const pool of new Set(freed.map((each) => each.pool))) {
    const ids = freed.filter((each) => each.pool === pool).map(({ job }) => job);
    await boss.giveUp(ask, pool, ids, why);
  }
}
