// What is published, in the queue's database: the newest revision in one row, its parts by digest. Who may ask there, and what is asked.
import type { RevisionRow } from "./revision.js";
import { quoted } from "../../state/postgres-connection.js";

export type Ask = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** What this room needs of the connection to the queue. */
export interface QueueDatabase {
  readonly schema: string;
  /** One statement. */
  readonly ask: Ask;
  /** Statements that count together or not at all; nothing else is asked on their connection meanwhile. */
  together<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
}

/** Makes the tables, once, for whoever makes those of the queue; SCHEMA stands for the schema's name. */
export const BUNDLE_TABLES: readonly string[] = [
  `CREATE TABLE SCHEMA.revision (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    queue text NOT NULL,
    number bigint NOT NULL,
    document text NOT NULL,
    signature text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Bundles, and the files that they name: each once, however many portals share it.
  `CREATE TABLE SCHEMA.part (
    digest text PRIMARY KEY,
    bytes bytea NOT NULL,
    unused_since timestamptz
  )`,
  "CREATE INDEX ON SCHEMA.part (unused_since) WHERE unused_since IS NOT NULL",
];

export interface StoredRevision extends RevisionRow {
  /** What queues of this place begin with: the names of the database, as the server tells it, and of the schema. */
  readonly within: string;
  /** Which queue this is: its place, and what tells it from one that stood there before. */
  readonly queue: string;
}

/** Undefined before the first one; where the number is `known`, its document is not sent again. */
export async function readStored(
  ask: Ask,
  schema: string,
  {
    known,
    isToBeWritten = false,
  }: { readonly known?: number; readonly isToBeWritten?: boolean } = {},
): Promise<StoredRevision | undefined> {
  const [row] = await ask<Omit<StoredRevision, "number"> & { database: string; number: string }>(
    `SELECT current_database() AS database, queue, number,
       CASE WHEN number = $1 THEN '' ELSE document END AS document,
       CASE WHEN number = $1 THEN '' ELSE signature END AS signature
     FROM ${quoted(schema)}.revision${isToBeWritten ? " FOR UPDATE" : ""}`,
    [known ?? -1],
  );
  if (!row) return undefined;
  const { database, queue, number, document, signature } = row;
  const within = `${database}/${schema}/`;
  return { within, queue: within + queue, number: Number(number), document, signature };
}

/** The row itself, whose number nobody has published yet. */
export async function beginQueue(ask: Ask, schema: string, id: string): Promise<void> {
  await ask(
    `INSERT INTO ${quoted(schema)}.revision (queue, number, document, signature)
     VALUES ($1, 0, '', '') ON CONFLICT DO NOTHING`,
    [id],
  );
}

export async function writeRevision(
  ask: Ask,
  schema: string,
  { within, queue, number, document, signature }: StoredRevision,
): Promise<void> {
  await ask(
    `UPDATE ${quoted(schema)}.revision
     SET queue = $1, number = $2, document = $3, signature = $4, published_at = now()`,
    [queue.slice(within.length), number, document, signature],
  );
}

/** For a person who knows that nothing of it is to count. Under another number, so that those who have read it notice. */
export function takenOut(schema: string): string {
  return `UPDATE ${quoted(schema)}.revision SET number = number + 1, document = '', signature = '';`;
}

/** Those of the parts that are there. */
export async function readParts(
  ask: Ask,
  schema: string,
  digests: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await ask<{ digest: string; bytes: Buffer }>(
    `SELECT digest, bytes FROM ${quoted(schema)}.part WHERE digest = ANY($1)`,
    [digests],
  );
  return new Map(rows.map(({ digest, bytes }) => [digest, bytes]));
}

/** Which of these are there, and hold what their digests say. */
export async function wholeParts(
  ask: Ask,
  schema: string,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ask<{ digest: string }>(
    `SELECT digest FROM ${quoted(schema)}.part
     WHERE digest = ANY($1) AND digest = encode(sha256(bytes), 'hex')`,
    [digests],
  );
  return new Set(rows.map(({ digest }) => digest));
}

/** Also in the place of bytes that are not what their digest says. */
export async function writeParts(
  ask: Ask,
  schema: string,
  parts: readonly (readonly [digest: string, bytes: Uint8Array])[],
): Promise<void> {
  await ask(
    `INSERT INTO ${quoted(schema)}.part (digest, bytes)
     SELECT * FROM unnest($1::text[], $2::bytea[])
     ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes, unused_since = NULL`,
    [parts.map(([digest]) => digest), parts.map(([, bytes]) => bytes)],
  );
}

/** A worker may still be at the revision before; it has read all that it needs long before an hour is over. */
const KEPT_FOR = "1 hour";

/** What the newest revision names no more goes after a while, and what it names again stays. */
export async function markParts(
  ask: Ask,
  schema: string,
  {
    used,
    unused,
  }: {
    readonly used: readonly string[];
    readonly unused: readonly string[] | "all others";
  },
): Promise<void> {
  const part = `${quoted(schema)}.part`;
  await ask(
    `UPDATE ${part} SET unused_since = NULL WHERE unused_since IS NOT NULL AND digest = ANY($1)`,
    [used],
  );
  const isAllOthers = unused === "all others";
  await ask(
    `UPDATE ${part} SET unused_since = now()
     WHERE unused_since IS NULL AND ${isAllOthers ? "NOT " : ""}digest = ANY($1)`,
    [isAllOthers ? used : unused],
  );
}

export async function pruneParts(ask: Ask, schema: string): Promise<void> {
  await ask(
    `DELETE FROM ${quoted(schema)}.part WHERE unused_since < now() - interval '${KEPT_FOR}'`,
  );
}
