// node:http ↔ requests and answers as plain data; the faults of the connection happen here.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { answerText, type Reply, type Incoming } from "./reply.js";
import { answerOf, isHandled, type Fault, type PickFault, type Received } from "./fault.js";

const LONGEST_BODY = 10 * 1024 * 1024;
const HUGE = 100 * 1024 * 1024;

export interface ServerOptions {
  readonly now: () => number;
  readonly latencyMs: number;
  /** Stops whatever waits, once the sandbox closes. */
  readonly signal: AbortSignal;
  /** Whether a Host header means this server. */
  isOwnHost(header: string | undefined): boolean;
  answer(incoming: Incoming): Reply;
  note(received: Received): void;
  readonly pickFault: PickFault;
}

export function createSandboxServer(options: ServerOptions): Server {
  return createServer((request, response) => {
    // Whoever hangs up in the middle has been answered enough.
    request.on("error", () => {});
    response.on("error", () => {});
    respond(options, request, response).catch((error: unknown) => {
      if (options.signal.aborted || response.destroyed) return;
      const text = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else send(options, response, answerText(500, `The sandbox failed: ${text}`));
    });
  });
}

async function respond(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader("connection", "close");
    send(options, response, answerText(413, `A body of more than ${LONGEST_BODY} bytes.`));
    return;
  }
  const { method = "GET", url: path = "/", headers } = request;
  const received = { method, path, headers, body, atMs: options.now() };
  options.note(received);
  if (!options.isOwnHost(headers.host)) {
    send(options, response, answerText(421, "This sandbox answers to its own address alone."));
    return;
  }
  if (!path.startsWith("/") || !URL.canParse(`http://sandbox.example.com${path}`)) {
    send(options, response, answerText(400, "The request names no path."));
    return;
  }
  const { pathname, searchParams: query } = new URL(`http://sandbox.example.com${path}`);
  // A socket for both families writes an address of the old one as one of the new.
  const address = (request.socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  const fault = options.pickFault(received);
  if (options.latencyMs > 0) await delay(options.latencyMs, undefined, { signal: options.signal });
  // Asked only once it is sure that the request takes effect.
  const answer = () =>
    options.answer({
      // node:http leaves out the body of an answer to HEAD by itself.
      method: method === "HEAD" ? "GET" : method,
      path: pathname,
      query,
      headers,
      body,
      address,
    });
  if (!fault) send(options, response, answer());
  else await fail(options, response, fault, isHandled(fault) ? answer() : undefined);
}

async function fail(
  options: ServerOptions,
  response: ServerResponse,
  fault: Fault,
  lost: Reply | undefined,
): Promise<void> {
  const instead = answerOf(fault);
  if (instead) return send(options, response, instead);
  if (fault.kind === "hang") return;
  if (fault.kind === "huge") return sendHuge(response);
  if (fault.kind === "cut" && lost) {
    const whole = Buffer.from(lost.body);
    response.writeHead(lost.status, { ...lost.headers, "content-length": whole.byteLength });
    // Destroyed only when the half is on its way, else the client would see no answer at all.
    response.write(whole.subarray(0, whole.byteLength / 2), () => response.socket?.end());
    return;
  }
  response.socket?.destroy();
}

function send(
  options: ServerOptions,
  response: ServerResponse,
  { status, headers, body }: Reply,
): void {
  response.writeHead(status, {
    // By the sandbox's clock, for clients that measure theirs against it.
    date: new Date(options.now()).toUTCString(),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    ...headers,
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

async function sendHuge(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  const piece = Buffer.alloc(64 * 1024, " ");
  await pipeline(
    Array.from({ length: HUGE / piece.byteLength }, () => piece),
    response,
  );
}

/** undefined for a body that is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.byteLength;
    // Read to its end nevertheless, a while longer: a client that still writes would miss the answer.
    if (length > LONGEST_BODY * 4) return undefined;
    if (length <= LONGEST_BODY) pieces.push(piece);
  }
  return length > LONGEST_BODY ? undefined : Buffer.concat(pieces).toString("utf8");
}
