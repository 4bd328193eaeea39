// The database of a queue → its tables in it, made or brought up to date by the first `serve`. What bounds each of them is said at it.
import { mayNotMake, notUsable, type QueueAddress } from "./address.js";
import { makeJobTables } from "./boss.js";
import type { Link } from "./link.js";
import { BUNDLE_TABLES } from "../bundle/tables.js";
import { quoted, unlessMissing } from "../../state/postgres-connection.js";
import { makeTables } from "./make-tables.js";
import type { Io } from "../../io.js";

/** What leads from one version to the next; never changed once it was published, only added to. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "CREATE TABLE SCHEMA.queue_version (product text NOT NULL, version integer NOT NULL)",
    "INSERT INTO SCHEMA.queue_version VALUES ('lintel', 0)",
    // One row. `locks` tells the advisory locks of its processes apart from all others of the database.
    `CREATE TABLE SCHEMA.queue (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      locks integer NOT NULL DEFAULT floor(random() * 2147483647)::integer,
      every_ms bigint NOT NULL DEFAULT 900000,
      keep_ms bigint NOT NULL DEFAULT 7776000000,
      is_draining boolean NOT NULL DEFAULT false,
      minute timestamptz NOT NULL DEFAULT '-infinity',
      revision bigint NOT NULL DEFAULT 0,
      commit text,
      revised_at timestamptz
    )`,
    "INSERT INTO SCHEMA.queue DEFAULT VALUES",
    // One row a process that lives; those of the dead go within a second of anybody's looking.
    `CREATE TABLE SCHEMA.process (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      facts text NOT NULL,
      since timestamptz NOT NULL DEFAULT now()
    )`,
    `CREATE VIEW SCHEMA.alive AS
      SELECT l.objid::bigint::integer AS number FROM pg_locks l, SCHEMA.queue q
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = q.locks::oid
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    // One row a portal of the revision. Either it is due some time, or it stands in its pool's queue, or a process has it.
    `CREATE TABLE SCHEMA.portal (
      key text PRIMARY KEY,
      pool text NOT NULL,
      digest text NOT NULL,
      due timestamptz NOT NULL,
      is_boundary boolean NOT NULL DEFAULT false,
      is_new boolean NOT NULL DEFAULT true,
      queued timestamptz,
      worker integer,
      job uuid,
      since timestamptz,
      journal text,
      journal_seen timestamptz,
      put_off timestamptz
    )`,
    "CREATE INDEX ON SCHEMA.portal (pool, is_boundary, due) WHERE queued IS NULL AND worker IS NULL",
    "CREATE INDEX ON SCHEMA.portal (queued) WHERE queued IS NOT NULL",
    "CREATE INDEX ON SCHEMA.portal (worker) WHERE worker IS NOT NULL",
    // One row a portal. A transaction's number tells what has changed since somebody looked.
    `CREATE TABLE SCHEMA.known (
      key text PRIMARY KEY,
      known text NOT NULL,
      status text NOT NULL,
      failures integer NOT NULL,
      changed xid8 NOT NULL DEFAULT pg_current_xact_id()
    )`,
    "CREATE INDEX ON SCHEMA.known (changed)",
    // Of what is told; goes after 90 days, and who has not got it by then never will.
    `CREATE TABLE SCHEMA.event (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      key text NOT NULL,
      recorded timestamptz NOT NULL DEFAULT now(),
      event text NOT NULL
    )`,
    "CREATE INDEX ON SCHEMA.event (key, number)",
    "CREATE INDEX ON SCHEMA.event (recorded)",
    // One row for each webhook.
    "CREATE TABLE SCHEMA.receiver (name text PRIMARY KEY)",
    `CREATE TABLE SCHEMA.unsent (
      receiver text NOT NULL REFERENCES SCHEMA.receiver ON DELETE CASCADE,
      number bigint NOT NULL REFERENCES SCHEMA.event ON DELETE CASCADE,
      PRIMARY KEY (receiver, number)
    )`,
    "CREATE INDEX ON SCHEMA.unsent (number)",
    // One row for each sign-in service and operation, with as many moments as it takes calls.
    `CREATE TABLE SCHEMA.pace (
      address text PRIMARY KEY,
      facts text,
      used timestamptz NOT NULL DEFAULT now()
    )`,
    ...BUNDLE_TABLES,
  ],
];

/** By `serve` alone, so that a worker of a newer version changes nothing under the older ones. */
export async function makeQueueTables(link: Link, address: QueueAddress): Promise<void> {
  const tables = {
    version: "queue_version",
    migrations: MIGRATIONS,
    mayNotMake: () => mayNotMake(address),
    newer: (version: number) => newer(address, version),
  };
  await link.alone((ask) => makeTables({ ask }, address.database.schema, tables));
  await makeJobTables(link, address);
}

const LOOK_EVERY_MS = 1_000;

/** Waits until the first `serve` has made them; `wait` is told so once. */
export async function awaitQueueTables(
  link: Link,
  address: QueueAddress,
  io: Io,
  wait: () => void,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [found] = await link.alone((ask) =>
      unlessMissing(() =>
        ask<{ version: number; jobs: boolean }>(
          // By its whole name: a schema that the role may not use is otherwise passed over as if it were not there.
          `SELECT version, to_regclass($1) IS NOT NULL AS jobs FROM ${quoted(link.schema)}.queue_version`,
          [`${address.jobs}.version`],
        ),
      ),
    );
    if (found && found.version > MIGRATIONS.length) throw newer(address, found.version);
    if (found?.jobs && found.version === MIGRATIONS.length) return;
    if (isFirst) wait();
    await io.sleep(LOOK_EVERY_MS, io.signal);
  }
}

function newer(address: QueueAddress, version: number) {
  return notUsable(
    address.told,
    `its tables were made by a newer Lintel (version ${version})`,
    "Use that version, or a later one.",
  );
}
