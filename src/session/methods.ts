// Implements the sign-in methods, by name: each turns the fields of a sign-in into a token.
import type { AdminKeyName, OperationName } from "../../schemas/names.js";
import { Failure } from "../failure.js";
import { parseObject, shownAddress } from "../request.js";
import type { Secret } from "../secret.js";
import { isCommand, SIGN_IN_METHODS, type SignInMethod } from "../sign-in.js";
import { jwtExpiryMs, readToken, skewMs } from "./answer.js";
import {
  assertUsable,
  portalRequest,
  requiredSecret,
  requiredText,
  serviceRequest,
  type IssuedToken,
  type SignInContext,
} from "./context.js";

type Method = (context: SignInContext) => Promise<IssuedToken>;

export const METHODS: Readonly<Record<SignInMethod, Method>> = {
  /** The keys of an administrative service account. */
  loginadmin: async (context) => {
    const json: Record<AdminKeyName, Secret> = {
      BEID: await requiredSecret(context, "beid"),
      WebServicesKey: await requiredSecret(context, "webServicesKey"),
    };
    return signInAtService(context, "loginadmin", { body: { json } });
  },
  login: (context) => signInByName(context, "login"),
  auth: (context) => signInByName(context, "auth"),
  loginsso: signInOnce,
  /** A token from elsewhere, valid until it expires. */
  token: async (context) => ({ token: await requiredSecret(context, "token") }),
  "generate-token": generateToken,
  "client-credentials": useApplication,
};

async function signInAtService(
  context: SignInContext,
  operation: OperationName,
  more: Parameters<typeof serviceRequest>[2],
): Promise<IssuedToken> {
  const request = serviceRequest(context, operation, more);
  const answer = await context.http.call(request);
  const token = readToken(answer, request, context.signIn.method);
  return { token, expiresAtMs: jwtExpiryMs(token, context.io.now(), answer) };
}

/** `auth` and `login` are one operation with two paths. */
async function signInByName(context: SignInContext, operation: "auth" | "login") {
  const username = await requiredText(context, "username");
  const password = await requiredSecret(context, "password");
  return signInAtService(context, operation, { body: { json: { username, password } } });
}

/** Single sign-on needs a browser's session: its cookie, or a person who copies the token. */
async function signInOnce(context: SignInContext): Promise<IssuedToken> {
  if (context.signIn.fields["cookie"] !== undefined) {
    const cookie = await requiredSecret(context, "cookie");
    return signInAtService(context, "loginsso", { headers: { cookie } });
  }
  const request = serviceRequest(context, "loginsso");
  // A person has to open the address in a browser.
  const pasted = await context.ask?.(
    `Open ${request.url} in a browser and paste the token that it shows: `,
  );
  if (pasted?.reveal()) {
    const token = assertUsable(pasted, "token", SIGN_IN_METHODS.token.token);
    return { token, expiresAtMs: jwtExpiryMs(token, context.io.now()) };
  }
  throw new Failure(
    "credential-missing",
    `Cannot ask for a sign-in at "${shownAddress(request)}": standard input is not a terminal.`,
    "Run the command in a terminal, or set the variable to the cookie of a browser that is signed in:\n  export LINTEL_SSO_COOKIE=…",
  );
}

/** The portal's own token, bound to a referer that every later call sends. */
async function generateToken(context: SignInContext): Promise<IssuedToken> {
  const { fields, method } = context.signIn;
  const referer =
    fields["referer"] === undefined ? "lintel" : await requiredText(context, "referer");
  const minutes = fields["expiration"];
  const request = {
    ...portalRequest(context, "/generateToken", [
      ["username", await requiredText(context, "username")],
      ["password", await requiredSecret(context, "password")],
      ["client", "referer"],
      ["referer", referer],
      ...(minutes === undefined || isCommand(minutes)
        ? []
        : [["expiration", String(minutes)] as const]),
    ]),
    headers: { referer },
  };
  const answer = await context.http.call(request);
  const token = readToken(answer, request, method);
  const expires = parseObject(answer)?.["expires"];
  const expiresAtMs =
    typeof expires === "number" ? expires - skewMs(context.io.now(), answer) : undefined;
  return { token, headers: { referer }, expiresAtMs };
}

/** An application's id and secret, sent to the portal itself. */
async function useApplication(context: SignInContext): Promise<IssuedToken> {
  const request = portalRequest(context, "/oauth2/token", [
    ["client_id", await requiredText(context, "clientId")],
    ["client_secret", await requiredSecret(context, "clientSecret")],
    ["grant_type", "client_credentials"],
  ]);
  const answer = await context.http.call(request);
  const token = readToken(answer, request, context.signIn.method);
  const seconds = parseObject(answer)?.["expires_in"];
  const expiresAtMs = typeof seconds === "number" ? context.io.now() + seconds * 1000 : undefined;
  return { token, expiresAtMs };
}
