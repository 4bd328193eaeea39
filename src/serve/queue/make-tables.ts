// A session, a schema and what leads from one version of its tables to the next → the newest ones, made by whoever comes first.
import { digestOfText } from "../../lib/digest.js";
import type { Failure } from "../../failure.js";
import { quoted, unlessMissing, type Connection } from "../../state/postgres-connection.js";

export interface Tables {
  /** The one that says how far the others are. */
  readonly version: string;
  /** What leads from one version to the next; never changed once it was published, only added to. */
  readonly migrations: readonly (readonly string[])[];
  readonly mayNotMake: () => Failure;
  readonly newer: (version: number) => Failure;
}

/** The number of an advisory lock: of 64 bits, among all that the programs of this database use. */
export function advisoryKey(schema: string, subject: string): string {
  const digest = digestOfText(JSON.stringify(["lintel", schema, subject]));
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
}

/** For those who write. Two that come first at once make them one after the other. */
export async function makeTables(
  connection: Pick<Connection, "ask">,
  schema: string,
  tables: Tables,
): Promise<void> {
  const found = await versionIn(connection, schema, tables);
  assertKnown(found, tables);
  if (found === tables.migrations.length) return;
  await connection.ask("BEGIN");
  try {
    await connection.ask("SELECT pg_advisory_xact_lock($1::bigint)", [advisoryKey(schema, "")]);
    await bringUp(connection, schema, tables);
    await connection.ask("COMMIT");
  } catch (error) {
    await connection.ask("ROLLBACK").catch(() => undefined);
    throw isRefused(error) ? tables.mayNotMake() : error;
  }
}

/** Undefined where nobody has made them yet. */
async function versionIn(
  connection: Pick<Connection, "ask">,
  schema: string,
  { version }: Tables,
): Promise<number | undefined> {
  const [found] = await unlessMissing(() =>
    connection.ask<{ product: string; version: number }>(
      `SELECT product, version FROM ${quoted(schema)}.${version}`,
    ),
  );
  return found?.product === "lintel" ? found.version : undefined;
}

async function bringUp(
  connection: Pick<Connection, "ask">,
  schema: string,
  tables: Tables,
): Promise<void> {
  const { version: table, migrations } = tables;
  const [existing] = await connection.ask<{ tables: number }>(
    `SELECT (SELECT count(*)::int FROM pg_class WHERE relnamespace = n.oid AND relname = $2) AS tables
     FROM pg_namespace n WHERE nspname = $1`,
    [schema, table],
  );
  // Asked for before, because a role that may not make one may not even say "if not exists".
  if (!existing) await connection.ask(`CREATE SCHEMA ${quoted(schema)}`);
  const version = existing?.tables ? ((await versionIn(connection, schema, tables)) ?? 0) : 0;
  assertKnown(version, tables);
  for (const statement of migrations.slice(version).flat()) {
    await connection.ask(statement.replaceAll("SCHEMA.", `${quoted(schema)}.`));
  }
  await connection.ask(`UPDATE ${quoted(schema)}.${table} SET version = $1`, [migrations.length]);
}

function assertKnown(version: number | undefined, { migrations, newer }: Tables): void {
  if (version !== undefined && version > migrations.length) throw newer(version);
}

function isRefused(error: unknown): boolean {
  return (error as { code?: unknown }).code === "42501";
}
