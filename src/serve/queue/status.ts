// Reads the status of a queue: pools, processes, failed jobs and unsent events.
import { promptly, type Query, type QueueDatabase } from "./database.js";
import { differencesOf, iso, runningProcesses, type Process } from "./processes.js";
import { knownOf } from "./shapes.js";
import { unsentMetric, type Metric } from "../dashboard/metrics.js";
import type { Io } from "../../io.js";
import { groupBy } from "../../lib/lists.js";
import { counted } from "../../lib/text.js";

/** The JSON document of `lintel queue status`. */
export interface QueueStatus {
  /** The commit that workers check. */
  readonly commit: string | null;
  /** Since when workers check it. */
  readonly committed: string | null;
  /** Whether no new job starts. */
  readonly draining: boolean;
  /** The pools of workers. */
  readonly pools: readonly PoolStatus[];
  /** The running processes. */
  readonly processes: readonly Process[];
  /** Ways in which the workers of a pool differ, and how many portals wait because a worker lacks an `--apply`. */
  readonly warnings: readonly string[];
  /** Portals whose job failed three times, by name. */
  readonly dead: readonly { readonly portal: string; readonly since: string }[];
  /** The names of portals that are invalid or unreachable: the first ten. */
  readonly failedPortals: readonly string[];
  /** The names of portals whose apply is blocked: the first ten. */
  readonly blockedPortals: readonly string[];
  /** Events that wait to be sent. */
  readonly unsent: readonly {
    readonly receiver: string;
    readonly events: number;
    readonly since: string;
  }[];
}

const MOST_NAMED = 10;

export interface PoolStatus {
  readonly name: string;
  readonly portals: number;
  /** Due, but not running. */
  readonly waiting: number;
  readonly underWay: number;
  /** Due for more than two minutes. */
  readonly late: number;
  readonly failed: number;
  readonly blocked: number;
  readonly held: number;
}

export async function readStatus({
  query,
  at,
}: Pick<QueueDatabase, "query" | "at">): Promise<QueueStatus> {
  const [queue] = await query<Pick<QueueStatus, "commit" | "committed" | "draining">>(
    `SELECT commit, ${iso("committed")} AS committed, is_draining AS draining FROM SCHEMA.queue`,
  );
  const pools = await query<PoolStatus>(
    `WITH job AS (
       SELECT singleton_key AS key, bool_or(state = 'active') AS active, min(created_on) AS since
       FROM ${at.jobs}.job WHERE name LIKE 'portals-%' AND state <= 'active' GROUP BY 1
     )
     SELECT p.pool AS name, count(*)::int AS portals,
       (count(*) FILTER (WHERE due <= now() OR NOT job.active))::int AS waiting,
       (count(*) FILTER (WHERE job.active))::int AS "underWay",
       (count(*) FILTER (WHERE least(due, job.since) < now() - interval '2 minutes' AND job.active IS NOT TRUE))::int AS late,
       (count(*) FILTER (WHERE k.status IN ('invalid', 'unreachable')))::int AS failed,
       (count(*) FILTER (WHERE k.status = 'blocked'))::int AS blocked,
       (count(*) FILTER (WHERE k.status = 'held'))::int AS held
     FROM SCHEMA.portal p LEFT JOIN SCHEMA.known k USING (key) LEFT JOIN job USING (key)
     GROUP BY p.pool ORDER BY p.pool`,
  );
  const dead = await query<{ key: string; known: string | null; since: string }>(
    `SELECT key, known, ${iso("dead")} AS since FROM SCHEMA.portal LEFT JOIN SCHEMA.known USING (key)
     WHERE dead IS NOT NULL ORDER BY dead, key`,
  );
  const named = async (statuses: readonly string[]) =>
    query<{ key: string; known: string }>(
      `SELECT key, known FROM SCHEMA.portal JOIN SCHEMA.known USING (key)
       WHERE status = ANY($1::text[]) ORDER BY key LIMIT ${MOST_NAMED}`,
      [statuses],
    );
  const failed = await named(["invalid", "unreachable"]);
  const blocked = await named(["blocked"]);
  const unsent = await query<QueueStatus["unsent"][number]>(
    `SELECT receiver, count(*)::int AS events, ${iso("min(recorded)")} AS since
     FROM SCHEMA.unsent JOIN SCHEMA.event USING (number) GROUP BY receiver ORDER BY receiver`,
  );
  const processes = await runningProcesses(query);
  const { commit = null, committed = null, draining = false } = queue ?? {};
  return {
    commit,
    committed,
    draining,
    pools,
    processes: await withNames(query, processes),
    warnings: [...differencesOf(processes), ...(await needsOf(query, processes))],
    dead: dead.map((each) => ({ portal: nameOf(each), since: each.since })),
    failedPortals: failed.map(nameOf),
    blockedPortals: blocked.map(nameOf),
    unsent,
  };
}

/** Replaces the keys of checked portals by names. */
async function withNames(query: Query, processes: readonly Process[]): Promise<readonly Process[]> {
  const keys = processes.flatMap(({ doing = [] }) => doing);
  const rows = await query<{ key: string; known: string }>(
    "SELECT key, known FROM SCHEMA.known WHERE key = ANY($1::text[])",
    [keys],
  );
  const names = new Map(rows.map((row) => [row.key, nameOf(row)]));
  return processes.map(({ doing = [], ...rest }) => ({
    ...rest,
    doing: doing.map((key) => names.get(key) ?? key),
  }));
}

