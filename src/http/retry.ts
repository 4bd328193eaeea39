// Decides how often a call is tried, and how long to wait before the next attempt.
import type { Io } from "../io.js";
import { backOffMs, type BackOff } from "../lib/retry.js";
import type { Answer } from "../request.js";

export interface RetryPolicy extends BackOff {
  readonly attempts: number;
}

export const RETRY_POLICY: RetryPolicy = { attempts: 4, leastMs: 500, mostMs: 120_000 };
const LEAST_AFTER_LIMIT_MS = 5_000;
/** A call that would wait longer fails instead. */
export const LONGEST_WAIT_MS = 120_000;

export function delayAfterAnswer(
  answer: Answer,
  attempt: number,
  io: Io,
  policy: RetryPolicy,
): number {
  const backOff = backOffMs(attempt, policy, io.random());
  const asked = askedDelay(answer, io.now());
  if (answer.status !== 429) return Math.max(backOff, asked ?? 0);
  return Math.max(LEAST_AFTER_LIMIT_MS, asked ?? 0) + backOff;
}

/** The delay of Retry-After or X-RateLimit-Reset, by the server's own clock. */
export function askedDelay({ headers }: Answer, now: number): number | undefined {
  const serverNow = Date.parse(headers["date"] ?? "") || now;
  const delays = [headers["retry-after"], headers["x-ratelimit-reset"]].flatMap((text) => {
    if (!text) return [];
    const number = /^\d+$/.test(text) ? Number(text) * 1000 : Number.NaN;
    if (number <= 1e12) return [number];
    // Such a large number is a moment since 1970, as some servers send it.
    const moment = number || Date.parse(text);
    return Number.isNaN(moment) ? [] : [moment - serverNow];
  });
  return delays.length ? Math.max(0, ...delays) : undefined;
}
