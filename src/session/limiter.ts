// Keeps the calls of an operation below the limit of a host, and waits when the host asks for it.
import { askedDelay } from "../http/retry.js";
import { pause } from "../lib/retry.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { hostOf, type Answer, type Pace, type Request } from "../request.js";

export interface Limit {
  readonly calls: number;
  readonly seconds: number;
}

export interface Limiter {
  /** Returns the same pace for the same host and operation. */
  pace(address: Pick<Request, "url" | "written">, operation: string, limit: Limit): Pace;
}

/** For limiters that do not wait: the caller tries again later. */
export class LimitSpent extends Failure {
  readonly untilMs: number;

  constructor(message: string, untilMs: number) {
    super("too-many-requests", message, "It is checked again later.");
    this.untilMs = untilMs;
  }
}

/** Clocks run at slightly different speeds. */
export const MARGIN_MS = 1_000;
const LEAST_RESET_MS = 5_000;
const NOTICED_MS = 1_000;
/** A run ends rather than wait longer. */
const LONGEST_WAIT_MS = 600_000;

export function openLimiter(io: Io, notice?: (sentence: string) => void): Limiter {
  const paces = new Map<string, Pace>();
  return {
    pace: (address, operation, limit) => {
      const host = hostOf(address);
      const key = `${new URL(address.url).host} ${operation}`;
      const why = `"${host}" takes ${limit.calls} calls of "${operation}" in ${limit.seconds} s.`;
      const say = (ms: number) => notice?.(`Waiting ${Math.ceil(ms / 1000)} s: ${why}`);
      const pace = paces.get(key) ?? openPace(io, limit, say);
      paces.set(key, pace);
      return pace;
    },
  };
}

function openPace(io: Io, { calls, seconds }: Limit, say: (ms: number) => void): Pace {
  const most = Math.max(1, calls - 1);
  // A call counts from its end: it reached the host before that, so the host forgets it no later than we do.
  const ended: number[] = [];
  let underWay = 0;
  let closedUntilMs = 0;
  let onEnd: (() => void) | undefined;
  // Calls proceed in the order of their requests.
  let queue: Promise<void> = Promise.resolve();

  async function admit(): Promise<void> {
    for (;;) {
      const now = io.now();
      while (ended[0] !== undefined && ended[0] + seconds * 1000 + MARGIN_MS <= now) ended.shift();
      const first = ended[0];
      const isFull = ended.length + underWay >= most;
      if (isFull && first === undefined) {
        await new Promise<void>((resolve) => (onEnd = resolve));
        continue;
      }
      const fullUntilMs = isFull && first !== undefined ? first + seconds * 1000 + MARGIN_MS : 0;
      const waitMs = Math.max(closedUntilMs, fullUntilMs) - now;
      if (waitMs <= 0) break;
      if (waitMs > LONGEST_WAIT_MS) {
        const message = `The sign-in service asks to wait ${Math.ceil(waitMs / 60_000)} minutes.`;
        throw new Failure("too-many-requests", message, "Run the command again later.");
      }
      if (waitMs >= NOTICED_MS) say(waitMs);
      await pause(waitMs, io);
    }
    underWay++;
  }

  return {
    wait: () => {
      const turn = queue.then(admit);
      // The next caller waits for the end of this one, not for its success.
      queue = turn.catch(() => {});
      return turn;
    },
    onResponse: (answer) => {
      underWay--;
      ended.push(io.now());
      onEnd?.();
      const delayMs = answer && closedForMs(answer, io.now());
      if (delayMs) closedUntilMs = Math.max(closedUntilMs, io.now() + delayMs);
    },
  };
}

/** Others behind the same address count too, so the host may refuse before our count reaches the limit. */
export function closedForMs(answer: Answer, now: number): number {
  const left = answer.status === 429 ? 0 : Number(answer.headers["x-ratelimit-remaining"] ?? 1);
  return left <= 0 ? Math.max(LEAST_RESET_MS, askedDelay(answer, now) ?? 0) : 0;
}
