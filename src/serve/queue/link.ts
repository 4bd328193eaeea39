// The database of a queue → one connection to it, begun anew for as long as it takes where it was lost; whoever asks waits meanwhile, and for a server that is too slow.
import { mayNot, notUsable, type QueueAddress } from "./address.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import {
  connect,
  databaseSays,
  quoted,
  type Connecting,
  type Connection,
} from "../../state/postgres-connection.js";
import { settle } from "./session.js";

export type Ask = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** Whatever the server was too slow for, and has ended, is done again as well. */
export interface Link {
  readonly schema: string;
  /** One statement. Where the connection is lost, it is asked again: so let it be one that may be carried out twice. */
  readonly ask: Ask;
  /** Statements that nothing else is asked between; done again where the connection is lost. Errors are those of the server. */
  readonly alone: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  /** Statements that count together or not at all; where the connection is lost or others were in the way, the work is done again. */
  readonly together: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;
  /** Work that asks on other sessions of the same server: done again where one of them was lost. */
  readonly beside: <T>(work: () => Promise<T>) => Promise<T>;
  close(): Promise<void>;
}

export interface Linking extends Connecting {
  /** What people see beside the session, in pg_stat_activity. */
  readonly program: string;
  /** The server was lost or is too slow, and why; and it can be used again. */
  readonly lost: (why: Failure) => void;
  readonly back: () => void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** What the server had no time for is left alone for longer: it may be what makes the server slow. */
const LONGEST_SLOW_DELAY_MS = 30_000;

/** Fails where the first connection does; later ones are waited for. */
export async function openLink(address: QueueAddress, linking: Linking): Promise<Link> {
  const { io } = linking;
  const over = new AbortController();
  let connection: Connection = await begun(address, linking);
  let isAway = false;
  let last: Promise<unknown> = Promise.resolve();
  /** Whoever is to end does not wait for a server that is away: others do the rest. */
  const ending = AbortSignal.any([over.signal, io.signal]);
  const patiently = openPatience(address, linking, ending);

  async function connected(): Promise<Connection> {
    for (let delayMs = FIRST_DELAY_MS; connection.isOver();) {
      try {
        connection = await begun(address, linking);
      } catch (error) {
        if (ending.aborted || !(error instanceof Failure)) throw error;
        if (!isAway) linking.lost(error);
        isAway = true;
        await pauseOf(io, delayMs, ending);
        delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
      }
    }
    if (isAway) linking.back();
    isAway = false;
    return connection;
  }

  /** One after the other. */
  function inTurn<T>(work: (own: Connection) => Promise<T>): Promise<T> {
    const answer = last.then(async () => {
      for (;;) {
        const own = await connected();
        try {
          return await work(own);
        } catch (error) {
          if (isInTheWay(error)) continue;
          if (over.signal.aborted || !(await isLost(own, error))) throw error;
          await own.close();
        }
      }
    });
    last = answer.catch(() => undefined);
    return answer;
  }

  async function asked<T>(work: (own: Connection) => Promise<T>): Promise<T> {
    try {
      return await patiently(() => inTurn(work));
    } catch (error) {
      throw told(error, address);
    }
  }

  return {
    schema: address.database.schema,
    ask: (text, values) => asked((own) => own.ask(text, values)),
    alone: (work) => asked((own) => work((text, values) => own.ask(text, values))),
    together: (work) => asked((own) => transaction(own, work)),
    async beside(work) {
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
        try {
          return await patiently(work);
        } catch (error) {
          if (ending.aborted || !isOfConnection(error)) throw told(error, address);
        }
        await pauseOf(io, delayMs, ending);
        // Waits for as long as the server is away, and tells so.
        await asked((own) => own.ask("SELECT 1"));
      }
    },
    async close() {
      over.abort();
      await last;
      await connection.close();
    },
  };
}

/** Does what the server is too slow for again and again, until somebody is to end; what others ask comes in between. */
function openPatience(address: QueueAddress, { io, lost, back }: Linking, ending: AbortSignal) {
  /** Those that wait. */
  const slowed = new Set<object>();
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const own = {};
    try {
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_SLOW_DELAY_MS)) {
        try {
          const made = await work();
          if (slowed.delete(own) && slowed.size === 0) back();
          return made;
        } catch (error) {
          if (ending.aborted || !isTooSlow(error)) throw error;
          const why = told(error, address);
          if (slowed.size === 0 && why instanceof Failure) lost(why);
          slowed.add(own);
          await pauseOf(io, delayMs, ending);
          if (ending.aborted) throw error;
        }
      }
    } finally {
      slowed.delete(own);
    }
  };
}

/** Until it is interrupted; what cannot be put back then, because the server is away, others find when it is back. */
export async function untilInterrupted(
  { signal }: Pick<Io, "signal">,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isLeft = error instanceof Failure && error.code === "queue-not-usable";
    if (!(signal.aborted && isLeft)) throw error;
  }
}

async function begun(address: QueueAddress, linking: Linking): Promise<Connection> {
  const { database } = address;
  let connection: Connection | undefined;
  try {
    connection = await connect(database, linking);
    const schema = quoted(database.schema);
    await settle(connection, { application_name: linking.program, search_path: schema });
    return connection;
  } catch (error) {
    await connection?.close();
    throw told(error, address);
  }
}

async function transaction<T>(own: Connection, work: (ask: Ask) => Promise<T>): Promise<T> {
  await own.ask("BEGIN");
  try {
    const made = await work((text, values) => own.ask(text, values));
    await own.ask("COMMIT");
    return made;
  } catch (error) {
    if (!own.isOver()) await own.ask("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Two that waited for each other, of which the server ended one. */
function isInTheWay(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error));
}

/** It was ended by the server for the time that it took, itself or what it waited for. */
function isTooSlow(error: unknown): boolean {
  return /^(57014|55P03)$/.test(codeOf(error));
}

async function isLost(own: Connection, error: unknown): Promise<boolean> {
  // The end of a connection is told right after that of what was asked on it.
  await new Promise((turn) => setImmediate(turn));
  return own.isOver() || /^(57P0|08)/.test(codeOf(error));
}

/** Of one that was to begin, or that had begun; the server may also have no room for it. */
function isOfConnection(error: unknown): boolean {
  const { message } = error as Error;
  return (
    /^(57P0|08|53|E[A-Z]+$)/.test(codeOf(error)) ||
    /Connection terminated|Client was closed|not queryable|timeout/.test(message)
  );
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function told(error: unknown, address: QueueAddress): unknown {
  if (error instanceof Failure) return error;
  if (codeOf(error) === "42501") return mayNot(address, error);
  const said = databaseSays(error, address.told.names);
  return said ? notUsable(address.told, said.why, said.help ?? "", error) : error;
}

async function pauseOf(io: Io, ms: number, signal: AbortSignal): Promise<void> {
  await io.sleep(Math.round(ms * (0.5 + io.random() / 2)), signal).catch(() => undefined);
}
