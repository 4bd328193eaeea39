// Sends all of Lintel's requests, retries those that are safe to repeat, and follows no redirect.
import { setMaxListeners } from "node:events";
import { attempt, type Limits } from "./attempt.js";
import { CallFailure, certificateWanted, tooManyRequests } from "./call-failure.js";
import { assertChecked, type Certificates } from "./certificates.js";
import type { Connections } from "./dispatcher.js";
import { openHostAllowlist } from "./host-allowlist.js";
import * as retry from "./retry.js";

import { Failure, type FailureCode } from "../failure.js";
import { callableAddress } from "../hosts.js";
import type { Io } from "../io.js";
import { backOffMs, pause } from "../lib/retry.js";
import { showForeign } from "../lib/text.js";
import { addressOf, hostOf, isUpdate, opensReading, secretsOf, shownAddress } from "../request.js";
import type { Answer, Request } from "../request.js";

export { CallFailure };

export interface Http {
  /** Returns any answer except a redirect or a final 429; throws a CallFailure without an answer. */
  call(request: Request): Promise<Answer>;
  /** The timeout of one attempt. */
  readonly callTimeoutMs: number;
  /** False for a read-only client. */
  readonly mayChange: boolean;
  /** A client with other settings, which one server needs. Equal settings share a client; this one closes it. */
  with(terms: Terms): Http;
  /** Ends all connections and running calls. */
  close(): Promise<void>;
}

/** Settings for one server. */
export interface Terms extends Certificates, Partial<Limits> {
  readonly connectTimeoutMs?: number;
  readonly retryPolicy?: retry.RetryPolicy | undefined;
}

export interface HttpOptions extends Terms {
  /** Throws for a host that is not allowed; without it, only requests with a secret are refused. */
  readonly assertAllowed?: (address: URL) => void;
  /** Called after every attempt, for --verbose. */
  readonly trace?: (attempt: Attempt) => void;
  /** Called after every attempt, to count them. */
  readonly onResponse?: (end: Pick<Attempt, "status" | "failure">) => void;
  /** Called with the reason of a wait. */
  readonly notice?: (sentence: string) => void;
}

/** The part of an attempt that may be shown. */
export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly failure?: FailureCode;
  readonly ms: number;
}

const REDIRECTS = [301, 302, 303, 307, 308];
const PASSING = [429, 502, 503, 504];
const NOTICED_MS = 2_000;
export const CALL_TIMEOUT_S = 60;
const CONNECT_TIMEOUT_S = 10;
const WEBHOOK_TIMEOUT_MS = 10_000;
const WEBHOOK_ANSWER_LIMIT = 100_000;
const DEFAULT_LIMIT = 10_000_000;
const NEVER = new AbortController().signal;

export function openHttp(io: Io, options: HttpOptions = {}): Http {
  assertChecked(io);
  const { callTimeoutMs = 1000 * CALL_TIMEOUT_S, answerLimit = DEFAULT_LIMIT } = options;
  const { retryPolicy = retry.RETRY_POLICY } = options;
  const limits = { callTimeoutMs, answerLimit };
  // Every running call listens for the interrupt, and Node reports more than ten listeners as a leak.
  setMaxListeners(0, io.signal, NEVER);
  let connections: Promise<Connections> | undefined;
  let isClosed = false;
  const assertAllowed = options.assertAllowed ?? openHostAllowlist(io).assertAllowed;
  const others = openOthers(io, options);

  async function call(request: Request): Promise<Answer> {
    const { url, written } = request;
    callableAddress(url, "a portal or a sign-in service", "https://HOST/PATH", written);
    const address = addressOf(request);
    const during = request.mustFinish ? { ...io, signal: NEVER } : io;
    if (options.assertAllowed || secretsOf(request).length > 0) assertAllowed(address);
    for (let count = 1; ; count++) {
      await request.pace?.wait();
      await request.beforeAttempt?.();
      const startedMs = io.now();
      let delayMs: number;
      let answer: Answer | undefined;
      try {
        const opened = await (connections ??= connect(io, options, answerLimit));
        // The server may be closing a kept connection; then it is unknown what it has read.
        answer = await opened.use(address, request.repeats === "freely", (dispatcher) =>
          attempt(dispatcher, request, address, during, limits),
        );
        report(startedMs, { status: answer.status });
        if (REDIRECTS.includes(answer.status)) throw redirected(address, request, answer);
        if (wantsCertificate(answer)) throw certificateWanted(hostOf(request));
        if (!PASSING.includes(answer.status)) return answer;
        delayMs = retry.delayAfterAnswer(answer, count, io, retryPolicy);
        const isOver = count >= retryPolicy.attempts || delayMs > retry.LONGEST_WAIT_MS;
        if (answer.status === 429 && isOver)
          throw tooManyRequests(hostOf(request), retry.askedDelay(answer, io.now()));
        // Another status may come from a gateway, after the request was executed behind it.
        if (isOver || (answer.status !== 429 && request.repeats === "unsent")) return answer;
      } catch (error) {
        if (answer || !(error instanceof CallFailure)) throw error;
        report(startedMs, { failure: error.code });
        const mayRepeat = request.repeats === "freely" || !error.sent;
        if (isClosed || !error.isPassing || !mayRepeat || count >= retryPolicy.attempts)
          throw error;
        delayMs = backOffMs(count, retryPolicy, io.random());
      } finally {
        request.pace?.onResponse(answer);
      }
      if (delayMs >= NOTICED_MS) {
        const why = answer ? `answered ${answer.status}` : "did not answer";
        options.notice?.(`Waiting ${Math.ceil(delayMs / 1000)} s: "${hostOf(request)}" ${why}.`);
      }
      await pause(delayMs, during);
    }

    function report(startedMs: number, end: Pick<Attempt, "status" | "failure">): void {
      options.onResponse?.(end);
      const method = request.method ?? "GET";
      options.trace?.({ method, url: shownAddress(request), ...end, ms: io.now() - startedMs });
    }
  }

  return {
    call,
    callTimeoutMs,
    mayChange: true,
    with: others.with,
    close: async () => {
      isClosed = true;
      await others.close();
      // If connecting failed, the call has reported it, and there is nothing to close.
      const open = await connections?.catch(() => undefined);
      await open?.close();
    },
  };
}

