// The tables of a queue → how it stands: its pools, its processes and what they do, what waits to be sent; and what people may tell it to do.
import { knownOf } from "./queue-store.js";
import type { Link } from "./link.js";
import type { Facts } from "./presence.js";
import { unsentMetric, type Metric } from "../dashboard/metrics.js";
import type { Io } from "../../io.js";
import { parseJson } from "../../lib/json.js";

export interface QueueStanding {
  readonly revision: {
    readonly number: number;
    readonly commit: string | null;
    readonly publishedMs: number | null;
  };
  readonly isDraining: boolean;
  readonly pools: readonly PoolStanding[];
  readonly processes: readonly ProcessStanding[];
  readonly unsent: readonly {
    readonly receiver: string;
    readonly events: number;
    readonly sinceMs: number;
  }[];
}

export interface PoolStanding {
  readonly name: string;
  readonly portals: number;
  /** Whose turn has come, and nobody has begun. */
  readonly waiting: number;
  readonly underWay: number;
  /** Of those that wait, since more than a minute after their time. */
  readonly late: number;
  /** Of all, at the last look. */
  readonly failed: number;
  readonly stopped: number;
  readonly held: number;
}

export interface ProcessStanding {
  readonly facts: Facts;
  readonly sinceMs: number;
  /** The names of the portals that it is at, the longest first, and since when. */
  readonly doing: readonly { readonly portal: string; readonly sinceMs: number }[];
}

const MS = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;

export async function readStanding({ ask }: Pick<Link, "ask">): Promise<QueueStanding> {
  const [queue] = await ask<{
    revision: string;
    commit: string | null;
    at: number | null;
    draining: boolean;
  }>(`SELECT revision, commit, ${MS("revised_at")} AS at, is_draining AS draining FROM queue`);
  const pools = await ask<PoolStanding>(
    `SELECT pool AS name, count(*)::int AS portals,
       (count(*) FILTER (WHERE worker IS NULL AND due <= now()))::int AS waiting,
       (count(*) FILTER (WHERE worker IS NOT NULL))::int AS "underWay",
       (count(*) FILTER (WHERE worker IS NULL AND due < now() - interval '1 minute'))::int AS late,
       (count(*) FILTER (WHERE k.status IN ('invalid', 'unreachable')))::int AS failed,
       (count(*) FILTER (WHERE k.status = 'pending' AND (k.known::jsonb -> 'seen') ? 'failure'))::int AS stopped,
       (count(*) FILTER (WHERE k.status = 'held'))::int AS held
     FROM portal LEFT JOIN known k USING (key) GROUP BY pool ORDER BY pool`,
  );
  const processes = await ask<{ number: number; facts: string; at: number }>(
    `SELECT number, facts, ${MS("since")} AS at FROM process
     WHERE number IN (SELECT number FROM alive) ORDER BY number`,
  );
  const doing = await ask<{ worker: number; key: string; known: string | null; at: number }>(
    `SELECT p.worker, p.key, k.known, ${MS("p.since")} AS at FROM portal p LEFT JOIN known k USING (key)
     WHERE p.worker IS NOT NULL ORDER BY p.since, p.key`,
  );
  const unsent = await ask<{ receiver: string; events: number; sinceMs: number }>(
    `SELECT receiver, count(*)::int AS events, min(${MS("recorded")}) AS "sinceMs"
     FROM unsent JOIN event USING (number) GROUP BY receiver ORDER BY receiver`,
  );
  return {
    revision: {
      number: Number(queue?.revision ?? 0),
      commit: queue?.commit ?? null,
      publishedMs: queue?.at ?? null,
    },
    isDraining: queue?.draining ?? false,
    pools,
    processes: processes.map(({ number, facts, at }) => ({
      facts: factsIn(facts),
      sinceMs: at,
      doing: doing
        .filter(({ worker }) => worker === number)
        .map((each) => ({ portal: nameOf(each), sinceMs: each.at })),
    })),
    unsent,
  };
}

/** Of a process that lives, whatever somebody has made of its row. */
function factsIn(text: string): Facts {
  const facts = parseJson(text) as Partial<Facts> | null | undefined;
  return facts?.role && facts.host ? (facts as Facts) : UNREADABLE;
}

const UNREADABLE: Facts = { role: "worker", host: "unknown", pid: 0, version: "unknown" };

