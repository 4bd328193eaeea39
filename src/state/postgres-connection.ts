// A database → one connection to it, and what an error of its server means. The only owner of pg.
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
  /** Fails with what pg and the system say. */
  readonly ask: <Row extends object>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>;
  /** Whether the session is known to have ended. */
  isOver(): boolean;
  readonly close: () => Promise<void>;
}

export interface Connecting {
  readonly io: Io;
  /** A private authority to trust, in PEM. */
  readonly ca?: string | undefined;
  /** Fails where no credential may go to the address. */
  readonly assertAllowed: (address: URL) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
/** How soon a connection on which nothing is said is tried. */
const KEEP_ALIVE_MS = 10_000;
const FAREWELL_MS = 1_000;

/** The password is that of the address, of PGPASSWORD, or of the file that libpq reads. */
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
    // Asked for where the server wants one.
    password: async () => given || passwordInFile(address),
  };
}

export async function connect(database: Database, connecting: Connecting): Promise<Connection> {
  const config = await clientConfigOf(database, connecting);
  const { default: pg } = await import("pg");
  const client = new pg.Client(config);
  let isOver = false;
  const end = () => void (isOver = true);
  // Without a listener, a connection that ends while nothing is asked would end the process.
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
          // What comes later would be taken for the answer to another question.
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

const NO_PASSWORD = "the server asks for a password, and none was found";

async function ended(client: Client): Promise<void> {
  const farewell = new Promise((done) => setTimeout(done, FAREWELL_MS).unref());
  await Promise.race([client.end().catch(() => undefined), farewell]);
}

/** A server may repeat what it was sent. */
export function withoutPassword(error: unknown, { password }: Pick<Client, "password">): unknown {
  if (error instanceof Error && typeof password === "string" && password !== "") {
    error.message = showForeign(error.message, [secret(password)]);
  }
  return error;
}

/** Undefined where nobody says one, and the system has no name for who runs this. */
export function userFor({ user }: Database, io: Pick<Io, "env">): string | undefined {
  return user ?? (io.env["PGUSER"] || systemUser(io));
}

/** As Node's own TLS takes it. */
interface Encryption {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity?: () => undefined;
}

const MODES = ["", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/**
 * How a connection is encrypted; false for one that is not. `ca` is a private authority that this run trusts beside
 * the usual ones.
 *
 * | the address or PGSSLMODE says | another machine | this machine |
 * |---|---|---|
 * | nothing, allow, prefer | verify-full | not encrypted |
 * | disable | refused | not encrypted |
 * | require | encrypted for whoever answers; verify-ca where an authority is named | the same |
 * | verify-ca | a certificate of the authority, for any name | the same |
 * | verify-full | a certificate of the authority, for this name | the same |
 */
export async function encryptionFor(
  { sslmode, isOwn, server }: Database,
  { env }: Pick<Io, "env">,
  ca: string | undefined,
): Promise<Encryption | false> {
  // A socket of this machine is never encrypted.
  if (isSocket(server)) return false;
  const said = sslmode ?? env["PGSSLMODE"] ?? "";
  if (!MODES.includes(said)) {
    throw new Failure(
      "credential-not-usable",
      `PGSSLMODE is ${JSON.stringify(said)}, which is no mode.`,
      `Modes: ${MODES.filter(Boolean).join(", ")}.`,
    );
  }
  const mode = /^(|allow|prefer)$/.test(said) ? (isOwn ? "disable" : "verify-full") : said;
  if (mode === "disable") {
    if (isOwn) return false;
    throw new Failure(
      "host-not-allowed",
      "PGSSLMODE is disable, and credentials go to another machine over TLS only.",
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

/** Otherwise pg tells what is wrong with a certificate that was handed in as an error of the server's. */
async function usable(encryption: Encryption) {
  const { ca: all, cert, key } = encryption;
  if (!all && cert === undefined && key === undefined) return encryption;
  const own = { ca: all?.at(-1), cert, key };
  return { ...encryption, secureContext: await secureContextOf(own, all, NAMED) };
}

const NAMED =
  "Check that PGSSLROOTCERT, PGSSLCERT, PGSSLKEY and --ca-file name files in PEM, and that the key belongs to the certificate.";

/** pg has no other name for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** SQLSTATEs and codes of the system, by their cause. */
const CAUSES: readonly (readonly [code: RegExp, cause: Cause])[] = [
  [/^(28...|42501)$/, "not-allowed"],
  [/^3D000$/, "not-found"],
  [/^(42P07|42703|42804|42809)$/, "not-ours"],
];

/** Undefined for what neither the database nor the network made. `names` are the database, its schema and the role. */
export function databaseSays(error: unknown, names: Names): Said | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const { code } = error as { code?: unknown };
  const said = (why: string, cause: Cause) => ({ why, help: hintFor("postgres", cause, names) });
  const message = error.message.replace(/\.$/, "");
  if (typeof code === "string") {
    const cause = CAUSES.find(([shape]) => shape.test(code))?.[1] ?? "not-reachable";
    const help = helpForCertificate(code, "--ca-file FILE or PGSSLROOTCERT");
    if (help) return { why: `the certificate of its server is not trusted (${code})`, help };
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

/** As SQL writes a name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The name of a database, its schema and the role, as SQL writes them. */
export function namesOf(database: Database, io: Pick<Io, "env">): Names {
  const role = userFor(database, io);
  return {
    database: quoted(database.name),
    schema: quoted(database.schema),
    ...(role !== undefined && { role: quoted(role) }),
  };
}

/** Fit for a database of any encoding, and whole where a text is cut in the middle of a character. */
export function asciiText(json: string): string {
  const code = (letter: string) => letter.charCodeAt(0).toString(16).padStart(4, "0");
  return json.replace(/[\u007f-\uffff]/g, (letter) => `\\u${code(letter)}`);
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
