// Wraps pg-boss: one job queue for each pool, and one for the tick of each minute.
import type PgBoss from "pg-boss";
import { notUsable } from "./address.js";
import type { Query, QueueDatabase } from "./database.js";
import type { Io } from "../../io.js";

export interface PortalJob {
  readonly key: string;
  /** The commit at the time of the job. A worker checks the newest one. */
  readonly commit: string;
  /** For a job that is tried again: since when, by the server's clock. */
  readonly waitingSinceMs?: number;
}

export interface DueJob extends PortalJob {
  readonly pool: string;
  readonly isBoundary: boolean;
}

export interface JobsOptions {
  readonly io: Pick<Io, "signal">;
  readonly database: QueueDatabase;
  /** Whether it may create its tables. */
  readonly mayMake: boolean;
  /** A job that runs longer goes to another worker. */
  readonly expireInSeconds: number;
  readonly onError: (message: string) => void;
}

const TICK = "tick";
const DEAD = "dead-portals";
const MAINTENANCE_S = 10;
const RETRIES = { retryLimit: 2, retryDelay: 5, retryBackoff: true } as const;
/** Completed jobs are not needed: snapshots and events hold the results. */
const KEEP_S = 3_600;
/** A stopping worker has this long to finish its jobs; other workers get the rest. */
export const ENDING_MS = 25_000;

/** The value that pg-boss expects for "nothing". */
const NO_ROWS = undefined as unknown as object[];

function queueOf(pool: string): string {
  return `portals-${pool}`;
}

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { database, mayMake, expireInSeconds } = options;
  const { default: Boss } = await import("pg-boss");
  const executeSql = async (text: string, values: unknown[] = []) => {
    try {
      return { rows: (await database.query<object>(text, values)) as object[] };
    } catch (error) {
      // pg-boss does not await completions, so an error would end the process.
      if (options.io.signal.aborted) return { rows: NO_ROWS };
      throw error;
    }
  };
  const boss = new Boss({
    db: { executeSql },
    schema: database.at.jobs,
    migrate: mayMake,
    maintenanceIntervalSeconds: MAINTENANCE_S,
    archiveCompletedAfterSeconds: KEEP_S,
    archiveFailedAfterSeconds: KEEP_S,
    deleteAfterSeconds: KEEP_S,
    expireInSeconds,
    ...RETRIES,
  });
  boss.on("error", ({ message }) => options.onError(message));
  await boss.start().catch((error: unknown) => {
    const { message } = error as Error;
    if (!/migrations|not installed/.test(message)) throw error;
    const help = "Run the same version of Lintel on every machine.";
    throw notUsable(database.at.labels, "another version of pg-boss made its job tables", help);
  });
  const jobs = new Jobs(boss, expireInSeconds);
  await jobs.prepare();
  return jobs;
}

export class Jobs {
  readonly #boss: PgBoss;
  readonly #expireInSeconds: number;
  readonly #made = new Set<string>();

  constructor(boss: PgBoss, expireInSeconds: number) {
    this.#boss = boss;
    this.#expireInSeconds = expireInSeconds;
  }

  async prepare(): Promise<void> {
    await this.#assertQueue(DEAD);
    await this.#assertQueue(TICK, { policy: "short", retryLimit: 0 });
    await this.#boss.schedule(TICK, "* * * * *");
  }

  /** Lintel never delays a job by a day. A row with a date far ahead would block all later jobs. */
  async repair({ query, at }: Pick<QueueDatabase, "query" | "at">): Promise<void> {
    await query(
      `DELETE FROM ${at.jobs}.job WHERE (name = '${TICK}' OR name LIKE 'portals-%')
         AND state < 'active' AND start_after > now() + interval '1 day'`,
    );
    await this.#boss.schedule(TICK, "* * * * *");
  }

  /** Uses the transaction of `query`. A portal with a waiting job gets no second one. */
  async insert(jobs: readonly DueJob[], query: Query, delayS = 0): Promise<void> {
    if (jobs.length === 0) return;
    for (const pool of new Set(jobs.map(({ pool: each }) => each))) await this.#assertPool(pool);
    const inserted = jobs.map(({ pool, isBoundary, ...data }) => ({
      name: queueOf(pool),
      data,
      singletonKey: data.key,
      // Window boundaries come first, because visitors see them.
      priority: isBoundary ? 1 : 0,
      deadLetter: DEAD,
      expireInSeconds: this.#expireInSeconds,
      // By the server's clock.
      ...(delayS > 0 && { startAfter: String(delayS) }),
    }));
    const executeSql = async (text: string, values: unknown[]) => ({
      rows: (await query<object>(text, values)) as object[],
    });
    await this.#boss.insert(inserted, { db: { executeSql } });
  }

  /** Runs `concurrency` jobs of the pool at a time. A job that throws is tried again. */
  async work(
    pool: string,
    concurrency: number,
    handle: (job: PortalJob) => Promise<void>,
  ): Promise<void> {
    await this.#assertPool(pool);
    const options = { batchSize: 1, pollingIntervalSeconds: 1 };
    for (let nth = 0; nth < concurrency; nth++) {
      const id: string = await this.#boss.work<PortalJob>(queueOf(pool), options, async ([job]) => {
        if (!job) return;
        // Fetches the next job at once instead of at the next poll.
        this.#boss.notifyWorker(id);
        await handle(job.data);
      });
    }
  }

  pause(pool: string): Promise<void> {
    return this.#boss.offWork(queueOf(pool));
  }

  /** Runs once a minute, in one process. */
  async onTick(tick: () => Promise<void>): Promise<void> {
    await this.#boss.work(TICK, { pollingIntervalSeconds: 2 }, async () => tick());
  }

  /** The job is tried again, as if it had thrown. */
  fail(queue: string, id: string): Promise<void> {
    return this.#boss.fail(queue, id, { message: "The worker is gone." });
  }

  /** The keys of portals whose jobs failed three times. */
  async takeDead(): Promise<readonly string[]> {
    const dead = await this.#boss.fetch<PortalJob>(DEAD, { batchSize: 1000 });
    const ids = dead.map(({ id }) => id);
    if (ids.length > 0) await this.#boss.complete(DEAD, ids);
    return dead.flatMap(({ data }: { readonly data: PortalJob | null }) => data?.key ?? []);
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: true, timeout: ENDING_MS, close: false });
  }

  async #assertPool(pool: string): Promise<void> {
    await this.#assertQueue(queueOf(pool), { policy: "short", deadLetter: DEAD });
  }

  async #assertQueue(name: string, more: Partial<PgBoss.Queue> = {}): Promise<void> {
    if (this.#made.has(name)) return;
    const expireInSeconds = this.#expireInSeconds;
    await this.#boss.createQueue(name, { name, ...RETRIES, expireInSeconds, ...more });
    this.#made.add(name);
  }
}
