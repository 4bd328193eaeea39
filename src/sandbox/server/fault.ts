// What may go wrong with one request: picked from those that were ordered, else by chance.
import type { JsonObject } from "../../lib/json.js";
import { answer, answerJson, redirect, type Reply } from "./reply.js";
import type { Switches } from "../options.js";

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

/** A request as it arrived, whatever became of it. */
export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly atMs: number;
}

export interface Fault {
  readonly kind: FaultKind;
  /** Part of "METHOD /path?query", or a test of the request; left out, the next request to either interface. */
  readonly match?: string | RegExp | ((received: Received) => boolean);
  /** The request takes effect before its answer is lost; so it always is with "drop-after" and "cut". */
  readonly isHandled?: boolean;
  /** Until somebody takes it out of the list; otherwise it is used once. */
  readonly isLasting?: boolean;
  /** Where "redirect" leads. */
  readonly location?: string;
  /** What "error-json" says. */
  readonly error?: JsonObject;
  /** What "json" answers with. */
  readonly json?: JsonObject;
}

/** What takes the fault that a request meets out of the list. */
export function createFaults(switches: Switches, ordered: Fault[]) {
  const random = createRandom(switches.seed);
  return (received: Received): Fault | undefined => {
    const at = ordered.findIndex((each) => isMeant(each, received));
    const meant = ordered[at];
    if (meant) {
      if (!meant.isLasting) ordered.splice(at, 1);
      return meant;
    }
    // Two numbers for every request, so that one rate does not move the other's bad luck.
    const [drop, fail] = [random(), random()];
    if (drop < switches.dropRate) {
      return { kind: drop < switches.dropRate / 2 ? "drop-before" : "drop-after" };
    }
    return fail < switches.failRate ? { kind: "server-error" } : undefined;
  };
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
export function answerOf({ kind, location = "/sign-in", error = UNEXPECTED, json = {} }: Fault) {
  if (kind === "redirect") return redirect(location);
  if (kind === "error-json") return answerJson(200, { error });
  if (kind === "json") return answerJson(200, json);
  if (kind === "html") return page(200, "Please wait");
  return kind === "server-error" ? page(500, "Internal Server Error") : undefined;
}

const UNEXPECTED = { code: 500, message: "An unexpected error occurred.", details: [] };

function page(status: number, text: string): Reply {
  const body = `<!doctype html><html lang="en"><title>${text}</title><h1>${text}</h1></html>\n`;
  return answer(status, "text/html", body);
}

/** A seed → the same run of numbers between 0 and 1 every time, so that bad luck can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
