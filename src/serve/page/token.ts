// A token that somebody sends, or a cookie given for it → whether it is the right one; who guesses is heard ever more seldom.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { DAY_MS, MINUTE_MS } from "../../moment.js";
import type { Secret } from "../../secret.js";

export interface Gate {
  /** Undefined for one who has guessed too often to be heard now. */
  isToken(text: string, address: string): boolean | undefined;
  /** For whoever has sent the right token: tells that alone, and until when. */
  makeCookie(): { readonly value: string; readonly maxAgeS: number };
  isCookie(value: string | undefined): boolean;
}

/** From one address within a minute. */
const MOST_GUESSES = 10;
/** Of more addresses than this nobody keeps count: the oldest are let go. */
const MOST_ADDRESSES = 10_000;
const COOKIE_MS = 30 * DAY_MS;

export function openGate(token: Secret, now: () => number): Gate {
  const key = createHash("sha256").update(`lintel serve page ${token.reveal()}`).digest();
  const guesses = new Map<string, { untilMs: number; count: number }>();

  const signed = (untilMs: number) =>
    `${untilMs}.${createHmac("sha256", key).update(String(untilMs)).digest("base64url")}`;

  function guessed(from: string): void {
    const before = guesses.get(from);
    guesses.delete(from);
    const isOver = !before || before.untilMs <= now();
    const next = isOver ? { untilMs: now() + MINUTE_MS, count: 1 } : before;
    if (!isOver) next.count++;
    guesses.set(from, next);
    if (guesses.size > MOST_ADDRESSES)
      for (const oldest of guesses.keys()) {
        guesses.delete(oldest);
        break;
      }
  }

  return {
    isToken(text, address) {
      const from = networkOf(address);
      const { untilMs = 0, count = 0 } = guesses.get(from) ?? {};
      if (count >= MOST_GUESSES && untilMs > now()) return undefined;
      const isRight = isSame(text, token.reveal());
      if (!isRight) guessed(from);
      return isRight;
    },
    makeCookie: () => ({ value: signed(now() + COOKIE_MS), maxAgeS: COOKIE_MS / 1000 }),
    isCookie(value = "") {
      const untilMs = Number(/^\d{1,15}(?=\.)/.exec(value)?.[0] ?? 0);
      return isSame(value, signed(untilMs)) && untilMs > now();
    },
  };
}

/** In a time that tells nothing of how much of the two is the same. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((each) => createHash("sha256").update(each).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** Whoever has one address of the new kind has as many as there are in such a network. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  return plain.includes(":") ? plain.split(":").slice(0, 4).join(":") : plain;
}
