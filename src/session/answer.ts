// Reads the token from the answer to a sign-in. Errors describe the answer's shape, never its content.
import { Failure } from "../failure.js";
import { isJsonObject, parseJson, type Json } from "../lib/json.js";
import { showForeign } from "../lib/text.js";
import { hostOf, isWebPage, parseAnswer, secretsOf, shownAddress } from "../request.js";
import type { Answer, Request } from "../request.js";
import { secret, type Secret } from "../secret.js";
import type { SignInMethod } from "../sign-in.js";

/** Common names of the token; the reference shows none. */
const TOKEN_NAMES = ["token", "access_token", "accesstoken", "bearertoken", "bearer_token", "jwt"];
const MOST_NAMES = 10;

export function readToken(answer: Answer, request: Request, method: SignInMethod): Secret {
  const json = parseAnswer(answer);
  const isRefusal = isJsonObject(json) && ("error" in json || json["status"] === "error");
  if (answer.status >= 300 || isRefusal) throw refused(answer, request, method);
  const text = tokenText(answer, json);
  if (text !== undefined) return secret(text);
  throw new Failure(
    "answer-not-understood",
    `${placeOf(request, method)} answered without a token: ${describe(answer, json, request)}.`,
    checkAddress(method),
  );
}

function isAtPortal(method: SignInMethod): boolean {
  return method === "generate-token" || method === "client-credentials";
}

function placeOf(request: Request, method: SignInMethod): string {
  return `The ${isAtPortal(method) ? "portal" : "sign-in service"} at "${shownAddress(request)}"`;
}

function checkAddress(method: SignInMethod): string {
  return isAtPortal(method)
    ? "Check portal.url: in a browser it opens the REST directory of the portal (not of an ArcGIS Server). It ends in /sharing/rest, such as:\n  https://gis.example.com/portal/sharing/rest"
    : "Check signIn.url: it is the base address, to which the path of the operation is added.";
}

function tokenText(answer: Answer, json: Json | undefined): string | undefined {
  if (isJsonObject(json)) {
    const named = Object.entries(json).find(([name]) => TOKEN_NAMES.includes(name.toLowerCase()));
    const shaped = Object.values(json).find((each) => typeof each === "string" && JWT.test(each));
    return [named?.[1], shaped].find((each) => typeof each === "string" && isToken(each)) as
      | string
      | undefined;
  }
  if (typeof json === "string") return isToken(json) ? json : undefined;
  const text = answer.text.trim();
  return json === undefined && !isWebPage(answer) && isToken(text) ? text : undefined;
}

/** Text that fits in a header, so neither a sentence nor a web page. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]{8,}$/.test(text) && !text.startsWith("<");
}

const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

function describe(answer: Answer, json: Json | undefined, request: Request): string {
  if (isWebPage(answer)) return "a web page";
  if (!answer.text.trim()) return "nothing";
  if (isJsonObject(json)) {
    const names = Object.keys(json)
      .slice(0, MOST_NAMES)
      .map((each) => `"${showForeign(each, secretsOf(request), 40)}"`);
    return names.length ? `an object with ${names.join(", ")}` : "an empty object";
  }
  return json === undefined || typeof json === "string" ? "a text that is no token" : "other JSON";
}

function refused(answer: Answer, request: Request, method: SignInMethod): Failure {
  const said = saying(answer);
  const shown = said && showForeign(said, secretsOf(request));
  const status = answer.status >= 300 ? ` (${answer.status})` : "";
  const end = shown && /[.!?\u2026)]$/.test(shown) ? "" : ".";
  const words = status + (shown ? `: ${shown}` : "") + end;
  if (answer.status === 404 || answer.status === 405 || answer.status >= 500) {
    return new Failure(
      "sign-in-refused",
      `${placeOf(request, method)} did not carry out "${method}"${words}`,
      answer.status >= 500
        ? "The service has a fault. Try again later, or ask those who run it."
        : checkAddress(method),
    );
  }
  return new Failure(
    "sign-in-refused",
    `The sign-in with "${method}" was refused by "${hostOf(request)}"${words}`,
    HELP[method],
  );
}

function saying(answer: Answer): string | undefined {
  const json = parseAnswer(answer);
  if (json === undefined) return isWebPage(answer) ? undefined : answer.text;
  if (!isJsonObject(json)) return typeof json === "string" ? json : undefined;
  const error = isJsonObject(json["error"]) ? json["error"] : json;
  const details = Array.isArray(error["details"]) ? error["details"] : [];
  const all = [error["message"], error["Message"], json["error_description"], ...details];
  return [...new Set(all.filter((each) => typeof each === "string" && each))].join(" ");
}

const PASSWORD_HELP =
  "Check the user name and the password. The account may be locked after a few rejections, so Lintel does not retry.";

const HELP: Readonly<Record<SignInMethod, string>> = {
  loginadmin:
    "Check the BEID and the key, and that the service account is set to Active: both are on the organization's page of the administration console. The account may be locked after a few rejections, so Lintel does not retry.",
  login: PASSWORD_HELP,
  auth: PASSWORD_HELP,
  loginsso: "Sign in with the browser again, then use its new cookie or token.",
  token: "Make a new token and set LINTEL_TOKEN.",
  "generate-token": PASSWORD_HELP,
  "client-credentials":
    "Check the application's id and secret. Before 11.4 such an application has no administrative privileges.",
};

/** Undefined for a token that is not a JWT, or has no expiry. */
export function jwtExpiryMs(token: Secret, now: number, answer?: Answer): number | undefined {
  const [, payload = ""] = token.reveal().split(".");
  const claims = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const exp = isJsonObject(claims) ? claims["exp"] : undefined;
  const endsAtMs = typeof exp === "number" ? exp * 1000 - skewMs(now, answer) : Number.NaN;
  // Larger values are no valid date; then the expiry is unknown.
  return Math.abs(endsAtMs) < 8.64e15 ? endsAtMs : undefined;
}

/** How far the server's clock is ahead of ours. */
export function skewMs(now: number, answer: Answer | undefined): number {
  const serverNow = Date.parse(answer?.headers["date"] ?? "");
  return Number.isNaN(serverNow) ? 0 : serverNow - now;
}
