// The jobs of a queue, by pg-boss over a connection of ours: sent, fetched, ended. The only owner of pg-boss.
import type PgBoss from "pg-boss";
import { mayNotMake, notUsable, type QueueAddress } from "./address.js";
import type { Ask, Link } from "./link.js";

export interface Job {
  readonly id: string;
  readonly key: string;
}

export interface ToSend {
  readonly key: string;
  readonly pool: string;
  readonly isBoundary: boolean;
}

export type Boss = Awaited<ReturnType<typeof openBoss>>;

/** A look ends long before; what a killed process had is put back as soon as its lock is gone. */
const LAST_RESORT_S = 15 * 60;

async function load(): Promise<typeof PgBoss> {
  return (await import("pg-boss")).default;
}

/** Its own statements for that, but for one: a role that may not make a schema may not even say "if not exists". */
export async function makeJobTables(link: Link, address: QueueAddress): Promise<void> {
  const { jobs } = address;
  const [found] = await link.ask<{ tables: string | null; schema: string | null }>(
    "SELECT to_regclass($1)::text AS tables, to_regnamespace($2)::text AS schema",
    [`${jobs}.version`, jobs],
  );
  if (found?.tables) return;
  const whole = (await load()).getConstructionPlans(jobs);
  const plans = found?.schema ? whole.replace(/CREATE SCHEMA IF NOT EXISTS \w+\s*;/, "") : whole;
  try {
    await link.together((ask) => ask(withinTransaction(plans)));
  } catch (error) {
    // Another one was faster: at the same moment, or right before.
    if (causeCode(error) === "23505") return makeJobTables(link, address);
    if (["42P06", "42P07", "42710"].includes(causeCode(error))) return;
    throw causeCode(error) === "42501" ? mayNotMake(address) : error;
  }
}

function causeCode(error: unknown): string {
  return String(((error as Error).cause as { code?: unknown } | undefined)?.code);
}

/** Where it fails in the middle, its own BEGIN would stay open on the connection that all else is asked on. */
function withinTransaction(text: string): string {
  return text.replace(/^\s*BEGIN;/, "").replace(/COMMIT;\s*$/, "");
}

/** Over the link, with nothing that goes on by timers which nobody sees. */
async function begun(link: Link, { jobs, told }: QueueAddress, keepMs: number): Promise<PgBoss> {
  const executeSql = async (text: string, values: unknown[] = []) => {
    if (!/^\s*BEGIN;/.test(text)) return { rows: [...(await link.ask(text, values))] };
    await link.together((ask) => ask(withinTransaction(text)));
    return { rows: [] };
  };
  const boss = new (await load())({
    db: { executeSql },
    schema: jobs,
    migrate: false,
    supervise: false,
    schedule: false,
    deleteAfterSeconds: Math.ceil(keepMs / 1000),
  });
  try {
    return await boss.start();
  } catch (error) {
    if (!(error instanceof Error && /migrations/.test(error.message))) throw error;
    const help = "Run the same version of Lintel everywhere.";
    throw notUsable(told, `its jobs in "${jobs}" are kept by another version of pg-boss`, help);
  }
}

/** For what is asked within a transaction of ours. pg-boss takes an error of a fetch for a lost race, and says nothing. */
function within(ask: Ask) {
  let failed: { readonly error: unknown } | undefined;
  const executeSql = async (text: string, values: unknown[]) => {
    try {
      return { rows: [...(await ask(text, values))] };
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  const assertAsked = () => {
    if (failed) throw failed.error;
  };
  return { db: { executeSql }, assertAsked };
}

export async function openBoss(link: Link, address: QueueAddress, keepMs: number) {
  const boss = await begun(link, address, keepMs);
  const prepared = new Set<string>();
  return {
    /** Made where they are not there yet. */
    async prepare(pools: Iterable<string>): Promise<void> {
      for (const pool of pools) {
        if (prepared.has(pool)) continue;
        const options = { policy: "short", retryLimit: 0, expireInSeconds: LAST_RESORT_S } as const;
        await boss.createQueue(nameOf(pool), { name: nameOf(pool), ...options });
        prepared.add(pool);
      }
    },
    /** One that waits already is not sent again. */
    async send(ask: Ask, all: readonly ToSend[]): Promise<void> {
      if (all.length === 0) return;
      const inserted = all.map(({ key, pool, isBoundary }) => ({
        name: nameOf(pool),
        data: { key },
        singletonKey: key,
        priority: isBoundary ? 1 : 0,
      }));
      await boss.insert(inserted, within(ask));
    },
    /** Boundaries first, because they are told to the minute. */
    async fetch(ask: Ask, pool: string, most: number): Promise<readonly Job[]> {
      const { db: own, assertAsked } = within(ask);
      const fetched = await boss.fetch<{ key: string }>(nameOf(pool), { batchSize: most, db: own });
      assertAsked();
      return fetched.map(({ id, data }) => ({ id, key: data.key }));
    },
    /** What a look that found nothing new was done by leaves no row; any other is kept for as long as events are. */
    async end(ask: Ask, pool: string, id: string, found: object | undefined): Promise<void> {
      if (found) await boss.complete(nameOf(pool), id, found, within(ask));
      else await boss.deleteJob(nameOf(pool), id, within(ask));
    },
    /** Of a process that was killed, or that goes. */
    async giveUp(ask: Ask, pool: string, ids: readonly string[], why: string): Promise<void> {
      for (const id of ids) await boss.fail(nameOf(pool), id, { why }, within(ask));
    },
    /** Ends what nobody has ended for too long, and drops what was kept for long enough. */
    maintain: () => boss.maintain(),
    stop: () => boss.stop({ graceful: false }),
  };
}

export function nameOf(pool: string): string {
  return `portals-${pool}`;
}
