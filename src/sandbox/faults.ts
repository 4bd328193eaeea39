// The faults that a sandbox simulates: those of --fault, and what goes wrong with a single request.
import { didYouMean } from "../diagnostic.js";
import { wrongUsage, type Failure } from "../failure.js";
import type { JsonObject } from "../lib/json.js";
import type { Answer } from "../lib/local-server.js";
import { portalBase, SIGN_IN_BASE, type SandboxContext } from "./context.js";
import { answerJson, redirect } from "./incoming.js";
import { ROLES, UNKNOWN, type SandboxOptions } from "./options.js";

interface Named<Option extends keyof SandboxOptions = keyof SandboxOptions> {
  readonly option: Option;
  /** What stands behind the equals sign; a fault without one takes no value. */
  readonly value?: string;
  /** Undefined where the value is wrong. */
  readonly read: (value: string) => SandboxOptions[Option];
}

/** By the name behind --fault. */
export const FAULTS: Readonly<Record<string, Named>> = {
  latency: { option: "latencyMs", value: "TIME", read: readTime },
  fail: { option: "failRate", value: "FRACTION", read: readFraction },
  drop: { option: "dropRate", value: "FRACTION", read: readFraction },
  stale: { option: "staleMs", value: "TIME", read: readTime },
  "no-read": { option: "canRead", read: () => false },
  "no-sign-in-service": { option: "hasSignInService", read: () => false },
  "anonymous-reads": { option: "anonymousReads", read: () => true },
  role: { option: "role", value: ROLES.join("|"), read: (text) => oneOf(ROLES, text) },
  "reset-parameters": { option: "omittedParameters", read: () => "reset" },
  "reset-properties": { option: "omittedProperties", read: () => "reset" },
  unknown: { option: "unknown", value: UNKNOWN.join("|"), read: (text) => oneOf(UNKNOWN, text) },
  seed: { option: "seed", value: "N", read: readSeed },
};

/** "latency=2s,drop=0.1,no-read", one or several. */
export function readFaults(texts: readonly string[]): SandboxOptions {
  const found = texts
    .flatMap((text) => text.split(","))
    .map((text) => {
      const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
      const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
      if (!fault) {
        const names = Object.keys(FAULTS);
        throw wrong(text, didYouMean(name, names) ?? `Faults: ${names.join(", ")}.`);
      }
      const isFit = (value === undefined) === (fault.value === undefined);
      const setting = isFit ? fault.read(value ?? "") : undefined;
      const form = fault.value === undefined ? name : `${name}=${fault.value}`;
      if (setting === undefined) throw wrong(text, `Write:\n  --fault ${form}`);
      return [fault.option, setting] as const;
    });
  return Object.fromEntries(found);
}

function wrong(text: string, help: string): Failure {
  return wrongUsage(`Invalid value "${text}" for "--fault".`, help);
}

const MOST_MS = 600_000;

function readTime(text: string): number | undefined {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (unit === "s" ? 1000 : 1));
  return number !== "" && ms <= MOST_MS ? ms : undefined;
}

function readFraction(text: string): number | undefined {
  return /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? Number(text) : undefined;
}

function readSeed(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function oneOf<T extends string>(values: readonly T[], text: string): T | undefined {
  return values.find((each) => each === text);
}

export const FAULT_KINDS = [
  "html",
  "redirect",
  "error-json",
  "json",
  "server-error",
  "cut",
  "drop-before",
  "drop-after",
  "huge",
  "hang",
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** A request as it arrived, with any outcome. */
export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly atMs: number;
}

/** Of one request. */
export interface Fault {
  readonly kind: FaultKind;
  /** Part of "METHOD /path?query", or a test of the request; left out, the next request to either interface. */
  readonly match?: string | RegExp | ((received: Received) => boolean);
  /** The request takes effect before its answer is lost; so it always is with "drop-after" and "cut". */
  readonly isHandled?: boolean;
  /** Stays in the list until it is removed, where others are used once. */
  readonly isLasting?: boolean;
  /** Where "redirect" leads. */
  readonly location?: string;
  /** What "error-json" says. */
  readonly error?: JsonObject;
  /** What "json" answers with. */
  readonly json?: JsonObject;
}

/** The fault that a request meets: one that was ordered, else one by chance. Those that do not last leave the list. */
export function pickFault(context: SandboxContext, received: Received): Fault | undefined {
  const { switches, faults, random } = context;
  // Pages for browsers have no faults, so that the settings of a faulty portal can be seen.
  const bases = [SIGN_IN_BASE, portalBase(switches)];
  if (!bases.some((each) => received.path.startsWith(each))) return undefined;
  const at = faults.findIndex((each) => isMeant(each, received));
  const meant = faults[at];
  if (meant) {
    if (!meant.isLasting) faults.splice(at, 1);
    return meant;
  }
  // Two numbers for every request, so that one rate does not move the other's bad luck.
  const [drop, fail] = [random(), random()];
  if (drop < switches.dropRate) {
    return { kind: drop < switches.dropRate / 2 ? "drop-before" : "drop-after" };
  }
  return fail < switches.failRate ? { kind: "server-error" } : undefined;
}

function isMeant({ match }: Fault, received: Received): boolean {
  if (match === undefined) return true;
  if (typeof match === "function") return match(received);
  const line = `${received.method} ${received.path}`;
  return typeof match === "string" ? line.includes(match) : match.test(line);
}

export function isHandled({ kind, isHandled = false }: Fault): boolean {
  return isHandled || kind === "drop-after" || kind === "cut";
}

/** The answer of a fault that is one; the others are about the connection. */
export function answerOf(fault: Fault): Answer | undefined {
  const { kind, location = "/sign-in", error = UNEXPECTED, json = {} } = fault;
  if (kind === "redirect") return redirect(location);
  if (kind === "error-json") return answerJson(200, { error });
  if (kind === "json") return answerJson(200, json);
  if (kind === "html") return page(200, "Please wait");
  return kind === "server-error" ? page(500, "Internal Server Error") : undefined;
}

const UNEXPECTED = { code: 500, message: "An unexpected error occurred.", details: [] };

function page(status: number, text: string): Answer {
  const body = `<!doctype html><html lang="en"><title>${text}</title><h1>${text}</h1></html>\n`;
  return { status, type: "text/html; charset=utf-8", body };
}

/** Random numbers between 0 and 1 from a seed, so that a run can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
