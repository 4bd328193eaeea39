// A database → the one session that all states of a run share: begun when it is needed, pinned while it holds locks, begun anew after it was lost.
import type { Holder } from "../store.js";
import type { Database } from "../../state-address/database.js";
import { connect, settle, type Connecting, type Connection } from "./connection.js";
import { pooled, type Told } from "./refusal.js";
import { makeSchema } from "./schema.js";

export interface Session extends Connection {
  /** The process of the server, by which others see who holds a lock. */
  readonly pid: number;
  /** The holders of this session's locks, by the locks' keys: the server would give the same one twice. */
  readonly held: Map<string, Holder>;
  /** Asks now and then from here on, whether it is still there. */
  beat(): void;
  rest(): void;
}

export interface Sessions {
  /** For looking: whatever stands in between. */
  open(): Promise<Connection>;
  /** For locking: its settings are made, the schema is there, and no pooler hands its session to others. */
  pinned(holder: Holder): Promise<Session>;
  close(): Promise<void>;
}

/** Well before the server gives up a session whose other end does not answer. */
const BEAT_MS = 5_000;

export function openSessions(database: Database, connecting: Connecting, told: Told): Sessions {
  let current: Promise<Connection> | undefined;
  let pinning: { readonly on: Connection; readonly session: Promise<Session> } | undefined;

  async function open(): Promise<Connection> {
    const known = current;
    const connection = await known?.catch(() => undefined);
    if (connection && !connection.isOver()) return connection;
    // Another state of the run may have begun one meanwhile.
    if (current === known) current = connect(database, connecting);
    return current ?? open();
  }

  return {
    open,
    async pinned(holder) {
      const connection = await open();
      if (pinning?.on !== connection) {
        pinning = { on: connection, session: pin(connection, holder, database, connecting, told) };
        // Whoever comes after a failure tries again.
        const { session } = pinning;
        session.catch(() => (pinning = undefined));
      }
      return pinning.session;
    },
    async close() {
      const known = await current?.catch(() => undefined);
      const session = await pinning?.session.catch(() => undefined);
      session?.rest();
      await known?.close();
    },
  };
}

/** For a process that does not end: whoever comes to one database and schema gets the same session, and ends none. */
export function openSharedSessions() {
  const known = new Map<string, Sessions>();
  return {
    at: (...[database, connecting, told]: Parameters<typeof openSessions>): Sessions => {
      const { host, port, user, name, schema, sslmode } = database;
      const key = JSON.stringify([host, port, user, name, schema, sslmode]);
      const sessions = known.get(key) ?? openSessions(database, connecting, told);
      known.set(key, sessions);
      return { ...sessions, close: async () => {} };
    },
    async close() {
      for (const each of known.values()) await each.close();
    },
  };
}

async function pin(
  connection: Connection,
  holder: Holder,
  database: Database,
  connecting: Connecting,
  told: Told,
): Promise<Session> {
  const pid = await assertPinned(connection, database, connecting, told);
  await settle(connection, { application_name: programOf(holder) });
  await makeSchema(connection, database.schema, told);

  const { io } = connecting;
  let stop: (() => void) | undefined;
  return {
    ...connection,
    pid,
    held: new Map(),
    beat() {
      if (stop) return;
      stop = io.machine.every(BEAT_MS, async () => {
        // A session that is over is noticed at the next write.
        await connection.ask("SELECT 1").catch(() => {});
      });
    },
    rest() {
      stop?.();
      stop = undefined;
    },
  };
}

/** Names people and programs see beside the session, in pg_stat_activity; the server cuts it at 63 bytes. */
function programOf({ who, host, run }: Holder): string {
  return `lintel ${who}@${host} ${run}`.replace(/[^ -~]/g, "?").slice(0, 63);
}

/**
 * A server tells its process number when a connection begins. Where statements see another one, a pooler stands in
 * between: it keeps a session for the whole connection, or gives it to the next one after each transaction. A second
 * connection that holds a transaction then gets the session of the first, or makes it change.
 */
async function assertPinned(
  connection: Connection,
  database: Database,
  connecting: Connecting,
  told: Told,
): Promise<number> {
  const pid = await pidOf(connection);
  if ((await pidOf(connection)) !== pid) throw pooled(told);
  if (connection.toldPid === pid) return pid;
  const second = await connect(database, connecting);
  try {
    await second.ask("BEGIN");
    const seen = [await pidOf(second), await pidOf(connection), await pidOf(connection)];
    if (seen[0] === pid || seen.slice(1).some((each) => each !== pid)) throw pooled(told);
    await second.ask("COMMIT");
  } finally {
    await second.close();
  }
  return pid;
}

async function pidOf(connection: Connection): Promise<number> {
  const [found] = await connection.ask<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return found?.pid ?? 0;
}