function nameOf({ key, known }: { readonly key: string; readonly known: string | null }): string {
  return knownOf(known)?.snapshot.name ?? key;
}

/** Portals whose changes wait because their worker lacks the required `--apply`. */
async function needsOf(query: Query, processes: readonly Process[]): Promise<readonly string[]> {
  const rows = await query<{ pool: string; known: string }>(
    "SELECT pool, known FROM SCHEMA.portal JOIN SCHEMA.known USING (key) WHERE status = 'pending' ORDER BY pool",
  );
  const needs = rows.flatMap(({ pool, known }) =>
    (knownOf(known)?.snapshot.needs ?? []).map((apply) => ({ pool, apply })),
  );
  const kinds = groupBy(needs, ({ pool, apply }) => `${pool} ${apply}`);
  return [...kinds.values()].flatMap((some) => {
    const [{ pool, apply } = { pool: "", apply: "" }] = some;
    const own = processes.filter(({ pools = [] }) => pools.includes(pool));
    const able = own.filter((each) => each.apply?.includes(apply));
    // That worker is gone: the next check applies the changes.
    if (own.length > 0 && able.length === own.length) return [];
    const which = able.length > 0 ? "not every" : "no";
    const waits = `${counted(some.length, "portal")} of the pool "${pool}" ${some.length === 1 ? "waits" : "wait"}`;
    return `${waits} for "--apply ${apply}", which ${which} worker of the pool has.`;
  });
}

/** The keys of all portals, by name. */
export async function keysByName(query: Query): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ key: string; known: string | null }>(
    "SELECT key, known FROM SCHEMA.portal LEFT JOIN SCHEMA.known USING (key)",
  );
  const found = new Map<string, readonly string[]>();
  for (const row of rows) found.set(nameOf(row), [...(found.get(nameOf(row)) ?? []), row.key]);
  return found;
}

export async function isDraining(query: Query): Promise<boolean> {
  const [queue] = await query<{ is: boolean }>("SELECT is_draining AS is FROM SCHEMA.queue");
  return queue?.is === true;
}

export async function setDraining(query: Query, isDraining: boolean): Promise<void> {
  await query("UPDATE SCHEMA.queue SET is_draining = $1", [isDraining]);
}

/** Lets a `serve` list its commit even if it does not contain the listed one. Returns the listed one. */
export async function forgetCommit(query: Query): Promise<string | null> {
  const [queue] = await query<{ commit: string | null }>(
    `WITH before AS (SELECT commit FROM SCHEMA.queue FOR UPDATE)
     UPDATE SCHEMA.queue q SET commit = NULL FROM before RETURNING before.commit`,
  );
  return queue?.commit ?? null;
}

/** The number of running jobs. */
export async function underWay({
  query,
  at,
}: Pick<QueueDatabase, "query" | "at">): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${at.jobs}.job WHERE name LIKE 'portals-%' AND state = 'active'`,
  );
  return row?.count ?? 0;
}

/** Every process returns the same figures; during an outage only the outage itself. */
export async function queueMetrics(
  database: QueueDatabase,
  io: Pick<Io, "sleep">,
): Promise<readonly Metric[]> {
  const status = await promptly(database, io, () => readStatus(database)).catch(() => undefined);
  const isUp: Metric["values"] = [[{}, Number(status !== undefined)]];
  const up = gauge("lintel_queue_up", "Whether the database of the queue answers.", isUp);
  return status ? [up, ...figuresOf(status)] : [up];
}

function gauge(name: string, help: string, values: Metric["values"]): Metric {
  return { name, help, type: "gauge", values };
}

function figuresOf({ pools, processes, unsent, draining, dead }: QueueStatus): Metric[] {
  const byPool = (of: (pool: PoolStatus) => number): Metric["values"] =>
    pools.map((pool) => [{ pool: pool.name }, of(pool)]);
  const byRole = ["serve", "worker"].map(
    (role) => [{ role }, processes.filter((each) => each.role === role).length] as const,
  );
  const one = (figure: number): Metric["values"] => [[{}, figure]];
  const stuck = processes.filter((each) => each.stuck !== null).length;
  const rows: readonly (readonly [name: string, help: string, values: Metric["values"]])[] = [
    ["waiting", "Portals that are due and not under way.", byPool(({ waiting }) => waiting)],
    ["under_way", "Portals that a worker checks.", byPool(({ underWay: some }) => some)],
    ["late", "Portals that are due for more than two minutes.", byPool(({ late }) => late)],
    ["dead", "Portals whose last job was given up.", one(dead.length)],
    ["processes", "Running processes.", byRole],
    [
      "stuck_processes",
      "Processes that cannot continue, such as without a repository.",
      one(stuck),
    ],
    [
      "differences",
      "Ways in which the workers of a pool differ.",
      one(differencesOf(processes).length),
    ],
    ["drained", "Whether the queue is drained.", one(Number(draining))],
  ];
  const gauges = rows.map(([name, help, values]) => gauge(`lintel_queue_${name}`, help, values));
  return [...gauges, unsentMetric(unsent.map(({ receiver, events }) => [receiver, events]))];
}
