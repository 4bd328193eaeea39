// The variables that every client of PostgreSQL knows → the password and the kind of encryption for a database.
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import { readFile, reasonOf, statOf } from "../../lib/files.js";
import { readPem, usualAuthorities } from "../../http/certificates.js";
import { isSocket } from "../../hosts.js";
import { systemUser, type Io } from "../../io.js";
import { secret, type Secret } from "../../secret.js";
import type { Database } from "../../state-address/database.js";

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

/** Undefined where nobody says one, and the system has no name for who runs this. */
export function userFor({ user }: Database, io: Pick<Io, "env">): string | undefined {
  return user ?? (io.env["PGUSER"] || systemUser(io));
}

/** Undefined where nobody says one, as where the server asks for none. */
export function passwordFor(
  database: Database,
  user: string,
  { env }: Pick<Io, "env">,
): Secret | undefined {
  const given = database.password?.reveal() || env["PGPASSWORD"] || lineFor(database, user, env);
  return given ? secret(given) : undefined;
}

/** What the server must not repeat; where the password cannot be had, none was sent. */
export function secretsFor(database: Database, io: Pick<Io, "env">): readonly Secret[] {
  const user = userFor(database, io);
  const password = user === undefined ? undefined : passwordFor(database, user, io);
  return password ? [password] : [];
}

/** Of the file that libpq reads: host:port:database:user:password, where a star stands for anything. */
function lineFor(database: Database, user: string, env: Io["env"]): string | undefined {
  const named = env["PGPASSFILE"];
  const path = named || join(env["HOME"] || homedir(), ".pgpass");
  const stat = statOf(path);
  if (!stat) return undefined;
  // As libpq has it: what others may read is no secret.
  if ((stat.mode & 0o077) !== 0 && stat.isFile()) {
    throw new Failure(
      "credential-not-usable",
      `The file of passwords "${path}" may be read by others, and is not used.`,
      `Take that right away:\n  chmod 600 ${path}`,
    );
  }
  // A socket is named by its folder there, or as this machine.
  const hosts = isSocket(database.server) ? [database.host, "localhost"] : [database.host];
  const wanted = [hosts, [String(database.port)], [database.name], [user]];
  for (const line of readText(path).split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = ""]) =>
      field.replace(/\\(.)/g, "$1"),
    );
    const isMet = wanted.every((any, at) => ["*", ...any].includes(fields[at] ?? ""));
    if (isMet && fields[4]) return fields[4];
  }
  return undefined;
}

/** How a connection is encrypted, as Node's own TLS takes it; false for one that is not. */
export interface Encryption {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity?: () => undefined;
}

/**
 * | the address or PGSSLMODE says | another machine | this machine |
 * |---|---|---|
 * | nothing, allow, prefer | verify-full | not encrypted |
 * | disable | refused | not encrypted |
 * | require | encrypted for whoever answers; verify-ca where an authority is named | the same |
 * | verify-ca | a certificate of the authority, for any name | the same |
 * | verify-full | a certificate of the authority, for this name | the same |
 *
 * `ca` is a private authority that this run trusts beside the usual ones.
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
    const message = `PGSSLMODE holds ${JSON.stringify(said)}, which is no mode.`;
    throw new Failure(
      "credential-not-usable",
      message,
      `Modes: ${MODES.filter(Boolean).join(", ")}.`,
    );
  }
  const mode = /^(|allow|prefer)$/.test(said) ? (isOwn ? "disable" : "verify-full") : said;
  if (mode === "disable") {
    if (isOwn) return false;
    throw new Failure(
      "host-not-allowed",
      "PGSSLMODE says disable, and credentials go to another machine over TLS alone.",
      "Take it away, or name the database's authority:\n  export PGSSLMODE=verify-full PGSSLROOTCERT=FILE",
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

const MODES = ["", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

function readText(path: string): string {
  try {
    return readFile(path, LIMITS).toString("utf8");
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const message = `The file of passwords "${path}" cannot be read: ${reason}.`;
    const help = "Check PGPASSFILE; without it, it is ~/.pgpass.";
    throw new Failure("credential-not-usable", message, help, { cause: error });
  }
}
