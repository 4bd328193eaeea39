// One attempt at a request → its answer, whole and within bounds, or the reason why there is none.
import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { Failure, interrupted } from "../failure.js";
import type { Io } from "../io.js";
import { encodeBody, hostOf, type Answer, type Request } from "../request.js";
import { revealed } from "../secret.js";
import { callFailure, timedOut, tooLarge } from "./call-failure.js";

export interface Bounds {
  readonly callTimeoutMs: number;
  /** In bytes. */
  readonly answerLimit: number;
}

export function once(
  dispatcher: Pick<Dispatcher, "dispatch">,
  request: Request,
  address: URL,
  io: Io,
  { callTimeoutMs, answerLimit }: Bounds,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    let status: number | undefined;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: unknown) => {
      if (ended) return;
      const at = { sent: controller !== undefined, hasBegun: status !== undefined };
      ended = error instanceof Failure ? error : callFailure(error, hostOf(request), at);
      settle();
      reject(ended);
      controller?.abort(ended);
    };
    const timer = setTimeout(
      () => fail(timedOut(hostOf(request), callTimeoutMs / 1000, controller !== undefined)),
      callTimeoutMs,
    );
    // An update that has begun to arrive is finished, so that its outcome is known.
    const interrupt = () => {
      if (request.repeats === "freely" || !controller) fail(interrupted());
    };
    const settle = () => {
      clearTimeout(timer);
      io.signal.removeEventListener("abort", interrupt);
    };
    io.signal.addEventListener("abort", interrupt);
    if (io.signal.aborted) return interrupt();

    const handler: Dispatcher.DispatchHandler = {
      // Called right before the first byte is written.
      onRequestStart: (started) => {
        try {
          request.assertMaySend?.();
        } catch (error) {
          fail(error);
        }
        if (ended) return started.abort(ended);
        controller = started;
      },
      onResponseStart: (_, code, raw) => {
        if (code < 200) return;
        status = code;
        headers = Object.fromEntries(
          Object.entries(raw).map(([name, held]) => [name, String(held)]),
        );
        if (Number(headers["content-length"]) > answerLimit)
          fail(tooLarge(hostOf(request), answerLimit));
      },
      onResponseData: (_, chunk) => {
        size += chunk.length;
        if (size > answerLimit) return fail(tooLarge(hostOf(request), answerLimit));
        if (!ended) chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (ended) return;
        settle();
        resolve({ status: status ?? 0, headers, ...decoded(chunks) });
      },
      onResponseError: (_, error) => fail(error),
    };
    dispatcher.dispatch(optionsOf(request, address), handler);
  });
}

function optionsOf({ method = "GET", headers = {}, body }: Request, address: URL) {
  const encoded = body && encodeBody(body);
  const own = Object.entries(headers).map(([name, value]) => [name, revealed(value)]);
  return {
    origin: address.origin,
    path: address.pathname + address.search,
    method,
    headers: {
      "user-agent": "lintel",
      ...(encoded && { "content-type": encoded.contentType }),
      ...Object.fromEntries(own),
    },
    ...(encoded && { body: encoded.text }),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function decoded(chunks: readonly Buffer[]): Pick<Answer, "text" | "strayByteAt"> {
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return { text };
  // Each stray byte became a mark of three others, so that the text written anew differs from there on.
  const anew = Buffer.from(text);
  return { text, strayByteAt: bytes.findIndex((byte, at) => byte !== anew[at]) };
}