/** Whoever asks for figures waits no longer than that, well within what Prometheus waits. */
const LONGEST_MS = 3_000;

/** Figures that are the same whichever process is asked; of a queue whose database does not answer, that it does not. */
export function openQueueMetrics(link: Pick<Link, "ask">, io: Pick<Io, "sleep">) {
  let asking: Promise<QueueStanding> | undefined;
  return async (): Promise<readonly Metric[]> => {
    // One question at a time, lest they pile up for as long as the server is away.
    asking ??= readStanding(link).finally(() => (asking = undefined));
    const over = new AbortController();
    const late = io.sleep(LONGEST_MS, over.signal).catch(() => undefined);
    const standing = await Promise.race([asking, late.then(() => undefined)]);
    over.abort();
    asking?.catch(() => undefined);
    return [up(standing !== undefined), ...(standing ? figuresOf(standing) : [])];
  };
}

function up(isUp: boolean): Metric {
  const help = "Whether the database of the queue answers.";
  return { name: "lintel_queue_up", help, type: "gauge", values: [[{}, Number(isUp)]] };
}

function figuresOf({ pools, processes, unsent, revision, isDraining }: QueueStanding): Metric[] {
  const byPool = (name: string, help: string, of: (pool: PoolStanding) => number): Metric => ({
    name,
    help,
    type: "gauge",
    values: pools.map((pool) => [{ pool: pool.name }, of(pool)]),
  });
  const roles = ["serve", "worker"] as const;
  return [
    byPool(
      "lintel_queue_waiting",
      "Portals whose turn has come, and that nobody has begun.",
      ({ waiting }) => waiting,
    ),
    byPool("lintel_queue_under_way", "Portals that a worker is at.", (pool) => pool.underWay),
    byPool(
      "lintel_queue_late",
      "Portals that wait since more than a minute after their time.",
      ({ late }) => late,
    ),
    {
      name: "lintel_queue_processes",
      help: "Processes of the queue that live.",
      type: "gauge",
      values: roles.map((role) => [
        { role },
        processes.filter(({ facts }) => facts.role === role).length,
      ]),
    },
    {
      name: "lintel_queue_drained",
      help: "Whether nothing new is begun, because somebody has drained the queue.",
      type: "gauge",
      values: [[{}, Number(isDraining)]],
    },
    unsentMetric(unsent.map(({ receiver, events }) => [receiver, events])),
    {
      name: "lintel_queue_revision",
      help: "The number of the revision that is published.",
      type: "gauge",
      values: [[{}, revision.number]],
    },
  ];
}

function nameOf({ key, known }: { readonly key: string; readonly known: string | null }): string {
  return knownOf(known)?.seen.name ?? key;
}

/** The keys of all portals, by the names that people know them by. */
export async function portalsByName({
  ask,
}: Pick<Link, "ask">): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await ask<{ key: string; known: string | null }>(
    "SELECT key, known FROM portal LEFT JOIN known USING (key)",
  );
  const found = new Map<string, readonly string[]>();
  for (const row of rows) found.set(nameOf(row), [...(found.get(nameOf(row)) ?? []), row.key]);
  return found;
}

/** Those of the keys are due now; without any, those that failed or were put off. How many. */
export async function retry(
  { ask }: Pick<Link, "ask">,
  keys: readonly string[] | undefined,
): Promise<number> {
  const due = await ask(
    `UPDATE portal p SET due = now(), put_off = NULL
     WHERE worker IS NULL AND queued IS NULL AND due < 'infinity' AND CASE
       WHEN $1::text[] IS NULL THEN put_off IS NOT NULL OR EXISTS (
         SELECT FROM known k WHERE k.key = p.key AND k.status IN ('invalid', 'unreachable')
       )
       ELSE key = ANY($1::text[]) END
     RETURNING key`,
    [keys ?? null],
  );
  return due.length;
}

/** From when it returns on, nothing new is begun; or everything is again. */
export async function drain({ ask }: Pick<Link, "ask">, isDraining: boolean): Promise<void> {
  await ask("UPDATE queue SET is_draining = $1", [isDraining]);
}

export async function underWay({ ask }: Pick<Link, "ask">): Promise<number> {
  const [row] = await ask<{ count: number }>(
    "SELECT count(*)::int AS count FROM portal WHERE worker IN (SELECT number FROM alive)",
  );
  return row?.count ?? 0;
}