/** Called for the first request, so that offline commands do not load undici. */
async function connect(io: Io, options: Terms, answerLimit: number): Promise<Connections> {
  const { openConnections } = await import("./dispatcher.js");
  const { connectTimeoutMs = 1000 * CONNECT_TIMEOUT_S } = options;
  return openConnections(io, options, { connectTimeoutMs, answerLimit });
}

/** Clients with other settings; equal settings share one. */
function openOthers(io: Io, options: HttpOptions) {
  const others = new Map<string, Http>();
  return {
    with: (terms: Terms): Http => {
      const key = JSON.stringify(terms);
      const ca = [options.ca, terms.ca].filter(Boolean).join("\n") || undefined;
      const other = others.get(key) ?? openHttp(io, { ...options, ...terms, ca });
      others.set(key, other);
      return other;
    },
    close: async () => {
      for (const each of others.values()) await each.close();
    },
  };
}

/** A client for commands that only read: it sends only GET and sign-ins. */
export function readOnlyClient(http: Http): Http {
  return {
    ...http,
    mayChange: false,
    with: (terms) => readOnlyClient(http.with(terms)),
    call: async (request) => {
      if (opensReading(request)) return http.call(request);
      const what = `${request.method ?? "GET"} ${shownAddress(request)}`;
      throw new Failure("a-bug-in-lintel", `A command that only reads asked for "${what}".`);
    },
  };
}

/** A client that sends only POST, and only to these addresses; tries each call once. */
export function webhookClient(http: Http, urls: readonly string[]): Pick<Http, "call"> {
  const once = http.with({
    retryPolicy: { ...retry.RETRY_POLICY, attempts: 1 },
    callTimeoutMs: WEBHOOK_TIMEOUT_MS,
    answerLimit: WEBHOOK_ANSWER_LIMIT,
  });
  return {
    call: async (request) => {
      const { method, url } = request;
      const isMeant = method === "POST" && urls.includes(url) && !isUpdate(new URL(url).pathname);
      if (isMeant) return once.call(request);
      throw new Failure("a-bug-in-lintel", `A webhook asked for "${shownAddress(request)}".`);
    },
  };
}

/** nginx accepts the connection without a certificate, and answers with its own error page before it forwards anything. */
function wantsCertificate({ status, text }: Answer): boolean {
  return (
    status === 400 &&
    /<title>400 (?:No required SSL certificate was sent|The SSL certificate error)</.test(text)
  );
}

function redirected(address: URL, request: Request, { status, headers }: Answer): CallFailure {
  const host = hostOf(request);
  const target = headers["location"] ?? "";
  const to = URL.canParse(target, address.href) ? new URL(target, address.href) : undefined;
  const place = to?.origin === address.origin ? to.host : to?.origin;
  // The values of references are not shown.
  const isHidden = request.written !== undefined && to?.hostname === address.hostname;
  const where = place && !isHidden ? ` to "${showForeign(place, secretsOf(request))}"` : "";
  return new CallFailure(
    "redirected",
    `The host "${host}" redirects${where} instead of answering (${status}).`,
    "Often that is a sign-in page or an address that has moved. Write the address that answers itself; credentials follow no redirect.",
    { sent: true },
  );
}
