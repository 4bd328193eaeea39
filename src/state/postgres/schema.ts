// A session and a schema → the tables of states in it, and what stands in them.
import { Failure } from "../../failure.js";
import { newer } from "../refusal.js";
import type { Connection } from "./connection.js";
import { mayNotMake, quoted, type Told } from "./refusal.js";
import { makeTables, unlessMissing } from "./tables.js";

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

/** For those who write. */
export function makeSchema(connection: Connection, schema: string, told: Told): Promise<void> {
  return makeTables(connection, schema, {
    version: "version",
    migrations: MIGRATIONS,
    mayNotMake: () => mayNotMake(told),
    newer: (version) => newer(told.shown, version),
  });
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
  if (found.version > MIGRATIONS.length) throw newer(told.shown, found.version);
  return found.document === null ? undefined : found;
}
