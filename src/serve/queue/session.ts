// The database of a queue → the one session that holds the locks of a process: no pooler hands it to others, and it is begun anew after it was lost.
import { connect, type Connecting, type Connection } from "../../state/postgres-connection.js";
import { notUsable, type QueueAddress } from "./address.js";

export interface Sessions {
  /** Its settings are made. Another one after that was lost. `program` is what people see beside it, in pg_stat_activity. */
  pinned(program: string): Promise<Connection>;
  close(): Promise<void>;
}

/** Well before the server gives up a session whose other end does not answer. */
const BEAT_MS = 5_000;

export function openSessions(address: QueueAddress, connecting: Connecting): Sessions {
  let pinning: Promise<Connection> | undefined;
  return {
    async pinned(program) {
      const known = pinning;
      const session = await known?.catch(() => undefined);
      if (session && !session.isOver()) return session;
      // Another part of the process may have begun one meanwhile.
      if (pinning === known) pinning = pin(address, connecting, program);
      return pinning as Promise<Connection>;
    },
    async close() {
      const session = await pinning?.catch(() => undefined);
      await session?.close();
    },
  };
}

async function pin(
  address: QueueAddress,
  connecting: Connecting,
  program: string,
): Promise<Connection> {
  const connection = await connect(address.database, connecting);
  try {
    await assertPinned(connection, address, connecting);
    await settle(connection, { application_name: program });
  } catch (error) {
    await connection.close();
    throw error;
  }
  const stop = connecting.io.machine.every(BEAT_MS, async () => {
    // A session that is over is noticed at the next use.
    await connection.ask("SELECT 1").catch(() => {});
  });
  return {
    ...connection,
    close: async () => {
      stop();
      await connection.close();
    },
  };
}

/**
 * The server notices a dead process after 30 seconds, and not before that one has noticed that the server is away; no
 * statement holds up the others for long. The names are settings of some versions or of all.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: "20s",
  lock_timeout: "10s",
  idle_in_transaction_session_timeout: "30s",
  idle_session_timeout: "0",
  tcp_keepalives_idle: "15",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "30000",
};

/** For a session that lasts: the settings of all such, and its own, as far as the server knows them. */
export async function settle(
  { ask }: Pick<Connection, "ask">,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  await ask(
    `SELECT set_config(name, given.value, false) FROM pg_settings
     JOIN json_each_text($1::json) given ON given.key = name`,
    [JSON.stringify({ ...SETTINGS, ...own })],
  );
}

/**
 * A server tells its process number when a connection begins. Where statements see another one, a pooler stands in
 * between: it keeps a session for the whole connection, or gives it to the next one after each transaction. A second
 * connection that holds a transaction then gets the session of the first, or makes it change.
 */
async function assertPinned(
  connection: Connection,
  address: QueueAddress,
  connecting: Connecting,
): Promise<void> {
  const pooled = () =>
    notUsable(
      address.told,
      "a pooler stands in between, which gives every transaction another session",
      "A lock belongs to a session. Name the server itself, or a port at which the pooler keeps sessions (pool_mode = session).",
    );
  const pid = await pidOf(connection);
  if ((await pidOf(connection)) !== pid) throw pooled();
  if (connection.toldPid === pid) return;
  const second = await connect(address.database, connecting);
  try {
    await second.ask("BEGIN");
    const seen = [await pidOf(second), await pidOf(connection), await pidOf(connection)];
    if (seen[0] === pid || seen.slice(1).some((each) => each !== pid)) throw pooled();
    await second.ask("COMMIT");
  } finally {
    await second.close();
  }
}

async function pidOf(connection: Connection): Promise<number> {
  const [found] = await connection.ask<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return found?.pid ?? 0;
}
