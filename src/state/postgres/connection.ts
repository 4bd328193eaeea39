// A database → one connection to it, on which one question follows the other. The only owner of pg.
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Secret } from "../../secret.js";
import type { Database } from "../../state-address/database.js";
import { secureContextOf } from "../../http/certificates.js";
import { encryptionFor, passwordFor, userFor, type Encryption } from "./credentials.js";

export interface Connection {
  /** The number that the server gave the session; a pooler gives one of its own. */
  readonly toldPid: number | null;
  /** Fails with what pg and the system say. */
  ask<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Whether the session is known to have ended, and every lock with it. */
  isOver(): boolean;
  close(): Promise<void>;
}

export interface Connecting {
  readonly io: Io;
  /** A private authority to trust, in PEM. */
  readonly ca: string | undefined;
  /** Fails where no credential may go to the address. */
  readonly assertAllowed: (address: URL) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A statement that takes longer than the server allows has been ended by the server. */
const ANSWER_TIMEOUT_MS = 30_000;
/** How soon a connection on which nothing is said is tried. */
const KEEP_ALIVE_MS = 10_000;
const FAREWELL_MS = 1_000;

export class NoPassword extends Error {
  override name = "NoPassword";
}

export async function connect(
  database: Database,
  { io, ca, assertAllowed }: Connecting,
): Promise<Connection> {
  assertAllowed(database.server);
  const user = userFor(database, io);
  if (user === undefined) {
    throw new Failure(
      "credential-missing",
      "Nobody says with which role to come to the database.",
      "Write it into the address, or set PGUSER:\n  state: postgres://USER@HOST/DATABASE",
    );
  }
  const encryption = await encryptionFor(database, io, ca);
  const ssl = encryption && (await usable(encryption));
  const password = passwordFor(database, user, io);
  // Without the rest of the package: pools, and a client in C.
  const { default: Client } = await import("pg/lib/client.js");
  // Everything is given here, because pg would look for the rest in the environment of the process.
  const client = new Client({
    host: database.host,
    port: database.port,
    user,
    database: database.name,
    password: () => revealed(password),
    ssl,
    application_name: "lintel",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  let isOver = false;
  const end = () => void (isOver = true);
  // Without a listener, a connection that ends while nothing is asked would end the process.
  client.on("error", end).on("end", end);
  try {
    await client.connect();
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    toldPid: client.processID,
    isOver: () => isOver,
    ask<Row extends object>(text: string, values: readonly unknown[] = []) {
      const answer = last.then(async () => {
        try {
          return (await client.query<Row>(text, [...values])).rows;
        } catch (error) {
          // What comes later would be taken for the answer to another question.
          if (isTimeout(error)) {
            isOver = true;
            client.connection.stream.destroy();
          }
          throw error;
        }
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      isOver = true;
      const { stream } = client.connection;
      const farewell = new Promise((done) => setTimeout(done, FAREWELL_MS).unref());
      await Promise.race([client.end().catch(() => undefined), farewell]);
      stream.destroy();
    },
  };
}

/** What is wrong with certificates that were handed in would be told as an error of the server's. */
async function usable(encryption: Encryption) {
  const { ca: all, cert, key } = encryption;
  if (!all && cert === undefined && key === undefined) return encryption;
  const own = { ca: all?.at(-1), cert, key };
  return { ...encryption, secureContext: await secureContextOf(own, all, NAMED) };
}

const NAMED =
  "Check that PGSSLROOTCERT, PGSSLCERT, PGSSLKEY and --ca-file name files in PEM, and that the key belongs to the certificate.";

function revealed(password: Secret | undefined): string {
  if (password === undefined) throw new NoPassword("the server asks for a password");
  return password.reveal();
}

/** pg has no other name for it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
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
