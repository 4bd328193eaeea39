// Opens connections to PostgreSQL, and explains errors of the server. The only module that imports pg.
import type { Client, ClientConfig } from "pg";
import type PgPass from "pgpass";
import { Failure } from "../failure.js";
import { isSocket } from "../hosts.js";
import { readPem, secureContextOf, usualAuthorities } from "../http/certificates.js";
import { helpForCertificate } from "../http/call-failure.js";
import { systemUser, type Io } from "../io.js";
import { showForeign } from "../lib/text.js";
import { secret } from "../secret.js";
import type { Database } from "../state-address/database.js";
import { hintFor, type Cause, type Names, type Said } from "./place-refusal.js";

export interface Connection {
  /** Fails with the error of pg or the system. */
  readonly ask: <Row extends object>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>;
  /** Whether the session has certainly ended. */
  isOver(): boolean;
  readonly close: () => Promise<void>;
}

export interface Connecting {
  readonly io: Io;
  /** A private authority in PEM. */
  readonly ca?: string | undefined;
  /** Fails if credentials may not go to the address. */
  readonly assertAllowed: (address: URL) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
/** The time until an idle connection is probed. */
const KEEP_ALIVE_MS = 10_000;
const FAREWELL_MS = 1_000;

/** The password is from the address, PGPASSWORD, or the password file of libpq. */
export async function clientConfigOf(
  database: Database,
  { io, ca, assertAllowed }: Connecting,
): Promise<ClientConfig> {
  assertAllowed(database.server);
  const given = database.password?.reveal() || io.env["PGPASSWORD"];
  const encryption = await encryptionFor(database, io, ca);
  const user = userFor(database, io);
  const address = { host: database.host, port: database.port, user, database: database.name };
  return {
    ...address,
    ssl: encryption && (await usable(encryption)),
    application_name: "lintel",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // Called only if the server requires a password.
    password: async () => given || passwordInFile(address),
  };
}

export async function connect(database: Database, connecting: Connecting): Promise<Connection> {
  const config = await clientConfigOf(database, connecting);
  const { default: pg } = await import("pg");
  const client = new pg.Client(config);
  let isOver = false;
  const end = () => void (isOver = true);
  // Without a listener, a connection that ends while idle would end the process.
  client.on("error", end).on("end", end);
  await client.connect().catch(async (error: unknown) => {
    await ended(client);
    throw withoutPassword(error, client);
  });

  let last: Promise<unknown> = Promise.resolve();
  return {
    isOver: () => isOver,
    ask<Row extends object>(text: string, values: readonly unknown[] = []) {
      const answer = last.then(async () => {
        try {
          return (await client.query<Row>(text, [...values])).rows;
        } catch (error) {
          // A late answer would count as the answer to the next query.
          if (isTimeout(error)) {
            isOver = true;
            void ended(client);
          }
          throw withoutPassword(error, client);
        }
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      isOver = true;
      await ended(client);
    },
  };
}

/** PGPASSFILE, or ~/.pgpass. */
async function passwordInFile(address: Parameters<typeof PgPass>[0]): Promise<string> {
  const { default: pgPass } = await import("pgpass");
  const found = await new Promise<string | undefined>((done) => pgPass(address, done));
  if (found === undefined) throw new Error(NO_PASSWORD);
  return found;
}

const NO_PASSWORD = "the server requires a password, and none was found";

async function ended(client: Client): Promise<void> {
  const farewell = new Promise((done) => setTimeout(done, FAREWELL_MS).unref());
  await Promise.race([client.end().catch(() => undefined), farewell]);
}

/** A server may repeat what it received. */
export function withoutPassword(error: unknown, { password }: Pick<Client, "password">): unknown {
  if (error instanceof Error && typeof password === "string" && password !== "") {
    error.message = showForeign(error.message, [secret(password)]);
  }
  return error;
}

/** Undefined if nothing sets a user, and the system has no name for the current one. */
export function userFor({ user }: Database, io: Pick<Io, "env">): string | undefined {
  return user ?? (io.env["PGUSER"] || systemUser(io));
}

interface Encryption {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity?: () => undefined;
}

const MODES = ["", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/**
 * How a connection is encrypted; false if it is not. `ca` is a private authority that this run trusts in addition.
 *
 * | the address or PGSSLMODE | another machine | this machine |
 * |---|---|---|
 * | nothing, allow, prefer | verify-full | not encrypted |
 * | disable | refused | not encrypted |
 * | require | encrypted, without a check of the certificate; verify-ca if an authority is set | the same |
 * | verify-ca | a certificate of the authority, for any name | the same |
 * | verify-full | a certificate of the authority, for this name | the same |
 */
export async function encryptionFor(
  { sslmode, isOwn, server }: Database,
  { env }: Pick<Io, "env">,
  ca: string | undefined,
): Promise<Encryption | false> {
  // A local socket is never encrypted.
  if (isSocket(server)) return false;
  const said = sslmode ?? env["PGSSLMODE"] ?? "";
  if (!MODES.includes(said)) {
    throw new Failure(
      "credential-not-usable",
      `PGSSLMODE is ${JSON.stringify(said)}, which is not a mode.`,
      `Modes: ${MODES.filter(Boolean).join(", ")}.`,
    );
  }
  const mode = /^(|allow|prefer)$/.test(said) ? (isOwn ? "disable" : "verify-full") : said;
  if (mode === "disable") {
    if (isOwn) return false;
    throw new Failure(
      "host-not-allowed",
      "PGSSLMODE is disable, but credentials go to other machines only over TLS.",
      "Unset it, or name the authority of the database:\n  export PGSSLMODE=verify-full PGSSLROOTCERT=FILE",
    );
  }
  const pem = (name: string) => (env[name] ? readPem(env[name], name) : undefined);
  const root = env["PGSSLROOTCERT"] === "system" ? undefined : pem("PGSSLROOTCERT");
  const [cert, key] = [pem("PGSSLCERT"), pem("PGSSLKEY")];
  const authorities =
    root === undefined ? ca && [...(await usualAuthorities({ env })), ca] : [root];
  return {
    ...(authorities && { ca: authorities }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== "require" || root !== undefined,
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}

/** Without this, pg reports a wrong certificate file as an error of the server. */
async function usable(encryption: Encryption) {
  const { ca: all, cert, key } = encryption;
  if (!all && cert === undefined && key === undefined) return encryption;
  const own = { ca: all?.at(-1), cert, key };
  return { ...encryption, secureContext: await secureContextOf(own, all, NAMED) };
}

const NAMED =
  "Check that PGSSLROOTCERT, PGSSLCERT, PGSSLKEY and --ca-file name PEM files, and that the key matches the certificate.";

/** pg has no error code for a timeout. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** SQLSTATEs and system codes, by cause. */
const CAUSES: readonly (readonly [code: RegExp, cause: Cause])[] = [
  [/^(28...|42501)$/, "not-allowed"],
  [/^3D000$/, "not-found"],
  [/^(42P07|42703|42804|42809)$/, "not-ours"],
];

/**
 * Undefined for errors from neither the database nor the network. `names` are the database, its schema and the role.
 */
export function databaseSays(error: unknown, names: Names): Said | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const { code } = error as { code?: unknown };
  const said = (why: string, cause: Cause) => ({ why, help: hintFor("postgres", cause, names) });
  const message = error.message.replace(/\.$/, "");
  if (typeof code === "string") {
    const cause = CAUSES.find(([shape]) => shape.test(code))?.[1] ?? "not-reachable";
    const help = helpForCertificate(code, "--ca-file FILE or PGSSLROOTCERT");
    if (help) return { why: `the server's certificate is not trusted (${code})`, help };
    const isCode = /^[0-9A-Z_]+$/.test(code);
    if (!("severity" in error) && isCode && message === "") return said(code, cause);
    return said(`${message}${isCode && !message.includes(code) ? ` (${code})` : ""}`, cause);
  }
  if (message === NO_PASSWORD || message.startsWith("SASL")) return said(message, "not-allowed");
  const isOfWay =
    /timeout|Connection terminated|Client (was closed|has encountered)|not queryable|SSL/.test(
      message,
    );
  return isOfWay ? said(message, "not-reachable") : undefined;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The names of the database, its schema and the role, quoted for SQL. */
export function namesOf(database: Database, io: Pick<Io, "env">): Names {
  const role = userFor(database, io);
  return {
    database: quoted(database.name),
    schema: quoted(database.schema),
    ...(role !== undefined && { role: quoted(role) }),
  };
}

/** Works for a database of any encoding, and if a text is cut inside of a character. */
export function asciiText(json: string): string {
  const code = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, "0");
  return json.replace(/[\u007f-\uffff]/g, (letter) => `\\u${code(letter)}`);
}

/** Undefined if the table or its schema does not exist. */
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
