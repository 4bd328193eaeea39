// What a database, or the way to it, says → the Failure that tells it, and what to do about it.
import { Failure, type FailureCode } from "../../failure.js";
import { helpForCertificate } from "../../http/call-failure.js";
import type { Secret } from "../../secret.js";
import { showForeign } from "../../lib/text.js";
import type { OwnOrigin } from "../refusal.js";
import { PASSWORDS } from "../../state-address/database.js";
import { isTimeout, NoPassword } from "./connection.js";

export interface Told {
  /** What the server must not repeat; asked once it has said something. */
  readonly secrets: () => readonly Secret[];
  /** The state's address as the file writes it. */
  readonly shown: string;
  /** Null where the address holds references: what they stand for is shown nowhere. */
  readonly names: {
    readonly user: string;
    readonly database: string;
    readonly schema: string;
  } | null;
}

/** Does something that the database may refuse. Errors that neither it nor the network made are thrown on unchanged. */
export async function atDoor<T>(
  code: Extract<FailureCode, "state-not-readable" | "state-not-writable">,
  told: Told,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const words = error instanceof Failure ? undefined : wordsFor(error, told);
    if (!words) throw error;
    const deed = code === "state-not-readable" ? "read" : "written";
    const message = `The state in "${told.shown}" cannot be ${deed}: ${words[0]}.`;
    throw new Failure(code, message, words[1], { cause: error });
  }
}

/** A database keeps the newest state alone, and for ever what was applied. */
export function originOf(place: string, { names }: Told, portal: string): OwnOrigin {
  const schema = names ? quoted(names.schema) : "SCHEMA";
  const key = `'${portal.replaceAll("'", "''")}'`;
  return {
    place,
    recovery: `Restore this portal's row of ${schema}.state from a backup of the database. Without one, put the row aside, and the next apply begins anew; what was applied stays in ${schema}.history:\n  UPDATE ${schema}.state SET portal = portal || ' damaged' WHERE portal = ${key};`,
  };
}

type Words = readonly [why: string, help: string];

const CHECK_SERVER = "Check the address, the network and the server, then run the command again.";
const CLIENT_CERTIFICATE =
  "If the server asks for a client certificate, name one that it takes in PGSSLCERT, and its key in PGSSLKEY.";

/** Undefined for what neither the database nor the network made. */
export function wordsFor(error: unknown, told: Told): Words | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof NoPassword) {
    return ["the server asks for a password, and none was found", PASSWORDS];
  }
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string") {
    if ("severity" in error) return databaseSays(code, error, told);
    if (code === "ENOTFOUND") return ["its host is not known", CHECK_SERVER];
    if (code === "ENOENT") return ["its folder holds no socket of a server", CHECK_SERVER];
    if (/^E[A-Z]+$/.test(code)) return [`its server cannot be reached (${code})`, CHECK_SERVER];
    const help = helpForCertificate(code, "--ca-file FILE or PGSSLROOTCERT");
    if (help) return [`the certificate of its server is not trusted (${code})`, help];
    return [`no secure connection to its server came about (${code})`, CLIENT_CERTIFICATE];
  }
  if (isTimeout(error)) return ["its server did not answer in time", CHECK_SERVER];
  if (/timeout expired/.test(error.message)) {
    return ["its server did not answer within 10 seconds", CHECK_SERVER];
  }
  if (/Connection terminated|Client was closed|not queryable/.test(error.message)) {
    return ["its server closed the connection", CHECK_SERVER];
  }
  if (/does not support SSL/.test(error.message)) {
    const help =
      "Credentials go to another machine over TLS alone: switch ssl on in postgresql.conf.";
    return ["its server does not speak TLS", help];
  }
  if (/establishing an SSL connection/.test(error.message)) {
    return ["what answers there is no PostgreSQL server", "Check the host and its port."];
  }
  if (error.message.startsWith("SASL")) {
    return ["its server and this run could not agree on the password", PASSWORDS];
  }
  return undefined;
}

