// Checks tokens and login cookies, and slows down guessing.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "../../moment.js";
import type { Secret } from "../../secret.js";
import { openRateLimit } from "./rate-limit.js";

export interface TokenCheck {
  /** Undefined for an address that sent too many wrong tokens. */
  isToken(text: string, address: string): boolean | undefined;
  /** Proves that the right token was sent, and expires. */
  makeCookie(): { readonly value: string; readonly maxAgeS: number };
  isCookie(value: string | undefined): boolean;
}

/** The limit for one address in a minute. */
const MOST_GUESSES = 10;
const COOKIE_MS = 30 * DAY_MS;

export function openTokenCheck(token: Secret, now: () => number): TokenCheck {
  const key = createHash("sha256").update(`lintel serve page ${token.reveal()}`).digest();
  const guesses = openRateLimit(MOST_GUESSES, now);

  const signed = (untilMs: number) =>
    `${untilMs}.${createHmac("sha256", key).update(String(untilMs)).digest("base64url")}`;

  return {
    isToken(text, address) {
      const from = networkOf(address);
      if (guesses.isExceeded(from)) return undefined;
      const isRight = isSameText(text, token.reveal());
      if (!isRight) guesses.count(from);
      return isRight;
    },
    makeCookie: () => ({ value: signed(now() + COOKIE_MS), maxAgeS: COOKIE_MS / 1000 }),
    isCookie(value = "") {
      const untilMs = Number(/^\d{1,15}(?=\.)/.exec(value)?.[0] ?? 0);
      return isSameText(value, signed(untilMs)) && untilMs > now();
    },
  };
}

/** Compares in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [left, right] = [one, other].map((each) => createHash("sha256").update(each).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** The owner of one IPv6 address owns its whole network. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  return plain.includes(":") ? plain.split(":").slice(0, 4).join(":") : plain;
}
