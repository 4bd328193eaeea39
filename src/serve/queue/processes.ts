// Registers the processes of a queue: each refreshes its own row every few seconds, so that others see that it runs.
import { randomUUID } from "node:crypto";
import type { Query, QueueDatabase } from "./database.js";
import { factsIn } from "./shapes.js";
import { groupBy } from "../../lib/lists.js";

/** What a process reports about itself. */
export interface Facts {
  readonly role: "serve" | "worker";
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly pools?: readonly string[];
  /** What it may apply. */
  readonly apply?: readonly string[];
  /** The digest of its own policies; null if it has none. */
  readonly policies?: string | null;
  /** The newest fetched or listed commit. */
  readonly commit?: string | null;
  /** Why a worker takes no jobs, or a `serve` lists no newer commit. */
  readonly stuck?: string | undefined;
  /** The keys of the portals whose jobs it runs. */
  readonly doing?: readonly string[];
}

export interface Process extends Omit<Facts, "stuck" | "doing"> {
  /** The portals that it checks now. */
  readonly doing?: readonly string[];
  /** Why it takes no jobs, or lists no newer commit; else null. */
  readonly stuck: string | null;
  /** When it started. */
  readonly since: string;
  /** Its last refresh. */
  readonly seen: string;
}

/** Without a refresh for this long, a process counts as gone. */
export const GONE_AFTER = "30 seconds";
export const REFRESH_MS = 5_000;

export function openProcess({ query }: Pick<QueueDatabase, "query">) {
  const id = randomUUID();
  return {
    id,
    async refresh(facts: Facts): Promise<void> {
      await query(
        `INSERT INTO SCHEMA.process (id, facts) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET facts = excluded.facts, seen = now()`,
        [id, JSON.stringify(facts)],
      );
    },
    /** One `serve` of several sends events to webhooks, until it is gone. */
    async isSender(): Promise<boolean> {
      const taken = await query(
        `UPDATE SCHEMA.queue SET sender = $1, sender_until = now() + interval '${GONE_AFTER}'
         WHERE sender = $1 OR sender_until < now() OR sender_until > now() + interval '1 hour'
         RETURNING sender`,
        [id],
      );
      return taken.length > 0;
    },
    async end(): Promise<void> {
      await query("DELETE FROM SCHEMA.process WHERE id = $1", [id]);
      await query("UPDATE SCHEMA.queue SET sender_until = '-infinity' WHERE sender = $1", [id]);
    },
  };
}

export async function runningProcesses(query: Query): Promise<readonly Process[]> {
  const rows = await query<{ facts: string; since: string; seen: string }>(
    `SELECT facts, ${iso("since")} AS since, ${iso("seen")} AS seen FROM SCHEMA.process
     WHERE seen BETWEEN now() - interval '${GONE_AFTER}' AND now() + interval '1 hour'
     ORDER BY since, id`,
  );
  return rows.flatMap(({ facts, ...times }) => {
    const read = factsIn(facts);
    return read ? [{ ...read, stuck: read.stuck ?? null, ...times }] : [];
  });
}

/** A moment in the format of JSON documents. */
export function iso(moment: string): string {
  const usual = `CASE WHEN ${moment} NOT BETWEEN '1970-01-01' AND '9999-12-31' THEN now() ELSE ${moment} END`;
  return `to_char((${usual}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The differences between workers of one pool: any of them may check any of its portals. */
export function differencesOf(processes: readonly Process[]): readonly string[] {
  const workers = processes.filter(({ role }) => role === "worker");
  const pools = [...new Set(workers.flatMap(({ pools: own = [] }) => own))].toSorted();
  return pools.flatMap((pool) => {
    const own = workers.filter(({ pools: named = [] }) => named.includes(pool));
    return KINDS.flatMap(([what, valueOf, same]) => {
      const byValue = [...groupBy(own, valueOf)].toSorted(([one], [other]) =>
        one < other ? -1 : 1,
      );
      if (byValue.length < 2) return [];
      const shown = byValue.map(
        ([value, some]) =>
          `${value} (${some.map(({ host, pid }) => `${host} process ${pid}`).join(", ")})`,
      );
      return [
        `The workers of the pool "${pool}" have different ${what}: ${shown.join("; ")}. Give all of them the same ${same}.`,
      ];
    });
  });
}

const KINDS: readonly (readonly [
  what: string,
  valueOf: (worker: Process) => string,
  same: string,
])[] = [
  ["versions", ({ version }) => version, "version of Lintel"],
  ["policies", ({ policies }) => policies?.slice(0, 10) ?? "none", "--policy or LINTEL_POLICY"],
  ["permissions", ({ apply = [] }) => `--apply ${apply.join(",") || "nothing"}`, "--apply"],
];

/** Undefined while a worker takes jobs and newer commits are listed. */
export function whyNothingIsChecked(processes: readonly Process[]): string | undefined {
  const workers = processes.filter(({ role }) => role === "worker");
  if (workers.length === 0) return "No worker is running. No portal is checked.";
  const [stuck] = workers;
  if (stuck?.stuck != null && workers.every((each) => each.stuck !== null))
    return `No worker takes jobs. No portal is checked. ${stuck.stuck}`;
  const serves = processes.filter(({ role }) => role === "serve");
  const unlisted = serves.find((each) => each.stuck !== null);
  if (unlisted && serves.every((each) => each.stuck !== null))
    return `Portals are checked at an older commit. ${unlisted.stuck}`;
  return undefined;
}
