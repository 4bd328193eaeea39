// Requests ↔ answers as plain data: node:http, or node:https where there is a certificate; only what is admitted gets further.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Failure } from "../../failure.js";
import { addressOf, admit, type Asked, type Door } from "./access.js";
import type { Certificate, Listening } from "./listening.js";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer | Iterable<string>;
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined where it answers by itself, as with a stream. */
export type Respond = (
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
) => Promise<Answer | undefined>;

/** What is no page may do nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const TEXT = "text/plain; charset=utf-8";
/** Nobody sends more than a token, so that more time only keeps connections busy. */
const PATIENCE_MS = 20_000;

export function headersOf(type: string, policy = NOTHING): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Without it, browsers leave the origin out where a form is sent.
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}

export async function serve(listening: Listening, gate: Door["gate"], respond: Respond) {
  const { host, port, origin, tls } = listening;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    // Whoever hangs up in the middle has been answered enough.
    request.on("error", () => {});
    response.on("error", () => {});
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return void response.destroy();
      const message = `This is a bug in Lintel: ${(error as Error).message}\n`;
      return send(request, response, { status: 500, type: TEXT, body: message });
    });
  };
  const server = tls ? secured(tls.read(), handle) : createServer(handle);
  Object.assign(server, { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS });
  const door = (): Door => {
    const { port } = server.address() as AddressInfo;
    return { host, port, gate, isTls: tls !== undefined, ...(origin !== undefined && { origin }) };
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = door();
    const admitted = admit(request, own);
    if ("status" in admitted) {
      const { status, message, headers = {} } = admitted;
      return send(request, response, { status, type: TEXT, body: `${message}\n`, headers });
    }
    const reply = await respond(admitted, request, response, own);
    if (reply) await send(request, response, reply);
  }

  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw cannotListen(error, host, port);
  });
  const own = door();
  return {
    url: addressOf(own),
    port: own.port,
    /** A certificate that was renewed is used from the next connection on. */
    renew: (certificate: Certificate) => (server as TlsServer).setSecureContext(certificate),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function secured(
  certificate: Certificate,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): TlsServer {
  try {
    return createTlsServer({ ...certificate, minVersion: "TLSv1.2" }, handle);
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `The certificate of the page and its key cannot be used: ${(error as Error).message}.`,
      "Check --tls-cert and --tls-key: both in PEM, the key without a passphrase, and each of the other.",
      { cause: error },
    );
  }
}

function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, readonly [message: string, help: string]>> = {
    EADDRINUSE: [
      `Port ${port} of ${host} is taken by another program.`,
      "Name another port with --port; 0 takes one that is free.",
    ],
    EACCES: [
      `Port ${port} needs rights that this user does not have.`,
      "Name a port from 1024 on with --port.",
    ],
    EADDRNOTAVAIL: [
      `"${host}" is no address of this machine.`,
      "Name one of its own with --host; 0.0.0.0 means all of them.",
    ],
    ENOTFOUND: [
      `"${host}" is no address of this machine.`,
      "Name one of its own with --host; 0.0.0.0 means all of them.",
    ],
  };
  const reason = reasons[code ?? ""];
  return reason ? new Failure("wrong-usage", ...reason, { cause: error }) : error;
}

/** In bytes: to pack less takes longer than to send it. */
const SMALL = 100_000;
const pack = promisify(gzip);
const packs = new WeakMap<Buffer, Promise<Buffer>>();

function takesGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(headers["accept-encoding"] ?? "");
}

/** Once for all who are sent the same. */
function packedOf(body: Buffer): Promise<Buffer> {
  const packed = packs.get(body) ?? pack(body, { level: 1 });
  packs.set(body, packed);
  return packed;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, policy, headers = {} }: Answer,
): Promise<void> {
  const own = { ...headersOf(type, policy), ...headers };
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    const isPacked = Buffer.isBuffer(body) && body.length > SMALL && takesGzip(request);
    const sent = isPacked ? await packedOf(body) : body;
    const packing = isPacked ? { "content-encoding": "gzip" } : {};
    const vary = { vary: "accept-encoding" };
    const length = { "content-length": Buffer.byteLength(sent) };
    response.writeHead(status, { ...own, ...packing, ...vary, ...length });
    response.end(sent);
    return;
  }
  response.writeHead(status, own);
  if (request.method === "HEAD") return void response.end();
  // Whoever reads slowly is sent no more than it takes.
  await pipeline(Readable.from(body), response).catch(() => response.destroy());
}
