// What the tables of a queue say to people: pools, processes, jobs that were given up, events not sent yet.
import type { Query, QueueDatabase } from "./database.js";
import { differencesOf, runningProcesses, type Process } from "./processes.js";
import { knownOf } from "./queue-store.js";
import type { Workers } from "../dashboard/board.js";
import { unsentMetric, type Metric } from "../dashboard/metrics.js";
import type { Io } from "../../io.js";

export interface QueueStatus {
  readonly commit: string | null;
  readonly committedMs: number | null;
  readonly isDraining: boolean;
  readonly pools: readonly PoolStatus[];
  readonly processes: readonly Process[];
  /** Ways in which the workers of a pool differ. */
  readonly warnings: readonly string[];
  /** Portals whose jobs were given up, by name. */
  readonly dead: readonly { readonly portal: string; readonly sinceMs: number }[];
  readonly unsent: readonly {
    readonly receiver: string;
    readonly events: number;
    readonly sinceMs: number;
  }[];
}

export interface PoolStatus {
  readonly name: string;
  readonly portals: number;
  /** Due, and not under way. */
  readonly waiting: number;
  readonly underWay: number;
  /** Due for more than two minutes. */
  readonly late: number;
  readonly failed: number;
  readonly stopped: number;
  readonly held: number;
}

const MS = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;

export async function readStatus({
  query,
  at,
}: Pick<QueueDatabase, "query" | "at">): Promise<QueueStatus> {
  const [queue] = await query<{ commit: string | null; ms: number | null; draining: boolean }>(
    `SELECT commit, ${MS("committed")} AS ms, is_draining AS draining FROM SCHEMA.queue`,
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
       (count(*) FILTER (WHERE k.status = 'pending' AND (k.known::jsonb -> 'seen') ? 'failure'))::int AS stopped,
       (count(*) FILTER (WHERE k.status = 'held'))::int AS held
     FROM SCHEMA.portal p LEFT JOIN SCHEMA.known k USING (key) LEFT JOIN job USING (key)
     GROUP BY p.pool ORDER BY p.pool`,
  );
  const dead = await query<{ key: string; known: string | null; sinceMs: number }>(
    `SELECT key, known, ${MS("dead")} AS "sinceMs" FROM SCHEMA.portal LEFT JOIN SCHEMA.known USING (key)
     WHERE dead IS NOT NULL ORDER BY dead, key`,
  );
  const unsent = await query<QueueStatus["unsent"][number]>(
    `SELECT receiver, count(*)::int AS events, min(${MS("recorded")}) AS "sinceMs"
     FROM SCHEMA.unsent JOIN SCHEMA.event USING (number) GROUP BY receiver ORDER BY receiver`,
  );
  const processes = await runningProcesses(query);
  return {
    commit: queue?.commit ?? null,
    committedMs: queue?.ms ?? null,
    isDraining: queue?.draining ?? false,
    pools,
    processes: await withNames(query, processes),
    warnings: differencesOf(processes),
    dead: dead.map((each) => ({ portal: nameOf(each), sinceMs: each.sinceMs })),
    unsent,
  };
}

/** The portals that a worker checks, by their names. */
async function withNames(query: Query, processes: readonly Process[]): Promise<readonly Process[]> {
  const keys = processes.flatMap(({ facts }) => facts.doing ?? []);
  const rows = await query<{ key: string; known: string }>(
    "SELECT key, known FROM SCHEMA.known WHERE key = ANY($1::text[])",
    [keys],
  );
  const names = new Map(rows.map((row) => [row.key, nameOf(row)]));
  return processes.map(({ facts, ...times }) => ({
    ...times,
    facts: { ...facts, doing: (facts.doing ?? []).map((key) => names.get(key) ?? key) },
  }));
}

function nameOf({ key, known }: { readonly key: string; readonly known: string | null }): string {
  return knownOf(known)?.snapshot.name ?? key;
}

/** For the dashboard. */
export function workersOf({ processes, warnings, dead, isDraining }: QueueStatus): Workers {
  const workers = processes.flatMap(({ facts, seenMs }) => {
    const { role, host, pid, version, pools = [], apply = [], commit, doing, stuck } = facts;
    if (role !== "worker") return [];
    const own = { host, pid, version, pools, mayApply: apply, seenMs, doing };
    return [{ ...own, commit: commit ?? undefined, idleReason: stuck }];
  });
  return { workers, warnings, deadJobs: dead, isDraining };
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

/** Lets the next `serve` list its commit, though the one listed now is not part of it. */
export async function forgetCommit(query: Query): Promise<void> {
  await query("UPDATE SCHEMA.queue SET commit = NULL");
}

/** How many jobs run now. */
export async function underWay({
  query,
  at,
}: Pick<QueueDatabase, "query" | "at">): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${at.jobs}.job WHERE name LIKE 'portals-%' AND state = 'active'`,
  );
  return row?.count ?? 0;
}

