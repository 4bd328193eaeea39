// A session and a name → a schema with the tables of this version in it, made or brought up to date by whoever comes first.
import { digestOfText } from "../../digest.js";
import { Failure } from "../../failure.js";
import { BEGINNING_BYTES, type Beginning } from "../others.js";
import { newer } from "../refusal.js";
import type { Connection } from "./connection.js";
import { mayNotMake, quoted, type Told } from "./refusal.js";

/** What leads from one version to the next; never changed once it was published, only added to. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "CREATE TABLE SCHEMA.version (product text NOT NULL, version integer NOT NULL)",
    "INSERT INTO SCHEMA.version VALUES ('lintel', 0)",
    `CREATE TABLE SCHEMA.state (
      portal text PRIMARY KEY,
      lineage text NOT NULL,
      serial bigint NOT NULL,
      document text NOT NULL,
      written_at timestamptz NOT NULL
    )`,
    // Whoever holds a portal's advisory lock, or died with it: the lock is what counts.
    `CREATE TABLE SCHEMA.holder (
      portal text PRIMARY KEY,
      pid integer NOT NULL,
      holder text NOT NULL
    )`,
    // Known by its digest, so that one that comes along again is not kept twice.
    `CREATE TABLE SCHEMA.history (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      portal text NOT NULL,
      lineage text NOT NULL,
      serial bigint NOT NULL,
      digest text NOT NULL,
      entry json NOT NULL,
      UNIQUE (portal, digest)
    )`,
  ],
];

const VERSION = MIGRATIONS.length;

/** The number of an advisory lock: of 64 bits, among all that the programs of this database use. */
export function advisoryKey(schema: string, subject: string): string {
  const digest = digestOfText(JSON.stringify(["lintel", schema, subject]));
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
}

/** Undefined where nobody has made it yet. */
async function versionIn(connection: Connection, schema: string): Promise<number | undefined> {
  const [found] = await unlessMissing(() =>
    connection.ask<{ product: string; version: number }>(
      `SELECT product, version FROM ${quoted(schema)}.version`,
    ),
  );
  return found?.product === "lintel" ? found.version : undefined;
}

/** For those who write. Two that come first at once make it one after the other. */
export async function makeSchema(
  connection: Connection,
  schema: string,
  told: Told,
): Promise<void> {
  const found = await versionIn(connection, schema);
  assertKnown(found, told.shown);
  if (found === VERSION) return;
  await connection.ask("BEGIN");
  try {
    await connection.ask("SELECT pg_advisory_xact_lock($1::bigint)", [advisoryKey(schema, "")]);
    await bringUp(connection, schema, told);
    await connection.ask("COMMIT");
  } catch (error) {
    await connection.ask("ROLLBACK").catch(() => undefined);
    throw isRefused(error) ? mayNotMake(told) : error;
  }
}

async function bringUp(connection: Connection, schema: string, told: Told): Promise<void> {
  const [existing] = await connection.ask<{ tables: number }>(
    `SELECT (SELECT count(*)::int FROM pg_class WHERE relnamespace = n.oid AND relname = 'version') AS tables
     FROM pg_namespace n WHERE nspname = $1`,
    [schema],
  );
  // Asked for before, because a role that may not make one may not even say "if not exists".
  if (!existing) await connection.ask(`CREATE SCHEMA ${quoted(schema)}`);
  const version = existing?.tables ? ((await versionIn(connection, schema)) ?? 0) : 0;
  assertKnown(version, told.shown);
  for (const statement of MIGRATIONS.slice(version).flat()) {
    await connection.ask(statement.replaceAll("SCHEMA.", `${quoted(schema)}.`));
  }
  await connection.ask(`UPDATE ${quoted(schema)}.version SET version = $1`, [VERSION]);
}

function assertKnown(version: number | undefined, shown: string): void {
  if (version !== undefined && version > VERSION) throw newer(shown, version);
}

function isRefused(error: unknown): boolean {
  return (error as { code?: unknown }).code === "42501";
}

/** Nothing, where the table or its schema is not there. */
export async function unlessMissing<Row>(
  ask: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  try {
    return await ask();
  } catch (error) {
    if (/^(42P01|3F000)$/.test(String((error as { code?: unknown }).code))) return [];
    throw error;
  }
}

/** In the order of their keys, so many at a time. */
const PAGE = 500;

/** The beginnings of all states, each by its portal's key. */
export async function* beginningsIn(
  connection: Connection,
  schema: string,
): AsyncGenerator<Beginning> {
  for (let last = ""; ;) {
    const rows = await unlessMissing(() =>
      connection.ask<Beginning>(
        `SELECT portal AS name, left(document, $1) AS text FROM ${quoted(schema)}.state
         WHERE portal > $2 ORDER BY portal LIMIT $3`,
        [BEGINNING_BYTES, last, PAGE],
      ),
    );
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.name ?? "";
  }
}

export interface StoredRow {
  readonly lineage: string;
  readonly serial: string;
  readonly document: string;
  /** Another one after every write to the row, whoever makes it. */
  readonly mark: string;
}

/** A portal's row as it stands; undefined where none was ever written. */
export async function readRow(
  connection: Connection,
  schema: string,
  portal: string,
  told: Told,
): Promise<StoredRow | undefined> {
  const tables = quoted(schema);
  const [found] = await unlessMissing(() =>
    connection.ask<StoredRow & { product: string; version: number }>(
      `SELECT v.product, v.version, s.lineage, s.serial, s.document, s.xmin::text AS mark
       FROM ${tables}.version v LEFT JOIN ${tables}.state s ON s.portal = $1`,
      [portal],
    ),
  );
  if (!found) return undefined;
  if (found.product !== "lintel") {
    throw new Failure(
      "state-not-readable",
      `The state in "${told.shown}" cannot be read: what its schema holds is not Lintel's.`,
      "Name another one:\n  state: postgres://USER@HOST/DATABASE?schema=lintel",
    );
  }
  assertKnown(found.version, told.shown);
  return found.document === null ? undefined : found;
}
