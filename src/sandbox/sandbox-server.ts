// The sandbox's server: passes each request to the part that answers it, or lets a fault happen to it.
import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import * as local from "../lib/local-server.js";
import type { SandboxContext } from "./context.js";
import { answerOf, isHandled, pickFault, type Fault, type Received } from "./faults.js";
import type { Incoming } from "./incoming.js";
import { answerPages } from "./portal/portal-pages.js";
import { answerPortal } from "./portal/portal.js";
import { answerBrowser } from "./sign-in/browser.js";
import { answerSignIn } from "./sign-in/sign-in.js";

const LONGEST_BODY = 10 * 1024 * 1024;
const HUGE = 100 * 1024 * 1024;
// A sandbox may run for days; its log must not grow for ever.
const LOGGED = 1000;

export async function serve(context: SandboxContext) {
  const { now, host, port } = context.switches;
  const closing = new AbortController();
  // Every request that is delayed listens for the end.
  setMaxListeners(0, closing.signal);
  const { listening, close } = await local.startServer(
    { host, port },
    async (request, response, own) => {
      try {
        const answer = await respond(context, own, closing.signal, request, response);
        // By the sandbox's clock, for clients that measure theirs against it.
        const date = new Date(now()).toUTCString();
        if (answer) {
          local.sendAnswer(response, { ...answer, headers: { date, ...answer.headers } });
        }
      } catch (error) {
        // A request that still waits is cut off.
        if (!closing.signal.aborted && !response.destroyed) throw error;
      }
    },
  );
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
  context: SandboxContext,
  listening: local.Listening,
  signal: AbortSignal,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<local.Answer | undefined> {
  const body = await local.readBody(request, LONGEST_BODY);
  if (body === undefined) {
    response.setHeader("connection", "close");
    return local.answerText(413, `A body of more than ${LONGEST_BODY} bytes.`);
  }
  const { method = "GET", url: path = "/", headers } = request;
  const { now, latencyMs } = context.switches;
  const received = { method, path, headers, body, atMs: now() };
  log(context, received);
  if (!local.isOwnHost(headers.host, listening)) {
    return local.answerText(421, "This sandbox answers to its own address alone.");
  }
  const target = local.targetOf(request);
  if (!target) return local.answerText(400, "The request names no path.");
  const fault = pickFault(context, received);
  if (latencyMs > 0) await delay(latencyMs, undefined, { signal });
  // Called only once it is sure that the request takes effect.
  const answer = () =>
    answerTo(context, {
      // node:http omits the body of an answer to HEAD.
      method: method === "HEAD" ? "GET" : method,
      path: target.pathname,
      query: target.searchParams,
      headers,
      body,
      // A socket for both families writes an address of the old one as one of the new.
      address: (request.socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, ""),
    });
  if (!fault) return answer();
  const lost = isHandled(fault) ? answer() : undefined;
  return answerOf(fault) ?? breakOff(response, fault, lost);
}

function log({ requests }: SandboxContext, received: Received): void {
  requests.push(received);
  if (requests.length > LOGGED) requests.shift();
}

function answerTo(context: SandboxContext, incoming: Incoming): local.Answer {
  return (
    answerSignIn(context, incoming) ??
    answerPortal(context, incoming) ??
    answerBrowser(context, incoming) ??
    answerPages(context, incoming) ??
    local.answerText(404, "There is nothing at this address.")
  );
}

async function breakOff(
  response: ServerResponse,
  { kind }: Fault,
  lost: local.Answer | undefined,
): Promise<undefined> {
  if (kind === "huge") await sendHuge(response);
  else if (kind === "cut" && lost) {
    const whole = Buffer.from(lost.body);
    const headers = { "content-type": lost.type, "content-length": whole.byteLength };
    response.writeHead(lost.status, headers);
    // Destroyed only when the half is on its way, else the client would see no answer at all.
    response.write(whole.subarray(0, whole.byteLength / 2), () => response.socket?.end());
  } else if (kind !== "hang") response.socket?.destroy();
}

async function sendHuge(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
  const piece = Buffer.alloc(64 * 1024, " ");
  await pipeline(
    Array.from({ length: HUGE / piece.byteLength }, () => piece),
    response,
  );
}
