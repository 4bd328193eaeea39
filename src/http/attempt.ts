// Sends a request once and reads the whole answer, with limits of time and size.
import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { Failure, interrupted } from "../failure.js";
import type { Io } from "../io.js";
import { encodeBody, hostOf, type Answer, type Request } from "../request.js";
import { revealed } from "../secret.js";
import { callFailure, timedOut, tooLarge } from "./call-failure.js";

export interface Limits {
  readonly callTimeoutMs: number;
  /** In bytes. */
  readonly answerLimit: number;
}

export function attempt(
  dispatcher: Dispatcher,
  request: Request,
  address: URL,
  { signal }: Pick<Io, "signal">,
  { callTimeoutMs, answerLimit }: Limits,
): Promise<Answer> {
  const host = hostOf(request);
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    /** Connected, and the first byte was sent or is about to be. */
    let isSent = false;
    let isOver = false;
    let head = { status: 0, headers: {} };
    const chunks: Buffer[] = [];

    function end(complete: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
      complete();
    }
    function fail(error: unknown): void {
      end(() =>
        reject(
          error instanceof Failure
            ? error
            : callFailure(error, host, { sent: isSent, hasBegun: head.status > 0 }),
        ),
      );
      controller?.abort(new Error("given up"));
    }
    const timer = setTimeout(
      () => fail(timedOut(host, callTimeoutMs / 1000, isSent)),
      callTimeoutMs,
    );
    // Completes an update that was partly sent, so that its outcome is known.
    function interrupt(): void {
      if (request.repeats === "freely" || !isSent) fail(interrupted());
    }
    signal.addEventListener("abort", interrupt);
    if (signal.aborted) return interrupt();

    dispatcher.dispatch(dispatchOptions(request, address), {
      // Called after the connection is open, right before the first byte. An abort here sends nothing.
      onRequestStart(started) {
        controller = started;
        // Either it was given up while waiting for a connection, or undici would send it again.
        if (isOver || isSent) return started.abort(new Error("not sent again"));
        try {
          request.assertMaySend?.();
        } catch (error) {
          return fail(error);
        }
        isSent = true;
      },
      onResponseStart(_, status, headers) {
        // A 1xx precedes the answer.
        if (status < 200) return;
        const named = Object.entries(headers).map(([name, held]) => [name, String(held)]);
        head = { status, headers: Object.fromEntries(named) };
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        end(() => resolve({ ...head, ...decoded(chunks) }));
      },
      onResponseError(_, error) {
        const isTooLarge = (error as { code?: unknown }).code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
        fail(isTooLarge ? tooLarge(host, answerLimit) : error);
      },
    });
  });
}

function dispatchOptions(request: Request, address: URL): Dispatcher.DispatchOptions {
  const { method = "GET", headers = {} } = request;
  const body = request.body && encodeBody(request.body);
  const own = Object.entries(headers).map(([name, value]) => [name, revealed(value)]);
  return {
    origin: address.origin,
    path: address.pathname + address.search,
    method,
    headers: {
      "user-agent": "lintel",
      ...(body && { "content-type": body.contentType }),
      ...Object.fromEntries(own),
    },
    ...(body && { body: body.text }),
  };
}

function decoded(chunks: readonly Buffer[]): Pick<Answer, "text" | "strayByteAt"> {
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return { text };
  // An invalid byte became a replacement character of three bytes, so the re-encoded text differs from there on.
  const anew = Buffer.from(text);
  return { text, strayByteAt: bytes.findIndex((byte, at) => byte !== anew[at]) };
}
