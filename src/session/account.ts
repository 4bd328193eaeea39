// One account at one place → its token: one sign-in at a time, renewed before it expires, and no second try after a failure.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { IssuedToken } from "./context.js";

export interface Account {
  /** The token that holds; another one than `refused`. */
  token(refused?: IssuedToken): Promise<IssuedToken>;
}

/** A token is renewed this long before its end, so that it lasts for the call that it is used for. */
const LEEWAY_MS = 60_000;

export function openAccount(io: Io, signIn: () => Promise<IssuedToken>): Account {
  let current: IssuedToken | undefined;
  let renewAtMs = Infinity;
  let underWay: Promise<IssuedToken> | undefined;
  // Accounts are locked after a few rejections, so one of them stops every portal that shares the account.
  let failed: Failure | undefined;

  async function renew(): Promise<IssuedToken> {
    if (failed) throw failed;
    try {
      current = await signIn();
      renewAtMs = renewalMs(current, io.now());
      return current;
    } catch (error) {
      if (error instanceof Failure && error.code !== "interrupted") failed = error;
      throw error;
    }
  }

  return {
    token: async (refused) => {
      if (current && current !== refused && io.now() < renewAtMs) return current;
      underWay ??= renew().finally(() => (underWay = undefined));
      return underWay;
    },
  };
}

/** A token that lives shorter than the leeway is not renewed with every call, nor is one that seems to be over at once. */
function renewalMs({ expiresAtMs = Infinity }: IssuedToken, now: number): number {
  const lifeMs = expiresAtMs - now;
  return lifeMs > 0 ? expiresAtMs - Math.min(LEEWAY_MS, lifeMs / 2) : Infinity;
}
