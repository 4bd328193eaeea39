// Shares one account's token: signs in once, renews the token in time, and does not retry a failed sign-in early.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Request, Token } from "../request.js";
import { secret, type Secret } from "../secret.js";
import type { Carry } from "../sign-in.js";
import type { IssuedToken } from "./context.js";
import { LimitSpent } from "./limiter.js";

/** A token is renewed this long before it expires, so that it lasts for its call. */
const LEEWAY_MS = 60_000;

export type Account = ReturnType<typeof openAccount>;

/** How long the n-th failure in a row blocks further sign-ins of the account; infinite in a run that ends. */
export type SignInPause = (failure: Failure, times: number, nowMs: number) => number;

export function openAccount(
  io: Io,
  signIn: () => Promise<IssuedToken>,
  pauseMs: SignInPause = () => Infinity,
) {
  let current: IssuedToken | undefined;
  let renewAtMs = Infinity;
  let underWay: Promise<IssuedToken> | undefined;
  // A service may lock an account after a few rejections, so one rejection stops all portals with that account.
  let failed: { readonly failure: Failure; readonly untilMs: number } | undefined;
  let failures = 0;

  async function renew(): Promise<IssuedToken> {
    if (failed && io.now() < failed.untilMs) throw failed.failure;
    try {
      current = await signIn();
      renewAtMs = renewalMs(current, io.now());
      [failed, failures] = [undefined, 0];
      return current;
    } catch (error) {
      if (error instanceof Failure && error.code !== "interrupted") {
        const nowMs = io.now();
        // Our own limit stopped the call, so the service has not counted it.
        if (!(error instanceof LimitSpent)) failures++;
        failed = { failure: error, untilMs: nowMs + pauseMs(error, failures, nowMs) };
      }
      throw error;
    }
  }

  return {
    /** The valid token, which is not `refused`. */
    token: async (refused?: IssuedToken): Promise<IssuedToken> => {
      if (current && current !== refused && io.now() < renewAtMs) return current;
      underWay ??= renew().finally(() => (underWay = undefined));
      return underWay;
    },
  };
}

/** A token shorter-lived than the leeway, or one that seems expired, must not be renewed for every call. */
function renewalMs({ expiresAtMs = Infinity }: IssuedToken, now: number): number {
  const lifeMs = expiresAtMs - now;
  return lifeMs > 0 ? expiresAtMs - Math.min(LEEWAY_MS, lifeMs / 2) : Infinity;
}

/** The secrets of the sign-in are not sent here. They are listed so that an answer that repeats one is not shown. */
export function makeToken(account: Account, carry: Carry, secrets: readonly Secret[]): Token {
  // Many portals see at once that a shared token was refused; the first one renews it for all.
  const issuedTo = new WeakMap<Request, IssuedToken>();
  return async (request, refused) => {
    const issued = await account.token(refused && issuedTo.get(refused));
    const headers = { ...request.headers, ...issued.headers };
    const named = [...secrets, ...(issued.secrets ?? [])];
    const signed = put({ ...request, headers, secrets: named }, issued.token, carry);
    issuedTo.set(signed, issued);
    return signed;
  };
}

function put(request: Request, token: Secret, carry: Carry): Request {
  // Every other value is the name of a header.
  if (carry !== "form-token") {
    const bearer = secret(token.reveal(), "Bearer ");
    return { ...request, headers: { ...request.headers, [carry]: bearer } };
  }
  // Reads become POST too: a token in an address would appear in logs.
  const { query = {}, body, ...rest } = request;
  if (body && !("form" in body)) throw new TypeError("a token needs a form to travel in");
  const form = [...Object.entries(query), ...(body?.form ?? []), ["token", token] as const];
  return { ...rest, method: "POST", body: { form } };
}
