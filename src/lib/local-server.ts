// HTTP servers for sandbox, preview and dashboard: they start, read and answer, and refuse requests from pages of other sites.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { chmodSync, rmSync } from "node:fs";
import { connect, isIP } from "node:net";
import { Failure } from "../failure.js";
import { statOf } from "./files.js";
import { withoutBrackets } from "../hosts.js";
import type { Page } from "./html-document.js";

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A Unix socket instead of host and port. */
  readonly socket?: string | undefined;
  readonly tls?: Certificate | undefined;
}

/** Where a server listens: the requested host, and the address from the system. */
export interface Listening {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A slower request only keeps its connection busy. */
const REQUEST_TIMEOUT_MS = 20_000;

export async function startServer(
  { host, port, socket, tls }: ServerOptions,
  handle: (
    request: IncomingMessage,
    response: ServerResponse,
    listening: Listening,
  ) => Promise<void>,
) {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // A client may hang up at any time.
    request.on("error", () => {});
    response.on("error", () => {});
    handle(request, response, listening).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const message = `This is a bug in Lintel: ${(error as Error).message}\n`;
      response.writeHead(500, headersFor("text/plain; charset=utf-8")).end(message);
    });
  };
  const server = tls
    ? createTlsServer({ ...tls, minVersion: "TLSv1.2" }, onRequest)
    : createServer(onRequest);
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  if (socket !== undefined) await removeStaleSocket(socket);
  server.listen(socket === undefined ? { port, host } : { path: socket });
  await once(server, "listening").catch((error: unknown) => {
    throw socket === undefined ? cannotListen(error, host, port) : cannotListenAt(error, socket);
  });
  // The group of the socket's folder is the proxy's; other users are refused.
  if (socket !== undefined) chmodSync(socket, 0o660);
  const bound = server.address();
  const { address, port: boundPort } =
    typeof bound === "object" && bound ? bound : { address: String(bound), port: 0 };
  const listening: Listening = { host, address, port: boundPort, isTls: tls !== undefined };
  return {
    listening,
    /** Applies to new connections. */
    setCertificate: (certificate: Certificate) =>
      (server as TlsServer).setSecureContext(certificate),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A killed process leaves its socket, which nothing listens on. */
async function removeStaleSocket(path: string): Promise<void> {
  const isSocket = statOf(path)?.isSocket() === true;
  if (!isSocket) return;
  const connection = connect(path);
  const isStale = await once(connection, "connect").then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === "ECONNREFUSED",
  );
  connection.destroy();
  if (isStale) rmSync(path);
}

function cannotListenAt(error: unknown, socket: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new Failure(
    "wrong-usage",
    `Cannot listen on the socket "${socket}" (${code}).`,
    "Name a path in a folder that exists, where this user may write and no other process listens.",
    { cause: error },
  );
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const [message, help] =
    code === "EADDRINUSE"
      ? [`Port ${port} of ${host} is in use.`, "Choose another with --port; 0 takes any free port."]
      : code === "EACCES"
        ? [`This user may not listen on port ${port}.`, "Choose a port from 1024 on with --port."]
        : [`Cannot listen on ${host}, port ${port} (${code}).`, "Use an address of this machine."];
  return new Failure("wrong-usage", message, help, { cause: error });
}

/** A response without a page may load nothing. */
const NO_CONTENT = "default-src 'none'; frame-ancestors 'none'";

export function headersFor(type: string, policy = NO_CONTENT): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // With "no-referrer", browsers send "Origin: null" with a form.
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** A content security policy; without one, the response may load nothing. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerText(status: number, body: string, headers: Answer["headers"] = {}): Answer {
  return { status, type: "text/plain; charset=utf-8", body, headers };
}

export function answerPage({ text, contentSecurityPolicy }: Page, status = 200): Answer {
  return { status, type: "text/html; charset=utf-8", body: text, policy: contentSecurityPolicy };
}

