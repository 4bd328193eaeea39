// postgres://… as a call says it → the database of a queue, and how people are told of it. Refuses what could lead a password elsewhere.
import { digestOfText } from "../../lib/digest.js";
import { Failure, wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Names } from "../../state/place-refusal.js";
import { namesOf, quoted } from "../../state/postgres-connection.js";
import { databaseAt, type Database } from "../../state-address/database.js";
import { isWrong } from "../../state-address/kind.js";

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

/** Of a role that may come to the database, and not do there what the queue needs. */
export function mayNot({ told, jobs, database }: QueueAddress, cause: unknown): Failure {
  const { role = "ROLE" } = told.names;
  const lines = [database.schema, jobs].flatMap((schema) => [
    `GRANT ALL ON SCHEMA ${quoted(schema)} TO ${role};`,
    `GRANT ALL ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${role};`,
    `GRANT ALL ON ALL SEQUENCES IN SCHEMA ${quoted(schema)} TO ${role};`,
  ]);
  const help = `Let every process come as the role that made the schemas; or whoever owns them grants it:\n  ${lines.join("\n  ")}`;
  return notUsable(told, `the role ${role} may not do that`, help, cause);
}

/** Whoever may makes both schemas once, or lets the role make them. */
export function mayNotMake({ told, jobs, database }: QueueAddress): Failure {
  const { role = "ROLE" } = told.names;
  const lines = [
    ...[database.schema, jobs].map(
      (schema) => `CREATE SCHEMA ${quoted(schema)} AUTHORIZATION ${role};`,
    ),
    `GRANT CREATE ON DATABASE ${quoted(database.name)} TO ${role};`,
  ];
  return notUsable(
    told,
    "its role may not make the schemas for it",
    `Somebody who may makes them once, or lets the role make them:\n  ${lines.join("\n  ")}`,
  );
}
