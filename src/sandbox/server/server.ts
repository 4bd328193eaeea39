// node:http ↔ requests and answers as plain data; the faults of the connection happen here.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../failure.js";
import { withoutBrackets } from "../../hosts.js";
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
  const server = createServer((request, response) => {
    // Whoever hangs up in the middle has been answered enough.
    request.on("error", () => {});
    response.on("error", () => {});
    const send = (reply: Reply | undefined) => reply && sendAt(now(), response, reply);
    const answered = respond(inside, listening, closing.signal, request, response).then(send);
    answered.catch((error: unknown) => {
      if (closing.signal.aborted || response.destroyed) return;
      const text = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else send(answerText(500, `The sandbox failed: ${text}`));
    });
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Failure(
      "wrong-usage",
      `The sandbox cannot listen on ${host}, port ${port}.`,
      code === "EADDRINUSE"
        ? "Something else does; port 0 takes any that is free."
        : `Name an address of this machine, and a port that this user may have (${code}).`,
      { cause: error },
    );
  }
  const address = server.address() as AddressInfo;
  const listening = { ...address, host };
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    close: async () => {
      // Stops whatever waits.
      closing.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
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
  if (!path.startsWith("/") || !URL.canParse(`http://sandbox.example.com${path}`)) {
    return answerText(400, "The request names no path.");
  }
  const { pathname, searchParams: query } = new URL(`http://sandbox.example.com${path}`);
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

/** Its host as it was asked for, an address or a name; its address as the system says. */
type Listening = Pick<AddressInfo, "address" | "port"> & { readonly host: string };

/**
 * A page on the web can make a name of its own mean this machine, and would then read the sandbox as if it were its
 * own server; the request still says that name. Nobody on the web owns an address, or a name without a dot.
 *
 * | listens on | 127.0.0.1, localhost, [::1], its own | another address, a name without a dot | another name |
 * |------------|--------------------------------------|---------------------------------------|--------------|
 * | loopback   | with its port                        | no                                    | no           |
 * | elsewhere  | yes                                  | yes                                   | no           |
 *
 * Elsewhere any port will do, because a container's outside may see another one.
 */
export function isOwnHost(header: string | undefined, listening: Listening): boolean {
  if (!header || /[/\\@?#\s]/.test(header) || !URL.canParse(`http://${header}`)) return false;
  const { hostname, port } = new URL(`http://${header}`);
  const name = plain(hostname);
  const own = ["127.0.0.1", "localhost", "::1", listening.address, listening.host].map(plain);
  const isLoopback = /^(?:127\.|::1$|::ffff:127\.)/.test(listening.address);
  return isLoopback
    ? own.includes(name) && Number(port || 80) === listening.port
    : own.includes(name) || isIP(name) !== 0 || !name.includes(".");
}

function plain(host: string): string {
  return withoutBrackets(host.toLowerCase());
}
