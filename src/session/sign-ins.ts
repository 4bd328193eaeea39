// The ways to sign in of all portals of a run → sessions; portals with the same account at the same place share one.
import type { Http } from "../http/http.js";
import type { Io } from "../io.js";
import type { Token } from "../request.js";
import { openAccount, type Account, makeToken } from "./account.js";
import { isSecret, type Secret } from "../secret.js";
import { SIGN_IN_METHODS, type SignIn, type SignInField } from "../sign-in.js";
import type { Ask, SignInContext } from "./context.js";
import { openLimiter } from "./limiter.js";
import { METHODS } from "./methods.js";
import { askWho, type User } from "./who.js";

export interface Session {
  /** Signs in when it is first used. */
  readonly token: Token;
  /** Signs in, and tells when the token ends by our own clock; undefined where nothing says so. */
  readonly endsAtMs: () => Promise<number | undefined>;
  /** The user as the sign-in service knows it; absent where the portal itself gives the token. */
  readonly whoAmI?: () => Promise<User>;
}

export interface SignIns {
  open(signIn: SignIn): Session;
}

export interface SignInOptions {
  /** Told why the run waits. */
  readonly notice?: (sentence: string) => void;
  /** Asks a person, unseen; undefined where nobody answers. */
  readonly ask?: Ask;
}

export function openSignIns(io: Io, http: Http, options: SignInOptions = {}): SignIns {
  const accounts = new Map<string, Account>();
  const users = new Map<string, Promise<User>>();
  const limiter = openLimiter(io, options.notice);
  return {
    open: (signIn) => {
      const context: SignInContext = { io, http, limiter, ask: options.ask, signIn };
      const key = keyOf(signIn);
      const account = accounts.get(key) ?? openAccount(io, () => METHODS[signIn.method](context));
      accounts.set(key, account);
      const secrets = secretsOf(signIn);
      const token = makeToken(account, signIn.carry, secrets);
      const endsAtMs = async () => (await account.token()).expiresAtMs;
      if (!atService(signIn)) return { token, endsAtMs };
      const whoAmI = () => {
        const asked =
          users.get(key) ?? askWho(context, makeToken(account, "authorization", secrets));
        users.set(key, asked);
        return asked;
      };
      return { token, endsAtMs, whoAmI };
    },
  };
}

function atService({ fields }: SignIn): boolean {
  return fields["url"] !== undefined;
}

/** All but a name from its usual variable: systems tell whose account it is, and whoami is there to show that. */
function secretsOf({ method, fields, variables = {} }: SignIn): Secret[] {
  const known: Readonly<Record<string, SignInField>> = SIGN_IN_METHODS[method];
  return Object.entries(fields).flatMap(([name, value]) => {
    const { isSecret: isNoName, variable } = known[name] ?? {};
    const isUsual = !isNoName && variable !== undefined && variables[name] === variable;
    return isSecret(value) && !isUsual ? [value] : [];
  });
}

/** Stays inside this file: it holds the secrets. */
function keyOf(signIn: SignIn): string {
  const place = atService(signIn) ? "" : signIn.portalUrl;
  const plain = Object.entries(signIn.fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === "object" ? value.reveal() : String(value)])
    .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1));
  return JSON.stringify([signIn.method, place, plain]);
}
