// A call's options about the network → the door for a command that only reads, and the sign-ins of its run.
import { resolve } from "node:path";
import { Failure } from "../../failure.js";
import { readFile, reasonOf } from "../../file.js";
import { openHttp, readingDoor, type Attempt, type Http } from "../../http/http.js";
import { openPermits, type Permits } from "../../http/permits.js";
import type { Io } from "../../io.js";
import { secret } from "../../secret.js";
import { openSignIns, type SignIns } from "../../session/sign-ins.js";
import { visible } from "../../text.js";
import type { Values } from "../command.js";
import type { NETWORK } from "../options.js";
import { leaveParserAsItIs } from "./parser.js";

interface Called {
  readonly options: Partial<Values<typeof NETWORK>>;
}

type PemFlag = "ca-file" | "cert" | "key";

export interface Network {
  readonly http: Http;
  readonly signIns: SignIns;
  readonly permits: Permits;
  close(): Promise<void>;
}

/** Reading commands get this door; it lets nothing pass but GET and the sign-in operations. */
export function openReading(io: Io, call: Called): Network {
  return openNetwork(io, call, readingDoor);
}

/** The same for addresses that come from no file, and where nobody signs in. */
export function openAnonymous(io: Io, call: Called): Network {
  return openNetwork(io, call, readingDoor, { isAnonymous: true });
}

/** The whole door, for the commands whose name says that they change a portal. */
export function openUpdating(io: Io, call: Called): Network {
  return openNetwork(io, call, (whole) => whole);
}

function openNetwork(
  io: Io,
  call: Called,
  narrow: (whole: Http) => Http,
  { isAnonymous = false } = {},
): Network {
  leaveParserAsItIs();
  const permits = openPermits(io);
  const notice = (sentence: string) => io.stderr.write(`${sentence}\n`);
  const pem = (flag: PemFlag) => readPem(io, call, flag);
  const [ca, cert, key] = [pem("ca-file"), pem("cert"), pem("key")];
  const { timeout, "connect-timeout": connectTimeout, verbose } = call.options;
  const whole = openHttp(io, {
    notice,
    ...(!isAnonymous && { assertAllowed: permits.assertAllowed }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(timeout !== undefined && { callTimeoutMs: 1000 * timeout }),
    ...(connectTimeout !== undefined && { connectTimeoutMs: 1000 * connectTimeout }),
    ...(verbose && {
      trace: (attempt: Attempt) => io.stderr.write(`${traceText(attempt)}\n`),
    }),
  });
  const http = narrow(whole);
  // One question at a time, however many portals wait for an answer.
  let asked: Promise<unknown> = Promise.resolve();
  const ask = (question: string) => {
    const answer = asked.then(() => io.stdin.askUnseen(question));
    asked = answer.catch(() => undefined);
    return answer.then((line) => (line === undefined ? undefined : secret(line.trim())));
  };
  const signIns = openSignIns(io, http, { notice, ...(io.stdin.isTerminal && { ask }) });
  return { http, signIns, permits, close: () => whole.close() };
}

/** Many times what all the authorities of a system take. */
const LARGEST_PEM = 16 * 1024 * 1024;

function readPem(io: Io, call: Called, flag: PemFlag): string | undefined {
  const variable = `LINTEL_${flag.toUpperCase().replaceAll("-", "_")}`;
  const file = call.options[flag] ?? io.env[variable];
  if (!file) return undefined;
  try {
    const limits = { largest: LARGEST_PEM, links: "followed" } as const;
    return readFile(resolve(io.cwd, file), limits).toString();
  } catch (error) {
    throw new Failure(
      "bad-certificate",
      `"${file}" cannot be read: ${isMissing(error) ? "there is no such file" : (reasonOf(error) ?? String(error))}.`,
      `Check --${flag} and ${variable}; they name a file in PEM.`,
      { cause: error },
    );
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function traceText({ method, url, status, failure, ms }: Attempt): string {
  return visible(`${method} ${url} → ${status ?? failure ?? "nothing"} (${Math.round(ms)} ms)`);
}
