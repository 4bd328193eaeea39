// Connects to the database of the queue, with one pool for Lintel's tables and pg-boss. Waits while the server is down.
import type { Pool, PoolClient } from "pg";
import { mayNotMake, notUsable, type QueueAddress } from "./address.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { backOffMs, pause } from "../../lib/retry.js";
import {
  clientConfigOf,
  databaseSays,
  quoted,
  withoutPassword,
  type Connecting,
} from "../../state/postgres-connection.js";

export type Query = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

export interface QueueDatabase {
  readonly at: QueueAddress;
  /**
   * Runs one statement, and repeats it if the connection is lost, so it must be safe to run twice. `SCHEMA.` stands for
   * the schema of the queue, because a pooler may give each statement another session.
   */
  readonly query: Query;
  /** Runs statements as one transaction, and repeats it if the connection is lost. */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** Since when statements fail; undefined while the server answers. */
  outageSinceMs(): number | undefined;
  /** Calls the listener at the start of an outage, with the reason, and at its end. */
  onOutage(listener: (why?: Failure) => void): void;
  close(): Promise<void>;
}

export interface DatabaseOptions extends Connecting {
  /** The name of the sessions in pg_stat_activity. */
  readonly program: string;
}

/** One for statements that wait for a lock; the others for pg-boss and parallel work. */
const MOST_CONNECTIONS = 4;
const WAITS = { leastMs: 100, mostMs: 5_000 };
/**
 * A machine that is suspended in a transaction keeps its locks. With this limit the server ends that session. It is set
 * here, because a pooler refuses startup parameters that it does not know.
 */
const BEGIN = `BEGIN;
  SET LOCAL idle_in_transaction_session_timeout = '10s';
  SET LOCAL lock_timeout = '20s'`;

/** Fails if the first connection fails; waits for later ones. */
export async function openQueueDatabase(
  at: QueueAddress,
  options: DatabaseOptions,
): Promise<QueueDatabase> {
  const config = await clientConfigOf(at.database, options);
  const { default: pg } = await import("pg");
  const pool: Pool = new pg.Pool({
    ...config,
    max: MOST_CONNECTIONS,
    application_name: options.program,
  });
  // The pool replaces an idle connection that ended.
  pool.on("error", ignore);
  const runner = new Runner(pool, at, options);
  await runner.assertReachable();
  return runner;
}

class Runner implements QueueDatabase {
  readonly at: QueueAddress;
  readonly #pool: Pool;
  readonly #options: DatabaseOptions;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #listeners: ((why?: Failure) => void)[] = [];
  #isClosing = false;
  #lostMs: number | undefined;

  constructor(pool: Pool, at: QueueAddress, options: DatabaseOptions) {
    this.#pool = pool;
    this.at = at;
    this.#options = options;
  }

  readonly query: Query = (text, values) =>
    this.#tracked(this.#patiently((query) => query(text, values)));

  readonly transaction = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    this.#tracked(
      this.#patiently(async (query) => {
        await query(BEGIN);
        const made = await work(query);
        await query("COMMIT");
        return made;
      }),
    );

  readonly outageSinceMs = (): number | undefined => this.#lostMs;

  readonly onOutage: QueueDatabase["onOutage"] = (listener) => void this.#listeners.push(listener);

  async assertReachable(): Promise<void> {
    try {
      await this.#once((query) => query("SELECT 1"));
    } catch (error) {
      await this.#pool.end();
      throw explained(error, this.at);
    }
  }

  async close(): Promise<void> {
    // pg-boss completes jobs without waiting for the answer.
    await Promise.allSettled(this.#underWay);
    this.#isClosing = true;
    await this.#pool.end();
  }

  async #once<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // The pool itself handles only idle connections that end.
    client.on("error", ignore);
    let failed: Error | undefined;
    try {
      return await work(this.#queryOn(client));
    } catch (error) {
      failed = error as Error;
      throw withoutPassword(error, client);
    } finally {
      client.off("error", ignore);
      // The failed work may have left a transaction open.
      client.release(failed);
    }
  }

  #queryOn(client: PoolClient): Query {
    const schema = `${quoted(this.at.database.schema)}.`;
    return async (text, values = []) =>
      (await client.query(text.replaceAll("SCHEMA.", schema), [...values])).rows;
  }

  async #patiently<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const { io } = this.#options;
    for (let failures = 1; ; failures++) {
      const beganMs = io.now();
      try {
        const made = await this.#once(work);
        if (this.#lostMs !== undefined) this.#setLost(undefined);
        return made;
      } catch (error) {
        const why = explained(error, this.at);
        if (this.#isClosing || io.signal.aborted || !mayTryAgain(error)) throw why;
        if (this.#lostMs === undefined && why instanceof Failure) this.#setLost(beganMs, why);
        await pause(backOffMs(failures, WAITS, io.random()), io).catch(() => undefined);
      }
    }
  }

  #setLost(sinceMs: number | undefined, why?: Failure): void {
    this.#lostMs = sinceMs;
    for (const listener of this.#listeners) listener(why);
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = () => void this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }
}

function ignore(): void {}

const PROMPT_MS = 3_000;

/** For a person who waits: fails while the server is down. */
export async function promptly<T>(
  database: Pick<QueueDatabase, "at" | "outageSinceMs">,
  io: Pick<Io, "sleep">,
  ask: () => Promise<T>,
): Promise<T> {
  const away = () => notUsable(database.at.labels, "its server does not answer", "");
  if (database.outageSinceMs() !== undefined) throw away();
  const over = new AbortController();
  const limit = io.sleep(PROMPT_MS, over.signal).then(() => {
    throw away();
  });
  const answer = ask();
  for (const each of [limit, answer]) each.catch(ignore);
  return Promise.race([answer, limit]).finally(() => over.abort());
}

/** For a lost connection, a slow or read-only server, and a deadlock of two transactions. */
function mayTryAgain(error: unknown): boolean {
  return isOfConnection(error) || /^(57014|55P03|40001|40P01|25P03|25006)$/.test(codeOf(error));
}

function isOfConnection(error: unknown): boolean {
  const { message = "" } = error as Partial<Error>;
  return (
    /^(57P0|08|53|E[A-Z]+$)/.test(codeOf(error)) ||
    /Connection terminated|Client was closed|not queryable|timeout/.test(message)
  );
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function explained(error: unknown, at: QueueAddress): unknown {
  if (error instanceof Failure) return error;
  if (codeOf(error) === "42501") return mayNotMake(at);
  const reason = databaseSays(error, at.labels.names);
  return reason ? notUsable(at.labels, reason.why, reason.help ?? "", error) : error;
}
