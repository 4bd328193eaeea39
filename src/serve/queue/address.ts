// postgres://… as a call says it → the database of a queue, and how people are told of it. Refuses what could lead a password elsewhere.
import { digestOfText } from "../../lib/digest.js";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Names } from "../../state/place-refusal.js";
import { namesOf, quoted } from "../../state/postgres-connection.js";
import { databaseAt, type Database } from "../../state-address/database.js";
import { isWrong } from "../../state-address/kind.js";

/** The pool of the portals that no other one names. */
export const DEFAULT_POOL = "default";

interface Told {
  readonly shown: string;
  /** As SQL writes them. */
  readonly names: Names;
}

export interface QueueAddress {
  readonly database: Database;
  readonly told: Told;
  /** The schema of what pg-boss keeps, because its tables are called as ours. */
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
    told: { shown: address, names: namesOf(database, io) },
    jobs: jobsSchema(database.schema),
  };
}

/** pg-boss takes no more than plain names, and never quotes them. */
function jobsSchema(schema: string): string {
  const isPlain = /^[a-z_][a-z0-9_]{0,44}$/.test(schema);
  return isPlain ? `${schema}_jobs` : `lintel_${digestOfText(schema).slice(0, 16)}`;
}

export function notUsable(told: Told, why: string, help: string, cause?: unknown): Failure {
  const message = `The queue at "${told.shown}" cannot be used: ${why}.`;
  return new Failure("queue-not-usable", message, help, { cause });
}

/** pg-boss makes its own schema, and may do so only in a database where the role may create schemas. */
export function mayNotMake({ told, database }: QueueAddress): Failure {
  const { role = "ROLE" } = told.names;
  return notUsable(
    told,
    `the role ${role} lacks a right there`,
    `Let the role create schemas in the database, and let every process sign in as that role:\n  GRANT CREATE ON DATABASE ${quoted(database.name)} TO ${role};`,
  );
}