function databaseSays(code: string, error: Error, told: Told): Words {
  const { user, database, schema } = told.names ?? {
    user: "ROLE",
    database: "DATABASE",
    schema: "SCHEMA",
  };
  const role = told.names ? `the role "${user}"` : "the role";
  const shown = (text: string) => showForeign(text, told.secrets());
  switch (code) {
    case "28P01":
      return [`the password of ${role} is wrong`, PASSWORDS];
    case "28000":
      return [
        `the server does not let ${role} in from here`,
        "Check the role and the server's pg_hba.conf.",
      ];
    case "3D000":
      return [
        "there is no such database",
        `Make it first:\n  CREATE DATABASE ${quoted(database)};`,
      ];
    case "42501":
      return [
        `${role} may not do that`,
        `Whoever owns the schema grants it:\n${GRANTS.map((line) => `  ${line}`)
          .join("\n")
          .replaceAll("SCHEMA", quoted(schema))
          .replaceAll("ROLE", quoted(user))}`,
      ];
    case "25006":
      return [
        "this server is a copy that takes no writes",
        "Name the server that the others copy from.",
      ];
    case "53300":
      return ["the server has no room for another connection", "Run the command again later."];
    case "53100":
      return ["the server's disk is full", "Make room there, then run the command again."];
    case "57P03":
      return ["the server is starting up or shutting down", "Run the command again later."];
    case "57014":
    case "55P03":
      return [
        "the server did not get to it in time",
        "Look at what else it does (pg_stat_activity), then run the command again.",
      ];
    case "42P07":
    case "42703":
      return [
        `what the schema${told.names ? ` "${schema}"` : ""} holds is not Lintel's`,
        "Name another one; the first apply makes it:\n  state: postgres://USER@HOST/DATABASE?schema=lintel",
      ];
    default:
      if (/^(57P0|08)/.test(code)) return ["its server ended the session", CHECK_SERVER];
      return [`the server says "${shown(error.message)}" (${shown(code)})`, CHECK_SERVER];
  }
}

const GRANTS = [
  "GRANT USAGE ON SCHEMA SCHEMA TO ROLE;",
  "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA SCHEMA TO ROLE;",
];

/** As SQL writes a name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The schema is made by whoever comes first, if they may. */
export function mayNotMake(told: Told): Failure {
  const { user, database, schema } = told.names ?? {
    user: "ROLE",
    database: "DATABASE",
    schema: "SCHEMA",
  };
  return new Failure(
    "state-not-writable",
    `The state in "${told.shown}" cannot be written: its role may not make the schema for it.`,
    `Somebody who may makes it once, or lets the role make it:\n  CREATE SCHEMA ${quoted(schema)} AUTHORIZATION ${quoted(user)};\n  GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)};`,
  );
}

export function pooled({ shown }: Told): Failure {
  return new Failure(
    "state-not-writable",
    `The state in "${shown}" cannot be locked: a pooler stands in between, which gives every transaction another session.`,
    "A lock belongs to a session. Name the server itself, or a port at which the pooler keeps sessions (pool_mode = session).",
  );
}

export function foreignLock(subject: string, pid: number, program: string): Failure {
  return new Failure(
    "state-locked",
    `The lock on the state of "${subject}" is held by session ${pid} ("${showForeign(program, [], 80)}"), which does not say that it is a run of Lintel.`,
    `Run the command again. If it stays so, look at what that session is:\n  SELECT * FROM pg_stat_activity WHERE pid = ${pid};`,
  );
}

export function mayNotEnd(subject: string, pid: number): Failure {
  return new Failure(
    "state-not-writable",
    `The session that holds the lock on the state of "${subject}" belongs to another role, and this one may not end it.`,
    `That role may, and a member of it or of pg_signal_backend:\n  SELECT pg_terminate_backend(${pid});`,
  );
}

/** The connection was cut in the middle of a write, and what became of it could be seen. */
export function notWritten({ shown }: Told): Failure {
  return new Failure(
    "state-not-writable",
    `The state in "${shown}" was not written: the connection to its server was cut before that.`,
    "The old state is whole. Run the command again.",
  );
}

/** The same, and nobody could look. */
export function maybeWritten({ shown }: Told, cause?: unknown): Failure {
  return new Failure(
    "state-not-writable",
    `The state in "${shown}" may or may not have been written: the connection to its server was cut, and the server cannot be asked.`,
    "Look at where things stand once it answers again:\n  lintel status",
    { cause },
  );
}