/** Well within what Prometheus waits. */
const LONGEST_MS = 3_000;

/** The same figures whichever process is asked; while the database is away, only that it is. */
export function queueMetrics(database: Pick<QueueDatabase, "query" | "at">, io: Pick<Io, "sleep">) {
  let reading: Promise<QueueStatus> | undefined;
  return async (): Promise<readonly Metric[]> => {
    // One reading at a time, so that they do not pile up while the server is away.
    reading ??= readStatus(database).finally(() => (reading = undefined));
    reading.catch(() => undefined);
    const over = new AbortController();
    const late = io.sleep(LONGEST_MS, over.signal).catch(() => undefined);
    const status = await Promise.race([reading, late.then(() => undefined)]);
    over.abort();
    const help = "Whether the database of the queue answers.";
    const up: Metric = {
      name: "lintel_queue_up",
      help,
      type: "gauge",
      values: [[{}, Number(status !== undefined)]],
    };
    return [up, ...(status ? figuresOf(status) : [])];
  };
}

function figuresOf({
  pools,
  processes,
  unsent,
  isDraining,
  warnings,
  dead,
}: QueueStatus): Metric[] {
  const gauge = (name: string, help: string, values: Metric["values"]): Metric => ({
    name,
    help,
    type: "gauge",
    values,
  });
  const byPool = (of: (pool: PoolStatus) => number): Metric["values"] =>
    pools.map((pool) => [{ pool: pool.name }, of(pool)]);
  const roles = ["serve", "worker"] as const;
  const inRole = (role: string) => processes.filter(({ facts }) => facts.role === role).length;
  const stuck = processes.filter(({ facts }) => facts.stuck !== undefined).length;
  return [
    gauge(
      "lintel_queue_waiting",
      "Portals that are due and not under way.",
      byPool(({ waiting }) => waiting),
    ),
    gauge(
      "lintel_queue_under_way",
      "Portals that a worker checks.",
      byPool((pool) => pool.underWay),
    ),
    gauge(
      "lintel_queue_late",
      "Portals that are due for more than two minutes.",
      byPool(({ late }) => late),
    ),
    gauge("lintel_queue_dead", "Portals whose last job was given up.", [[{}, dead.length]]),
    gauge(
      "lintel_queue_processes",
      "Running processes.",
      roles.map((role) => [{ role }, inRole(role)]),
    ),
    gauge(
      "lintel_queue_stuck_processes",
      "Processes that cannot go on, such as without a repository.",
      [[{}, stuck]],
    ),
    gauge("lintel_queue_differences", "Ways in which the workers of a pool differ.", [
      [{}, warnings.length],
    ]),
    gauge("lintel_queue_drained", "Whether the queue is drained.", [[{}, Number(isDraining)]]),
    unsentMetric(unsent.map(({ receiver, events }) => [receiver, events])),
  ];
}