export function sendAnswer(
  response: ServerResponse,
  { status, type, body, policy, headers }: Answer,
): void {
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headersFor(type, policy), ...headers, ...length });
  response.end(body);
}

/** Undefined for a body longer than `most` bytes. */
export async function readBody(
  request: IncomingMessage,
  most: number,
): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.byteLength;
    // Reads on for a while, because a client that is still sending would miss the answer.
    if (length > most * 10) return undefined;
    if (length <= most) pieces.push(piece);
  }
  return length > most ? undefined : Buffer.concat(pieces).toString("utf8");
}

/** The target of a form or a link on this server; "/" for an address of another server. */
export function ownPath(text: string | null): string {
  const own = "http://server.example.com";
  if (text === null || !URL.canParse(text, own)) return "/";
  const { origin, pathname, search } = new URL(text, own);
  // A path that begins with two slashes would be a host.
  return origin === own && !pathname.startsWith("//") ? pathname + search : "/";
}

/** Path and query; undefined if the request has neither. */
export function targetOf({ url = "" }: IncomingMessage): URL | undefined {
  const text = `http://server.example.com${url}`;
  return url.startsWith("/") && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * A page of another site can make a browser send requests here, and can make its own name resolve to this machine. Such
 * a request has the other name in Host or Origin. A plain link from another site is harmless.
 */
export function refuseForeign(
  { headers, method }: IncomingMessage,
  listening: Listening,
  publicOrigin?: string,
): Refusal | undefined {
  const { host, origin } = headers;
  const isOwn = publicOrigin ? originOf(host, true) === publicOrigin : isOwnHost(host, listening);
  if (!isOwn) {
    const hint = publicOrigin ? " A proxy in front of it must pass the Host header on." : "";
    const message = `This server only answers at ${publicOrigin ?? addressOf(listening)}.${hint}`;
    return { status: 421, message };
  }
  const own = publicOrigin ?? originOf(host, listening.isTls);
  const site = headers["sec-fetch-site"] ?? "none";
  const isLink =
    method !== "POST" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document";
  const isForeign =
    (origin !== undefined && origin !== own) ||
    (method === "POST" && origin === undefined) ||
    !(site === "same-origin" || site === "none" || isLink);
  if (!isForeign) return undefined;
  return {
    status: 403,
    message: "This server only answers its own pages. Open its address in the browser.",
  };
}

export function addressOf({ host, port, isTls }: Listening): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return new URL(`${isTls ? "https" : "http"}://${name}:${port}`).origin;
}

function originOf(host: string | undefined, isTls: boolean): string | undefined {
  const text = `${isTls ? "https" : "http"}://${host}`;
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/**
 * Whether the Host header names this server. An address, or a name without a dot, cannot be a public site:
 *
 * | listens on | 127.0.0.1, localhost, [::1], its own | another address, a name without a dot | another name |
 * |------------|--------------------------------------|---------------------------------------|--------------|
 * | loopback   | with its port                        | no                                    | no           |
 * | elsewhere  | yes                                  | yes                                   | no           |
 *
 * Elsewhere any port will do, because a container's outside may see another one.
 */
export function isOwnHost(header: string | undefined, listening: Listening): boolean {
  const origin = originOf(header, listening.isTls);
  if (!header || !origin || /[/\\@?#\s]/.test(header)) return false;
  const { hostname, port } = new URL(origin);
  const name = plain(hostname);
  const own = ["127.0.0.1", "localhost", "::1", listening.address, listening.host].map(plain);
  const isLoopback = /^(?:127\.|::1$|::ffff:127\.)/.test(listening.address);
  return isLoopback
    ? own.includes(name) && Number(port || (listening.isTls ? 443 : 80)) === listening.port
    : own.includes(name) || isIP(name) !== 0 || !name.includes(".");
}

function plain(host: string): string {
  return withoutBrackets(host.toLowerCase());
}
