// What a call and its environment say → where the page listens, and at which address people find it; refuses what would show it to everybody.
import { resolve } from "node:path";
import { Failure, wrongUsage } from "../../failure.js";
import { marksOf, readFile, reasonOf } from "../../lib/files.js";
import { isLoopback } from "../../hosts.js";
import type { Io } from "../../io.js";
import type { Certificate } from "../../lib/local-server.js";
import { secret, type Secret } from "../../secret.js";

export const SERVE_TOKEN = "LINTEL_SERVE_TOKEN";

export interface Said {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly isBehindTls: boolean;
}

export interface Listening {
  readonly port: number;
  readonly host: string;
  /** Where people find it, if not on this machine: scheme, host and port. */
  readonly origin?: string;
  readonly tls?: Tls;
  /** Absent where everybody on this machine may see the page. */
  readonly token?: Secret;
}

export interface Tls {
  /** Another text once one of the files was written again. */
  marks(): string;
  read(): Certificate;
}

/** Fewer letters can be guessed. */
const SHORTEST_TOKEN = 20;
const MAKE_ONE = `Make one, and set it as ${SERVE_TOKEN}:\n  openssl rand -hex 32`;

/**
 * | it is seen                                              | token         | TLS or --behind-tls | --public-url |
 * |---------------------------------------------------------|---------------|---------------------|--------------|
 * | on this machine alone                                   | where one is set | may be           | no           |
 * | elsewhere: another --host, --public-url or --behind-tls | needed        | needed              | needed       |
 */
export function listeningOf(said: Said, { env, cwd }: Pick<Io, "env" | "cwd">): Listening {
  const { port, host, publicUrl, isBehindTls } = said;
  const token = tokenIn(env);
  const tls = certificateOf(said, cwd);
  const isOwn = isLoopback(host.includes(":") ? `[${host}]` : host);
  if (isBehindTls && tls) {
    throw wrongUsage(
      'Either Lintel itself speaks TLS ("--tls-cert"), or what stands before it does ("--behind-tls").',
      "Leave one of the two out.",
    );
  }
  const common = { port, host, ...(tls && { tls }), ...(token && { token }) };
  if (isOwn && publicUrl === undefined && !isBehindTls) return common;
  if (!token) {
    throw wrongUsage(
      `The page would be seen elsewhere than on this machine, and ${SERVE_TOKEN} is not set: anybody could read it.`,
      MAKE_ONE,
    );
  }
  if (!tls && !isBehindTls) {
    throw wrongUsage(
      "The page would be seen elsewhere than on this machine, and without TLS others could read along.",
      "Name a certificate and its key, or say that a proxy before it speaks TLS:\n  --tls-cert page.crt --tls-key page.key\n  --behind-tls",
    );
  }
  return { ...common, origin: originOf(publicUrl) };
}

function originOf(publicUrl: string | undefined): string {
  const form = "  --public-url https://lintel.example.com";
  if (publicUrl === undefined) {
    throw wrongUsage(
      "Nothing says at which address people find the page, and it answers to no other.",
      `Say it:\n${form}`,
    );
  }
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isRight =
    url?.protocol === "https:" &&
    `${url.username}${url.password}${url.search}${url.hash}` === "" &&
    url.pathname === "/";
  if (url && isRight) return url.origin;
  throw wrongUsage(
    `"${publicUrl.replace(/^.*@/, "…@")}" is no address of a page: it begins with https, and ends with the host or its port.`,
    `Give the page a host of its own:\n${form}`,
  );
}

function tokenIn(env: Io["env"]): Secret | undefined {
  const text = env[SERVE_TOKEN];
  if (!text) return undefined;
  if (text.length < SHORTEST_TOKEN) {
    throw wrongUsage(
      `${SERVE_TOKEN} has fewer than ${SHORTEST_TOKEN} characters, which can be guessed.`,
      MAKE_ONE,
    );
  }
  // In a header nothing else arrives as it was sent.
  if (/^[!-~]+$/.test(text)) return secret(text);
  throw wrongUsage(`${SERVE_TOKEN} holds blanks, or letters beyond ASCII.`, MAKE_ONE);
}

/** In bytes; many times what a chain of certificates takes. */
const LARGEST_PEM = 1024 * 1024;

function certificateOf({ tlsCert, tlsKey }: Said, cwd: string): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    const [is, lacks] = tlsCert === undefined ? ["key", "cert"] : ["cert", "key"];
    throw wrongUsage(`"--tls-${is}" needs "--tls-${lacks}".`, "Name both, in PEM.");
  }
  const read = (flag: string, file: string) => {
    try {
      return readFile(resolve(cwd, file), { largest: LARGEST_PEM, links: "followed" });
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const reason = isMissing ? "there is no such file" : (reasonOf(error) ?? String(error));
      throw new Failure(
        "bad-certificate",
        `"${file}" cannot be read: ${reason}.`,
        `Check --tls-${flag}; it names a file in PEM.`,
        { cause: error },
      );
    }
  };
  return {
    marks: () => [tlsCert, tlsKey].map((file) => marksOf(resolve(cwd, file))).join(" "),
    read: () => ({ cert: read("cert", tlsCert), key: read("key", tlsKey) }),
  };
}
