// Reads where the dashboard listens and its public address. Refuses settings that would show it to everyone.
import { resolve } from "node:path";
import { Failure, wrongUsage } from "../../failure.js";
import { marksOf, readFile, reasonOf } from "../../lib/files.js";
import { isLoopback } from "../../hosts.js";
import type { Io } from "../../io.js";
import type { Certificate } from "../../lib/local-server.js";
import { secret, type Secret } from "../../secret.js";
import { listed } from "../../lib/text.js";
import type { AuthProxy } from "./access.js";

export const SERVE_TOKEN = "LINTEL_SERVE_TOKEN";
export const PROXY_SECRET = "LINTEL_PROXY_SECRET";
export const HOOK_SECRET = "LINTEL_HOOK_SECRET";

export interface ListeningOptions {
  readonly port?: number | undefined;
  readonly host: string;
  /** In place of host and port. */
  readonly socket?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly isBehindTls: boolean;
  readonly isBehindAuthProxy: boolean;
}

export interface Listening {
  readonly port: number;
  readonly host: string;
  readonly socket?: string;
  /** The public address, if people reach the dashboard from other machines: scheme, host and port. */
  readonly origin?: string;
  readonly tls?: Tls;
  /** Absent if all users of this machine may see the dashboard. */
  readonly token?: Secret;
  readonly proxy?: AuthProxy;
  /** The secret with which a forge signs its webhook. */
  readonly hookSecret?: Secret;
}

export interface Tls {
  /** Changes when one of the files was written. */
  marks(): string;
  read(): Certificate;
}

/** Shorter ones can be guessed. */
const SHORTEST_SECRET = 20;

/**
 * | The dashboard is reached                                | token or auth proxy | TLS or --behind-tls | --public-url |
 * |---------------------------------------------------------|---------------------|---------------------|--------------|
 * | from this machine alone                                 | optional            | optional            | no           |
 * | elsewhere: --host, --public-url, --behind-tls, a proxy  | needed              | needed, but on a socket | needed   |
 */
export function listeningOf(
  options: ListeningOptions,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): Listening {
  const { port = 0, host, publicUrl, isBehindTls, isBehindAuthProxy } = options;
  const socket = options.socket === undefined ? undefined : resolve(cwd, options.socket);
  const [token, proxySecret, hookSecret] = [SERVE_TOKEN, PROXY_SECRET, HOOK_SECRET].map((name) =>
    secretIn(env, name),
  );
  const tls = certificateOf(options, cwd);
  if ((isBehindTls || socket !== undefined) && tls) {
    throw wrongUsage(
      'Either Lintel terminates TLS ("--tls-cert"), or a proxy does ("--behind-tls", "--socket").',
      "Remove one of the two.",
    );
  }
  if (isBehindAuthProxy) {
    // Without the secret, every program that reaches the port could claim to be any user.
    const missing = [
      ...(socket === undefined && !proxySecret ? [PROXY_SECRET] : []),
      ...(socket === undefined && !tls && !isBehindTls ? ['"--behind-tls"'] : []),
      ...(publicUrl === undefined ? ['"--public-url"'] : []),
    ];
    if (missing.length > 0)
      throw wrongUsage(`"--auth-proxy" needs ${listed(missing)}.`, PROXY_HELP);
  }
  const common = {
    port,
    host,
    ...(socket !== undefined && { socket }),
    ...(tls && { tls }),
    ...(token && { token }),
    ...(isBehindAuthProxy && { proxy: { secret: proxySecret } }),
    ...(hookSecret && { hookSecret }),
  };
  const isOwn = isLoopback(host.includes(":") ? `[${host}]` : host) && socket === undefined;
  if (isOwn && publicUrl === undefined && !isBehindTls && !isBehindAuthProxy) return common;
  if (!token && !isBehindAuthProxy) {
    throw wrongUsage(
      `Other machines could reach the dashboard, and ${SERVE_TOKEN} is not set: everybody could read it.`,
      makeOne(SERVE_TOKEN),
    );
  }
  if (!tls && !isBehindTls && socket === undefined) {
    throw wrongUsage(
      "Other machines could reach the dashboard without TLS, so that others could read along.",
      "Name a certificate and its key, or let a proxy terminate TLS:\n  --tls-cert page.crt --tls-key page.key\n  --behind-tls",
    );
  }
  return { ...common, origin: originOf(publicUrl) };
}

const PROXY_HELP = `Through a Unix socket:
  --auth-proxy --socket /run/lintel/dashboard.sock --public-url https://lintel.example.com
Through a port, with a secret that the proxy sends as X-Lintel-Proxy-Secret:
  ${PROXY_SECRET}=$(openssl rand -hex 32)
  --auth-proxy --port 8080 --behind-tls --public-url https://lintel.example.com`;

function makeOne(name: string): string {
  return `Make one, and set it as ${name}:\n  openssl rand -hex 32`;
}

function originOf(publicUrl: string | undefined): string {
  const form = "  --public-url https://lintel.example.com";
  if (publicUrl === undefined) {
    throw wrongUsage(
      "The public address is missing: the dashboard answers to no other.",
      `Name it:\n${form}`,
    );
  }
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isRight =
    url?.protocol === "https:" &&
    `${url.username}${url.password}${url.search}${url.hash}` === "" &&
    url.pathname === "/";
  if (url && isRight) return url.origin;
  throw wrongUsage(
    `"${publicUrl.replace(/^.*@/, "…@")}" is not a public address: it must begin with https, and end with the host or its port.`,
    `Give the dashboard a host of its own:\n${form}`,
  );
}

function secretIn(env: Io["env"], name: string): Secret | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (text.length < SHORTEST_SECRET) {
    throw wrongUsage(
      `${name} has fewer than ${SHORTEST_SECRET} characters, which can be guessed.`,
      makeOne(name),
    );
  }
  // Other characters do not survive in a header.
  if (/^[!-~]+$/.test(text)) return secret(text);
  throw wrongUsage(`${name} contains blanks, or letters beyond ASCII.`, makeOne(name));
}

/** In bytes; far larger than any chain of certificates. */
const LARGEST_PEM = 1024 * 1024;

function certificateOf({ tlsCert, tlsKey }: ListeningOptions, cwd: string): Tls | undefined {
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
