// One attempt at a request → its answer, whole and within bounds, or the reason why there is none.
import { isUtf8 } from "node:buffer";
import { Failure, interrupted } from "../failure.js";
import type { Io } from "../io.js";
import { encodeBody, hostOf, type Answer, type Request } from "../request.js";
import { revealed } from "../secret.js";
import { callFailure, ProxyRefusal, timedOut, tooLarge } from "./call-failure.js";
import type { Connections, Prepared } from "./connections.js";

export interface Bounds {
  readonly callTimeoutMs: number;
  /** In bytes. */
  readonly answerLimit: number;
}

type Asking = readonly [
  connections: Connections,
  request: Request,
  address: URL,
  io: Io,
  bounds: Bounds,
];

export async function once(...asking: Asking): Promise<Answer> {
  for (;;) {
    const answer = await attempt(...asking);
    if (answer) return answer;
  }
}

/** Undefined where a kept connection was closed by the server before anything was sent over it. */
async function attempt(
  ...[connections, request, address, io, { callTimeoutMs, answerLimit }]: Asking
): Promise<Answer | undefined> {
  const host = hostOf(request);
  const body = request.body && encodeBody(request.body);
  const { call, isForwarded } = await prepare(connections, request, address, body);
  return await new Promise((resolve, reject) => {
    let isSent = false;
    let isOver = false;
    let hasBegun = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      io.signal.removeEventListener("abort", interrupt);
      settle();
    };
    const fail = (error: unknown) =>
      end(() => {
        const at = { sent: isSent, hasBegun };
        reject(error instanceof Failure ? error : callFailure(error, host, at));
        call.destroy();
      });
    const timer = setTimeout(
      () => fail(timedOut(host, callTimeoutMs / 1000, isSent)),
      callTimeoutMs,
    );
    // An update that has begun to arrive is finished, so that its outcome is known.
    const interrupt = () => {
      if (request.repeats === "freely" || !isSent) fail(interrupted());
    };
    io.signal.addEventListener("abort", interrupt);

    call.on("error", (error: NodeJS.ErrnoException) => {
      if (call.reusedSocket && !isSent) return end(() => resolve(undefined));
      fail(isForwarded && !isSent ? new ProxyRefusal(error.code) : error);
    });
    call.once("close", () => fail({ code: "ECONNRESET" }));
    connections.onceOpen(call, () => {
      if (isOver) return;
      try {
        request.assertMaySend?.();
      } catch (error) {
        return fail(error);
      }
      isSent = true;
      call.end(body?.text);
    });
    call.once("response", (response) => {
      response.on("error", fail);
      const { statusCode: status = 0 } = response;
      // An answer of the proxy itself, which has passed nothing on.
      if (status === 407 && isForwarded) return fail(new ProxyRefusal("407"));
      hasBegun = true;
      if (Number(response.headers["content-length"]) > answerLimit)
        return fail(tooLarge(host, answerLimit));
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > answerLimit) return fail(tooLarge(host, answerLimit));
        chunks.push(chunk);
      });
      const named = Object.entries(response.headers).map(([name, held]) => [name, String(held)]);
      const headers = Object.fromEntries(named) as Answer["headers"];
      response.once("end", () => end(() => resolve({ status, headers, ...decoded(chunks) })));
    });
    if (io.signal.aborted) interrupt();
  });
}

async function prepare(
  connections: Connections,
  request: Request,
  address: URL,
  body: ReturnType<typeof encodeBody> | undefined,
): Promise<Prepared> {
  const { method = "GET", headers = {} } = request;
  const own = Object.entries(headers).map(([name, value]) => [name, revealed(value)]);
  try {
    return await connections.prepare(address, method, {
      "user-agent": "lintel",
      ...(body && { "content-type": body.contentType }),
      ...(body && { "content-length": Buffer.byteLength(body.text) }),
      ...Object.fromEntries(own),
    });
  } catch (error) {
    // What no header can hold, such as a line break.
    throw callFailure(error, hostOf(request), { sent: false, hasBegun: false });
  }
}

function decoded(chunks: readonly Buffer[]): Pick<Answer, "text" | "strayByteAt"> {
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return { text };
  // Each stray byte became a mark of three others, so that the text written anew differs from there on.
  const anew = Buffer.from(text);
  return { text, strayByteAt: bytes.findIndex((byte, at) => byte !== anew[at]) };
}
