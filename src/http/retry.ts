// Computes how long to wait before the next attempt, and waits.
import { interrupted } from "../failure.js";
import type { Io } from "../io.js";
import type { Answer } from "../request.js";

/** How often a call is tried, and the bounds of the time between two attempts. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

export const RETRY_POLICY: RetryPolicy = { attempts: 4, leastMs: 500, mostMs: 120_000 };
const LEAST_AFTER_LIMIT_MS = 5_000;
/** A call that would have to wait longer fails instead. */
export const LONGEST_WAIT_MS = 120_000;

/** Doubles with every attempt, and differs between runs, lest all come back at the same moment. */
export function delayAfterFailure(attempt: number, random: number, policy: RetryPolicy): number {
  const { leastMs, mostMs } = policy;
  return Math.min(mostMs, Math.round(leastMs * 2 ** (attempt - 1) * (0.5 + random)));
}

export function delayAfterAnswer(
  answer: Answer,
  attempt: number,
  io: Io,
  policy: RetryPolicy,
): number {
  const backoff = delayAfterFailure(attempt, io.random(), policy);
  const asked = askedDelay(answer, io.now());
  if (answer.status !== 429) return Math.max(backoff, asked ?? 0);
  return Math.max(LEAST_AFTER_LIMIT_MS, asked ?? 0) + backoff;
}

/** What Retry-After and X-RateLimit-Reset ask for, both by the server's own clock. */
export function askedDelay({ headers }: Answer, now: number): number | undefined {
  const serverNow = Date.parse(headers["date"] ?? "") || now;
  const delays = [headers["retry-after"], headers["x-ratelimit-reset"]].flatMap((text) => {
    if (!text) return [];
    const number = /^\d+$/.test(text) ? Number(text) * 1000 : Number.NaN;
    if (number <= 1e12) return [number];
    // A number as large as that is a moment since 1970, as some servers send it.
    const moment = number || Date.parse(text);
    return Number.isNaN(moment) ? [] : [moment - serverNow];
  });
  return delays.length ? Math.max(0, ...delays) : undefined;
}

/** Sleeps; an interrupt ends it. */
export async function pause(ms: number, io: Io): Promise<void> {
  try {
    if (!io.signal.aborted) await io.sleep(ms, io.signal);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
  if (io.signal.aborted) throw interrupted();
}
