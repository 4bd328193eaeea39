// Creates Lintel's tables of the queue. pg-boss creates its own tables for jobs.
import { notUsable } from "./address.js";
import type { QueueDatabase } from "./database.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { quoted, unlessMissing } from "../../state/postgres-connection.js";

/** Increases with every change of the tables. */
const VERSION = 1;

const TABLES = [
  "CREATE TABLE SCHEMA.queue_version (product text NOT NULL, version integer NOT NULL)",
  `INSERT INTO SCHEMA.queue_version VALUES ('lintel', ${VERSION})`,
  // One row: the checked commit, the intervals, and the `serve` that sends to webhooks.
  `CREATE TABLE SCHEMA.queue (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    commit text,
    committed timestamptz,
    every_ms bigint NOT NULL DEFAULT 900000,
    keep_ms bigint NOT NULL DEFAULT 7776000000,
    is_draining boolean NOT NULL DEFAULT false,
    generation bigint NOT NULL DEFAULT 0,
    sender text,
    sender_until timestamptz NOT NULL DEFAULT '-infinity'
  )`,
  "INSERT INTO SCHEMA.queue DEFAULT VALUES",
  // One row for each process, refreshed every few seconds.
  `CREATE TABLE SCHEMA.process (
    id text PRIMARY KEY,
    facts text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    seen timestamptz NOT NULL DEFAULT now()
  )`,
  // One row for each portal. `dead` is the time since which its jobs are given up.
  `CREATE TABLE SCHEMA.portal (
    key text PRIMARY KEY,
    file text NOT NULL,
    pool text NOT NULL,
    due timestamptz NOT NULL,
    is_boundary boolean NOT NULL DEFAULT false,
    dead timestamptz
  )`,
  "CREATE INDEX ON SCHEMA.portal (due)",
  // One snapshot for each portal. The transaction number shows what changed since the last read.
  `CREATE TABLE SCHEMA.known (
    key text PRIMARY KEY,
    known text NOT NULL,
    status text NOT NULL,
    failures integer NOT NULL,
    looked double precision NOT NULL,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()
  )`,
  "CREATE INDEX ON SCHEMA.known (changed)",
  // Deleted after 90 days, even if not sent.
  `CREATE TABLE SCHEMA.event (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    key text NOT NULL,
    recorded timestamptz NOT NULL DEFAULT now(),
    event text NOT NULL
  )`,
  "CREATE INDEX ON SCHEMA.event (recorded)",
  "CREATE TABLE SCHEMA.receiver (name text PRIMARY KEY)",
  `CREATE TABLE SCHEMA.unsent (
    receiver text NOT NULL REFERENCES SCHEMA.receiver ON DELETE CASCADE,
    number bigint NOT NULL REFERENCES SCHEMA.event ON DELETE CASCADE,
    PRIMARY KEY (receiver, number)
  )`,
  "CREATE INDEX ON SCHEMA.unsent (number)",
  // One row for each sign-in service and operation: the calls that count for its limit.
  `CREATE TABLE SCHEMA.pace (
    address text PRIMARY KEY,
    facts text,
    used timestamptz NOT NULL DEFAULT now()
  )`,
];

/** Only `serve` calls it, so that a newer worker changes no tables that older ones use. */
export async function makeTables(database: QueueDatabase): Promise<void> {
  const { at } = database;
  if (await areTablesMade(database)) return;
  await database.transaction(async (query) => {
    // Lets only one of two simultaneous starts create them.
    await query("SELECT pg_advisory_xact_lock(hashtext($1))", [`lintel ${at.jobs}`]);
    if (await areTablesMade({ at, query })) return;
    // Without the right to create a schema, even "if not exists" fails.
    const { schema } = at.database;
    const [found] = await query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]);
    if (!found) await query(`CREATE SCHEMA ${quoted(schema)}`);
    for (const statement of TABLES) await query(statement);
  });
}

export async function areTablesMade({
  at,
  query,
}: Pick<QueueDatabase, "at" | "query">): Promise<boolean> {
  const [tables] = await query<{ made: string | null }>("SELECT to_regclass($1)::text AS made", [
    `${quoted(at.database.schema)}.queue_version`,
  ]);
  if (!tables?.made) return false;
  const [found] = await unlessMissing(() =>
    query<{ version: number }>("SELECT version FROM SCHEMA.queue_version WHERE product = 'lintel'"),
  );
  if (found?.version === VERSION) return true;
  throw notUsable(
    at.labels,
    "another version of Lintel made its tables",
    "Run the same version on every machine, or name another schema: ?schema=NAME",
  );
}

const CHECK_EVERY_MS = 1_000;

/** Waits until a `serve` has created them. Calls `onWait` once. */
export async function awaitTables(
  database: QueueDatabase,
  io: Io,
  onWait: () => void,
): Promise<void> {
  for (let isFirst = true; !(await areTablesMade(database)); isFirst = false) {
    if (isFirst) onWait();
    await io.sleep(CHECK_EVERY_MS, io.signal);
    if (io.signal.aborted) throw new Failure("interrupted", "The run was interrupted.");
  }
}
