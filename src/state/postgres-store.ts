// Keeps states in a PostgreSQL table: one row for each portal. Each write is one statement that compares the row it replaces.
import { Failure } from "../failure.js";
import { digestOfText } from "../lib/digest.js";
import { databaseAt, type Database } from "../state-address/database.js";
import { parseState, printState } from "./format.js";
import { refusedAt, type Names } from "./place-refusal.js";
import {
  asciiText,
  connect,
  databaseSays,
  namesOf,
  quoted,
  unlessMissing,
  type Connection,
} from "./postgres-connection.js";
import { fitOf } from "./refusal.js";
import type { Place, StateOwner, StatesAt, StateStore, Version } from "./state-store.js";
import { swap, type Sent, type StoredText } from "./swap.js";

// How it works. A write names the digest of the text that it replaces, and changes the row only if that text is still
// there. Each text contains an id of its write, so no two are equal. No lock, setting or prepared statement belongs to
// a session, so any pooler works.

const DIGEST = "encode(sha256(convert_to(document, 'UTF8')), 'hex')";

/** What a query for the table needs. */
interface Access {
  readonly place: Place;
  readonly database: Database;
  /** Quoted for SQL. */
  readonly schema: string;
  /** For hints; empty if the address contains references, whose values are never shown. */
  readonly names: Names;
  /** The address, for messages. */
  readonly shown: string;
  /** The shared connection of all stores, opened again after it was lost. */
  readonly connection: () => Promise<Connection>;
}

export function openDatabaseStates(place: Place): StatesAt {
  const { io, address, written } = place;
  const database = fitOf(databaseAt(address, written), { address, written });
  let opening: Promise<Connection> | undefined;
  async function connection(): Promise<Connection> {
    const known = opening;
    const found = await known?.catch(() => undefined);
    if (found && !found.isOver()) return found;
    // Another store of the run may already have opened one.
    if (opening === known) opening = connect(database, place);
    return opening as Promise<Connection>;
  }
  const access: Access = {
    place,
    database,
    schema: quoted(database.schema),
    names: written === undefined ? namesOf(database, io) : {},
    shown: written ?? address,
    connection,
  };
  return {
    storeOf: (owner) => storeOf(owner, access),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

function storeOf({ portal, file }: StateOwner, access: Access): StateStore {
  const { io, address } = access.place;
  const place = `${access.shown} (${portal.key})`;
  const table = `${access.names["schema"] ?? "SCHEMA"}.state`;
  const recovery = `Restore the row of this portal in ${table} from a backup of the database. Without a backup, set the row aside, and the next apply starts a new state:\n  UPDATE ${table} SET portal = portal || ' damaged' WHERE portal = '${portal.key.replaceAll("'", "''")}';`;
  return {
    place,
    recovery: () => recovery,
    memoryName: async () => `${address} ${portal.key}`,
    async read() {
      const found = await look(portal.key, access);
      if (!found) return { state: undefined, version: undefined };
      const state = parseState(found.text, { place, recovery, portal });
      return { state, version: found.version };
    },
    write(state, version) {
      const { lineage, serial } = state;
      return swap(state, version, {
        io,
        place,
        file,
        print,
        send: (text) => put({ key: portal.key, lineage, serial, text }, version, access),
        look: () => look(portal.key, access),
      });
    },
    probe: () => probe(access),
  };
}

function refused(doing: "read" | "written", error: unknown, { names, shown }: Access): unknown {
  const said = databaseSays(error, names);
  return said ? refusedAt("postgres", shown, doing, said, { error }) : error;
}

async function look(key: string, access: Access): Promise<StoredText | undefined> {
  try {
    const { ask } = await access.connection();
    const statement = `SELECT document FROM ${access.schema}.state WHERE portal = $1`;
    const [row] = await unlessMissing(() => ask<{ document: string }>(statement, [key]));
    return row && { text: row.document, version: digestOfText(row.document) };
  } catch (error) {
    throw refused("read", error, access);
  }
}

interface Row {
  readonly key: string;
  readonly lineage: string;
  readonly serial: number;
  readonly text: string;
}

/** Creates the table if it is missing. */
async function put(
  { key, lineage, serial, text }: Row,
  version: Version | undefined,
  access: Access,
): Promise<Sent> {
  const { schema } = access;
  const statement =
    version === undefined
      ? `INSERT INTO ${schema}.state (portal, lineage, serial, document, written_at)
         VALUES ($1, $2, $3, $4, now()) ON CONFLICT (portal) DO NOTHING RETURNING portal`
      : `UPDATE ${schema}.state SET lineage = $2, serial = $3, document = $4, written_at = now()
         WHERE portal = $1 AND ${DIGEST} = $5 RETURNING portal`;
  const values = [key, lineage, serial, text, ...(version === undefined ? [] : [version])];
  let isAsked = false;
  try {
    const { ask } = await access.connection();
    isAsked = true;
    let rows = await unlessMissing(() => ask(statement, values));
    if (rows.length === 0 && version === undefined && (await makeTable(ask, access)))
      rows = await ask(statement, values);
    return rows.length > 0 ? { version: digestOfText(text) } : "conflict";
  } catch (error) {
    const failure = refused("written", error, access);
    if (isAsked && failure instanceof Failure && isLost(error)) return { unclear: failure };
    throw failure;
  }
}

/** Returns whether the table was missing. */
async function makeTable(
  ask: Connection["ask"],
  { database, schema }: Pick<Access, "database" | "schema">,
): Promise<boolean> {
  const [found] = await ask(
    "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'state'",
    [database.schema],
  );
  if (found) return false;
  const [there] = await ask("SELECT 1 FROM pg_namespace WHERE nspname = $1", [database.schema]);
  // Checked first, because a role without the right to create fails even with "if not exists".
  if (!there) await unlessThere(() => ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`));
  await unlessThere(() => ask(TABLE.replace("SCHEMA", schema)));
  return true;
}

async function probe(access: Access): Promise<void> {
  const { place, database, schema } = access;
  try {
    // A separate connection, so that a rollback affects no other query.
    const own = await connect(database, place);
    try {
      await own.ask("BEGIN");
      await makeTable(own.ask, access);
      await own.ask(
        `INSERT INTO ${schema}.state VALUES ('probe', '', 0, '', now()) ON CONFLICT DO NOTHING`,
      );
      await own.ask("ROLLBACK");
    } finally {
      await own.close();
    }
  } catch (error) {
    throw refused("written", error, access);
  }
}

const print: typeof printState = (state, id) => asciiText(printState(state, id));

/** The connection was lost, and the query may have been executed. */
function isLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return !("severity" in (error as object)) || /^(57P|08)/.test(String(code));
}

const TABLE = `CREATE TABLE IF NOT EXISTS SCHEMA.state (
  portal text PRIMARY KEY,
  lineage text NOT NULL,
  serial bigint NOT NULL,
  document text NOT NULL,
  written_at timestamptz NOT NULL
)`;

/** If several runs create it at once, PostgreSQL lets one succeed and reports to the others that it exists. */
async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!/^(23505|42P06|42P07|42710)$/.test(String((error as { code?: unknown }).code)))
      throw error;
  }
}
