// Opens the HTTP client, the sign-ins and the states of a run, as its network options say, and closes them after the work.
import { readPem } from "../../http/certificates.js";
import {
  openHttp,
  webhookClient,
  readOnlyClient,
  type Attempt,
  type HttpOptions,
} from "../../http/http.js";
import { openPermits } from "../../http/permits.js";
import type { Io } from "../../io.js";
import { secret } from "../../secret.js";
import { openSignIns } from "../../session/sign-ins.js";
import type { Limiter } from "../../session/limiter.js";
import { openStores, type OwnBackends } from "../../state/open.js";
import { visible } from "../../lib/text.js";
import type { Values } from "../command.js";
import type { NETWORK } from "../options.js";

/**
 * Reading commands get a read-only client, which sends GET and sign-ins alone; so do anonymous ones, whose addresses
 * come from no file and which sign in nowhere. Commands that change a portal get a client without that limit; those
 * that change a state alone use it for the state.
 */
export type Purpose = "reading" | "anonymous" | "updating" | "state";

export interface NetworkArguments {
  readonly options: Partial<Values<typeof NETWORK>>;
}

export type Network = ReturnType<typeof openNetwork>;

/** The network is closed as soon as the work has ended, however it did. */
export async function withNetwork<T>(
  io: Io,
  call: NetworkArguments,
  purpose: Purpose,
  work: (network: Network) => Promise<T>,
  lasting: Lasting = {},
): Promise<T> {
  const network = openNetwork(io, call, purpose, lasting);
  try {
    return await work(network);
  } finally {
    await network.close();
  }
}

export interface Lasting {
  /** For a run that does not end by itself: it tells of waits only where every request is shown. */
  readonly isLasting?: boolean;
  /** In the place of one that counts what this process alone asks of a sign-in service. */
  readonly limiter?: Limiter;
  /** Told of every request, and what came of it. */
  readonly onResponse?: HttpOptions["onResponse"];
  /** Backends of its own. */
  readonly own?: OwnBackends;
  /** Says where the age of a state is not known. */
  readonly isAgeShown?: boolean;
}

function openNetwork(io: Io, call: NetworkArguments, purpose: Purpose, lasting: Lasting) {
  const { isLasting = false, limiter, own: backends, onResponse, isAgeShown } = lasting;
  const permits = openPermits(io);
  const isSilent = isLasting && !call.options.verbose;
  const notice = isSilent ? () => {} : (sentence: string) => io.stderr.write(`${sentence}\n`);
  const [ca, cert, key] = (["ca-file", "cert", "key"] as const).map((flag) => {
    const variable = `LINTEL_${flag.toUpperCase().replaceAll("-", "_")}`;
    const file = call.options[flag] ?? io.env[variable];
    return file ? readPem(file, `--${flag} or ${variable}`, io.cwd) : undefined;
  });
  const { timeout, "connect-timeout": connectTimeout, verbose } = call.options;
  const trace = ({ method, url, status, failure, ms }: Attempt) => {
    const answer = `${status ?? failure ?? "nothing"} (${Math.round(ms)} ms)`;
    io.stderr.write(`${visible(`${method} ${url} → ${answer}`)}\n`);
  };
  const whole = openHttp(io, {
    notice,
    ...(purpose !== "anonymous" && { assertAllowed: permits.assertAllowed }),
    ca,
    cert,
    key,
    ...(timeout !== undefined && { callTimeoutMs: 1000 * timeout }),
    ...(connectTimeout !== undefined && { connectTimeoutMs: 1000 * connectTimeout }),
    ...(verbose && { trace }),
    ...(onResponse && { onResponse }),
  });
  const http = purpose === "updating" ? whole : readOnlyClient(whole);
  // One question at a time, however many portals wait for an answer.
  let asked: Promise<unknown> = Promise.resolve();
  const ask = (question: string) => {
    const answer = asked.then(() => io.stdin.askUnseen(question));
    asked = answer.catch(() => undefined);
    return answer.then((line) => (line === undefined ? undefined : secret(line.trim())));
  };
  const signIns = openSignIns(io, http, {
    notice,
    isLasting,
    ...(limiter && { limiter }),
    ...(io.stdin.isTerminal && { ask }),
  });
  // What a state is kept by gives no portal anything to change.
  const storesFor = (own: Io) =>
    openStores({
      io: own,
      http: purpose === "state" ? whole : http,
      assertAllowed: permits.assertAllowed,
      ca,
      ...(backends && { own: backends }),
      ...(isAgeShown && { onAgeUnknown: notice }),
    });
  const stores = storesFor(io);
  const close = async () => {
    await stores.close();
    await whole.close();
  };
  /** For who is told of what happened. */
  const posting = (urls: readonly string[]) => webhookClient(whole, urls);
  return { http, posting, signIns, permits, stores, ca, openStores: storesFor, close };
}
