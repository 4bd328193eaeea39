// Reads the address of a database for states: postgres://user@host:5432/database?schema=lintel. Refuses parts that could send a password elsewhere.
import {
  isLoopback,
  isSocket,
  POSTGRES,
  socketAddressOf,
  socketFolderOf,
  withoutBrackets,
} from "../hosts.js";
import { secret, type Secret } from "../secret.js";
import { isWrong, wordsIn, wrongOf, type KindOfPlace, type Wrong } from "./kind.js";

/** A character without a special meaning in an address, or a reference. */
const PIECE = "([^:/?#@$]|\\$\\{[^}]*\\})";

/** An address contains a password only as a reference. */
const DATABASE = [
  "postgres(ql)?://",
  `(${PIECE}*(:\\$\\{[^}]*\\})?@)?`,
  `(\\[[0-9A-Fa-f:.]+\\]|${PIECE}*)(:([0-9]+|\\$\\{[^}]*\\}))?`,
  `/${PIECE}+(\\?[^#]*)?$`,
].join("");

const EXAMPLE = "postgres://lintel@db.example.com/lintel";

export const databases = {
  schemes: ["postgres", "postgresql"],
  example: EXAMPLE,
  noun: "PostgreSQL databases",
  reason: "many portals and machines: a PostgreSQL database",
  pattern: DATABASE,
  wrongIn: (address, written) => wrongOf(databaseAt(address, written)),
  namesUser: true,
  recipientOf: databaseServerOf,
} as const satisfies KindOfPlace;

export interface Database {
  /** A host's name or address, or the folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  /** The destination of the credentials: a host and port, or the folder of a socket. */
  readonly server: URL;
  /** Only this machine can read the traffic, so it needs no encryption. */
  readonly isOwn: boolean;
  /** From the address, else from the variables. */
  readonly user: string | undefined;
  readonly password: Secret | undefined;
  readonly name: string;
  readonly schema: string;
  readonly sslmode: string | undefined;
}

const DEFAULT_SCHEMA = "lintel";
const LONGEST_NAME = 63;
const PORT = "5432";

/** `written` is the address as in the file, if it contains references: a password must be one. */
export function databaseAt(address: string, written: string | undefined): Database | Wrong {
  const wrong = (why: string, help = FORM): Wrong => ({ why, help });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^postgres(ql)?:\/\//i.test(address)) return wrong("is no address of a database");
  if (url.hash !== "") return wrong('goes on with "#", which a name writes as %23');
  const [user, password, name] = [url.username, url.password, url.pathname.slice(1)].map(decoded);
  if (user === undefined || password === undefined) {
    return wrong("holds a code, behind a %, that stands for no character");
  }
  if (password !== "" && !isReference(written)) {
    const help = `Take it out, and change it if others have seen it. ${PASSWORDS}`;
    return wrong("holds a password", help);
  }
  if (!name || name.includes("/")) return wrong("names no database");
  const words = wordsIn(url, WORDS, `${EXAMPLE}?schema=gis`);
  if (isWrong(words)) return words;
  const schema = words.get("schema") ?? DEFAULT_SCHEMA;
  if (schema === "" || schema.includes("\0") || Buffer.byteLength(schema) > LONGEST_NAME) {
    return wrong("names no schema");
  }
  const [sslmode, folder] = [words.get("sslmode"), words.get("host")];
  const server = databaseServerOf(address);
  if (!server || (folder !== undefined && !isSocket(server))) {
    return wrong(
      server ? "names two hosts" : "names no host",
      "Write the host behind the //; a socket is named by its folder:\n  state: postgres://lintel@db.example.com/lintel\n  state: postgres:///lintel?host=/var/run/postgresql",
    );
  }
  const isOwn = isSocket(server) || isLoopback(server.hostname);
  if (sslmode !== undefined && sslmode !== "verify-full" && !(sslmode === "disable" && isOwn)) {
    return wrong(
      "would weaken whom the password goes to",
      "The address may say sslmode=verify-full; or, for this machine, sslmode=disable. Anything else is for PGSSLMODE to say, outside the file.",
    );
  }
  return {
    host: isSocket(server) ? socketFolderOf(server) : withoutBrackets(server.hostname),
    port: Number(server.port || PORT),
    server,
    isOwn,
    user: user || undefined,
    password: password === "" ? undefined : secret(password),
    name,
    schema,
    sslmode,
  };
}

const WORDS = ["schema", "sslmode", "host"];

const FORM =
  "Write it as:\n  state: postgres://USER@HOST:5432/DATABASE?schema=SCHEMA\nThe schema is lintel, and the port 5432, where it says neither.";

const PASSWORDS = "The password is looked for in PGPASSWORD, in PGPASSFILE and in ~/.pgpass.";

/** Whether the file has a reference in place of the password. */
function isReference(written: string | undefined): boolean {
  return /^[a-z]+:\/\/[^/?#@]*?:\$\{[^}]*\}@/i.test(written ?? "");
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Host and port of a database server, or the folder of its socket; undefined for another kind of address. */
export function databaseServerOf(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, port, searchParams } = new URL(address);
  const folder = searchParams.get("host") ?? "";
  // A comma would separate the entries of a list of hosts.
  if (hostname === "" && /^\/[^,\p{C}]*$/u.test(folder)) return socketAddressOf(folder);
  // Only known schemes such as https normalise the host's name.
  const called = `https://${hostname}`;
  // Some programs accept several hosts at once; an allowlist could not name them.
  if (hostname === "" || hostname.includes(",") || !URL.canParse(called)) return undefined;
  return new URL(`${POSTGRES}//${new URL(called).hostname}:${port || PORT}`);
}
