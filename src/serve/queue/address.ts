// Parses the --queue address and names the queue in failures. Refuses parts that could send a password elsewhere.
import { digestOfText } from "../../lib/digest.js";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Names } from "../../state/place-refusal.js";
import { namesOf, quoted } from "../../state/postgres-connection.js";
import { databaseAt, type Database } from "../../state-address/database.js";
import { isWrong } from "../../state-address/kind.js";

/** The pool for portals that match no other pool. */
export const DEFAULT_POOL = "default";

interface Labels {
  readonly shown: string;
  /** Quoted for SQL. */
  readonly names: Names;
}

export interface QueueAddress {
  readonly database: Database;
  readonly labels: Labels;
  /** The schema of pg-boss. Separate, because its tables have the same names as ours. */
  readonly jobs: string;
}

export function queueAt(address: string, io: Pick<Io, "env">): QueueAddress {
  const database = databaseAt(address, undefined);
  if (isWrong(database)) {
    const help = database.help.replaceAll("  state: ", "  --queue ");
    throw wrongUsage(`The address of the queue ${database.why}.`, help);
  }
  return {
    database,
    labels: { shown: address, names: namesOf(database, io) },
    jobs: jobsSchema(database.schema),
  };
}

/** pg-boss never quotes names, so it accepts plain ones only. */
function jobsSchema(schema: string): string {
  const isPlain = /^[a-z_][a-z0-9_]{0,44}$/.test(schema);
  return isPlain ? `${schema}_jobs` : `lintel_${digestOfText(schema).slice(0, 16)}`;
}

export function notUsable(labels: Labels, why: string, help: string, cause?: unknown): Failure {
  const message = `The queue at "${labels.shown}" cannot be used: ${why}.`;
  return new Failure("queue-not-usable", message, help, { cause });
}

/** pg-boss creates its own schema, so the role needs the right to create schemas in the database. */
export function mayNotMake({ labels, database }: QueueAddress): Failure {
  const { role = "ROLE" } = labels.names;
  return notUsable(
    labels,
    `the role ${role} lacks a right there`,
    `Let the role create schemas in the database, and let every process sign in as that role:\n  GRANT CREATE ON DATABASE ${quoted(database.name)} TO ${role};`,
  );
}
