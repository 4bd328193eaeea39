// Requests ↔ answers as plain data; only what is admitted gets further.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createSecureContext } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Failure } from "../../failure.js";
import * as local from "../../lib/local-server.js";
import { admit, type Asked, type Door } from "./access.js";
import type { Listening } from "./listening.js";

export interface Answer extends Omit<local.Answer, "body"> {
  readonly body: string | Buffer | Iterable<string>;
}

/** Undefined where it answers by itself, as with a stream. */
export type Respond = (
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
) => Promise<Answer | undefined>;

export async function serve(
  { host, port, origin, tls }: Listening,
  gate: Door["gate"],
  respond: Respond,
) {
  const certificate = tls && usable(tls.read());
  const server = await local.startServer(
    { host, port, tls: certificate },
    async (request, response, own) => {
      const door = { ...own, gate, origin };
      const admitted = admit(request, door);
      if ("status" in admitted) {
        const { status, message, headers = {} } = admitted;
        return local.sendAnswer(response, local.answerText(status, `${message}\n`, headers));
      }
      const reply = await respond(admitted, request, response, door);
      if (reply) await send(request, response, reply);
    },
  );
  return {
    /** Any address that it listens on will do from here. */
    url: origin ?? local.addressOf(server.listening),
    port: server.listening.port,
    renew: (renewed: local.Certificate) => server.setCertificate(usable(renewed)),
    close: server.close,
  };
}

function usable(certificate: local.Certificate): local.Certificate {
  try {
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `The certificate of the page and its key cannot be used: ${(error as Error).message}.`,
      "Check --tls-cert and --tls-key: both in PEM, the key without a passphrase, and each of the other.",
      { cause: error },
    );
  }
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
  const own = { ...local.headersFor(type, policy), ...headers };
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
