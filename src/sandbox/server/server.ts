// Requests and answers of the sandbox as plain data; the faults of the connection happen here.
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isOwnHost, startServer, targetOf, type Listening } from "../../lib/local-server.js";
import type { Switches } from "../options.js";
import { answerText, type Reply, type Incoming } from "./reply.js";
import { answerOf, isHandled, type Fault, type Received } from "./fault.js";

const LONGEST_BODY = 10 * 1024 * 1024;
const HUGE = 100 * 1024 * 1024;

export interface Inside {
  readonly switches: Switches;
  answer(incoming: Incoming): Reply;
  note(received: Received): void;
  pickFault(received: Received): Fault | undefined;
}

export async function serve(inside: Inside) {
  const { now, host, port } = inside.switches;
  const closing = new AbortController();
  // Every request that is delayed listens for the end.
  setMaxListeners(0, closing.signal);
  const { listening, close } = await startServer({ host, port }, async (request, response, own) => {
    try {
      const reply = await respond(inside, own, closing.signal, request, response);
      if (reply) sendAt(now(), response, reply);
    } catch (error) {
      // A request that still waits is cut off.
      if (!closing.signal.aborted && !response.destroyed) throw error;
    }
  });
  const { address } = listening;
  return {
    url: `http://${isIP(address) === 6 ? `[${address}]` : address}:${listening.port}`,
    close: () => {
      closing.abort();
      return close();
    },
  };
}

/** undefined where a fault took the answer's place. */
async function respond(
  inside: Inside,
  listening: Listening,
  signal: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply | undefined> {
  const body = await readBody(request);
  if (body === undefined) {
    response.setHeader("connection", "close");
    return answerText(413, `A body of more than ${LONGEST_BODY} bytes.`);
  }
  const { method = "GET", url: path = "/", headers } = request;
  const { now, latencyMs } = inside.switches;
  const received = { method, path, headers, body, atMs: now() };
  inside.note(received);
  if (!isOwnHost(headers.host, listening)) {
    return answerText(421, "This sandbox answers to its own address alone.");
  }
  const target = targetOf(request);
  if (!target) return answerText(400, "The request names no path.");
  const { pathname, searchParams: query } = target;
  // A socket for both families writes an address of the old one as one of the new.
  const address = (request.socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  const fault = inside.pickFault(received);
  if (latencyMs > 0) await delay(latencyMs, undefined, { signal });
  // Asked only once it is sure that the request takes effect. node:http leaves out the body of an answer to HEAD by itself.
  const meant = method === "HEAD" ? "GET" : method;
  const answer = () =>
    inside.answer({ method: meant, path: pathname, query, headers, body, address });
  if (!fault) return answer();
  const lost = isHandled(fault) ? answer() : undefined;
  return answerOf(fault) ?? breakOff(response, fault, lost);
}

async function breakOff(
  response: ServerResponse,
  { kind }: Fault,
  lost: Reply | undefined,
): Promise<undefined> {
  if (kind === "huge") await sendHuge(response);
  else if (kind === "cut" && lost) {
    const whole = Buffer.from(lost.body);
    response.writeHead(lost.status, { ...lost.headers, "content-length": whole.byteLength });
    // Destroyed only when the half is on its way, else the client would see no answer at all.
    response.write(whole.subarray(0, whole.byteLength / 2), () => response.socket?.end());
  } else if (kind !== "hang") response.socket?.destroy();
}

function sendAt(ms: number, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    // By the sandbox's clock, for clients that measure theirs against it.
    date: new Date(ms).toUTCString(),
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
