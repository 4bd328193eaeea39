// Opens the sessions of a run. Portals with the same account at the same service share one.
import { CallFailure, type Http } from "../http/http.js";
import type { Io } from "../io.js";
import { Failure } from "../failure.js";
import type { JsonObject } from "../lib/json.js";
import { backOffMs } from "../lib/retry.js";
import { hostOf, isWebPage, parseObject, secretsOf, type Token } from "../request.js";
import { firstText, showForeign, withoutEchoes } from "../lib/text.js";
import { openAccount, type Account, makeToken, type SignInPause } from "./account.js";
import { isSecret, type Secret } from "../secret.js";
import { fieldOf, isCommand, type SignIn } from "../sign-in.js";
import { serviceRequest, type Ask, type IssuedToken, type SignInContext } from "./context.js";
import { LimitSpent, openLimiter, type Limiter } from "./limiter.js";
import { METHODS } from "./methods.js";

/** The service's own object; the reference does not list its fields. */
export type User = JsonObject;

export interface Session {
  /** The same for all portals with that account. */
  readonly account: object;
  /** Signs in at its first use. */
  readonly token: Token;
  /** Signs in, and returns when the token expires by this machine's clock; undefined if unknown. */
  readonly endsAtMs: () => Promise<number | undefined>;
  /** Reads the user from the sign-in service; absent if the portal itself issues the token. */
  readonly whoAmI?: () => Promise<User>;
}

export interface SignIns {
  open(signIn: SignIn): Session;
}

export interface SignInOptions {
  /** Called with the reason of a wait. */
  readonly notice?: (sentence: string) => void;
  /** Prompts without showing the input; undefined without a terminal. */
  readonly ask?: Ask;
  /** A long-running process retries a failed sign-in later. */
  readonly isLasting?: boolean;
  /** Replaces the limiter that counts only this process. */
  readonly limiter?: Limiter;
}

const AFTER_PASSING_MS = 60_000;
const AFTER_REFUSAL = { leastMs: 15 * 60_000, mostMs: 4 * 60 * 60_000 };

/** A service may lock an account after a few rejections within minutes. Failed connections lock none. */
const pauseAfter: SignInPause = (failure, times, nowMs) => {
  if (failure instanceof LimitSpent) return failure.untilMs - nowMs;
  return failure instanceof CallFailure ? AFTER_PASSING_MS : backOffMs(times, AFTER_REFUSAL, 1);
};

export function openSignIns(io: Io, http: Http, options: SignInOptions = {}): SignIns {
  const accounts = new Map<string, Account>();
  const users = new Map<string, Promise<User>>();
  const limiter = options.limiter ?? openLimiter(io, options.notice);
  return {
    open: (signIn) => {
      const context: SignInContext = { io, http, limiter, ask: options.ask, signIn };
      const key = keyOf(signIn);
      const account =
        accounts.get(key) ??
        openAccount(io, () => signInWith(context), options.isLasting ? pauseAfter : undefined);
      accounts.set(key, account);
      const secrets = unnamedSecrets(signIn);
      const token = makeToken(account, signIn.carry, secrets);
      const endsAtMs = async () => (await account.token()).expiresAtMs;
      if (!atService(signIn)) return { account, token, endsAtMs };
      const whoAmI = () => {
        const asked =
          users.get(key) ?? askWho(context, makeToken(account, "authorization", secrets));
        users.set(key, asked);
        // Lets a later caller ask again.
        asked.catch(() => users.delete(key));
        return asked;
      };
      return { account, token, endsAtMs, whoAmI };
    },
  };
}

async function signInWith(context: SignInContext): Promise<IssuedToken> {
  const secrets: Secret[] = [];
  const noteSecret = (each: Secret) => void secrets.push(each);
  const issued = await METHODS[context.signIn.method]({ ...context, noteSecret });
  return { ...issued, secrets };
}

function atService({ fields }: SignIn): boolean {
  return fields["url"] !== undefined;
}

/** Excludes a user name from its usual variable: systems and doctor show whose account it is. */
function unnamedSecrets({ method, fields, variables = {} }: SignIn): Secret[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const { isSecret: isNoName, variable } = fieldOf(method, name) ?? {};
    const isUsual = !isNoName && variable !== undefined && variables[name] === variable;
    return isSecret(value) && !isUsual ? [value] : [];
  });
}

/** Must not leave this file, because it contains the secrets. */
function keyOf(signIn: SignIn): string {
  const place = atService(signIn) ? "" : signIn.portalUrl;
  const plain = Object.entries(signIn.fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, spelled(value)])
    .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  return JSON.stringify([signIn.method, place, plain]);
}

function spelled(value: SignIn["fields"][string]): string {
  if (isSecret(value)) return value.reveal();
  return isCommand(value) ? JSON.stringify(value) : String(value);
}

/** The name in the sign-in service; some accounts may not read themselves. */
export async function accountOf(session: Session | undefined): Promise<string | undefined> {
  if (!session?.whoAmI) return undefined;
  try {
    const { UserName, FullName, PrimaryEmail } = await session.whoAmI();
    return firstText([UserName, FullName, PrimaryEmail]);
  } catch (error) {
    const isNotShown = error instanceof Failure && error.code === "sign-in-refused";
    if (isNotShown || (error as Failure).code === "answer-not-understood") return undefined;
    throw error;
  }
}

/** The service always accepts its token as Bearer, regardless of how the portal gets it. */
async function askWho(context: SignInContext, token: Token): Promise<User> {
  const request = serviceRequest(context, "getuser");
  let signed = await token(request);
  let answer = await context.http.call(signed);
  if (answer.status === 401) {
    signed = await token(request, signed);
    answer = await context.http.call(signed);
  }
  const user = parseObject(answer);
  const host = hostOf(request);
  if (answer.status === 401 || answer.status === 403) {
    throw new Failure(
      "sign-in-refused",
      `The sign-in service at "${host}" does not accept the token that it gave (${answer.status}).`,
      "Check that the account may see itself.",
    );
  }
  if (answer.status < 300 && user) return withoutEchoes(user, secretsOf(signed));
  const said = isWebPage(answer) ? "a web page" : showForeign(answer.text, secretsOf(signed), 100);
  throw new Failure(
    "answer-not-understood",
    `The sign-in service at "${host}" did not say who is signed in (${answer.status}): ${said || "nothing"}.`,
    "Check signIn.url: it is the base address, to which the path of the operation is added.",
  );
}
