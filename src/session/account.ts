// One account at one place → its token: one sign-in at a time, renewed before it expires, and no second try after a failure.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Grant } from "./context.js";

export interface Account {
  /** The token that holds; another one than `refused`. */
  grant(refused?: Grant): Promise<Grant>;
}

/** A token is renewed this long before its end, so that it lasts for the call that it is used for. */
const LEEWAY_MS = 60_000;

export function openAccount(io: Io, signIn: () => Promise<Grant>): Account {
  let current: Grant | undefined;
  let renewAtMs = Infinity;
  let underWay: Promise<Grant> | undefined;
  // Accounts are locked after a few rejections, so one of them stops every portal that shares the account.
  let failed: Failure | undefined;

  async function renew(): Promise<Grant> {
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
    grant: async (refused) => {
      if (current && current !== refused && io.now() < renewAtMs) return current;
      underWay ??= renew().finally(() => (underWay = undefined));
      return underWay;
    },
  };
}

/** A token that lives shorter than the leeway is not renewed with every call, nor is one that seems to be over at once. */
function renewalMs({ expiresAtMs = Infinity }: Grant, now: number): number {
  const lifeMs = expiresAtMs - now;
  return lifeMs > 0 ? expiresAtMs - Math.min(LEEWAY_MS, lifeMs / 2) : Infinity;
}
