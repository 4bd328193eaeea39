// What a portal answers → its JSON object, or the failure that its own words describe. Errors mostly come with status 200.
import { Failure } from "../failure.js";
import { isJsonObject, type Json } from "../json.js";
import type { JsonObject } from "../json.js";
import { showForeign } from "../redaction.js";
import {
  hostOf,
  isWebPage,
  parseObject,
  secretsOf,
  type Answer,
  type Request,
} from "../request.js";
import type { Secret } from "../secret.js";

/** A request as it was sent, and what came back. */
export interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
}

/** What the portal itself said of a refusal, fit to be shown. */
export interface Refusal {
  readonly code?: number;
  readonly messageCode?: string;
  readonly message: string;
  readonly details: readonly string[];
}

export class PortalFailure extends Failure {
  readonly refusal: Refusal;

  constructor(
    code: "portal-refused" | "token-refused",
    message: string,
    refusal: Refusal,
    help: string,
  ) {
    super(code, message, help);
    this.name = "PortalFailure";
    this.refusal = refusal;
  }
}

/** Invalid and required, as the portal says it; and what a web server in front of it says. */
const TOKEN_CODES = [498, 499, 401];
const FORBIDDEN = 403;
const MOST_DETAILS = 5;

/** For answers of which nothing is ever sent back. */
export function understand(exchange: Exchange): JsonObject {
  refuse(exchange);
  const json = objectIn(exchange.answer);
  if (json && exchange.answer.status < 300 && !isTooDeep(json)) return json;
  throw notUnderstood(exchange);
}

/** Throws the refusal that an answer tells of; returns where it tells of none. */
export function refuse({ request, answer }: Exchange): void {
  const refusal = refusalOf(answer, secretsOf(request));
  if (refusal) throw refused(refusal, request);
}

export function notUnderstood({ request, answer }: Exchange): Failure {
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(request)}" answered with ${describe(answer)} instead of a JSON object (${answer.status}).`,
    "Often that is a sign-in page. Check portal.url, which ends in /sharing/rest, and what stands in front of the portal.",
  );
}

/** Deeper than anything that settings could mean; whoever walks through it would run out of stack. */
const DEEPEST = 200;

function isTooDeep(json: JsonObject): boolean {
  let level: Json[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/** Whether another token may help. */
export function isTokenRefused({ answer }: Exchange): boolean {
  const code = refusalOf(answer, [])?.code;
  return code !== undefined && TOKEN_CODES.includes(code);
}

function refused(refusal: Refusal, request: Request): PortalFailure {
  const host = hostOf(request);
  const { code, messageCode, message, details } = refusal;
  const codes = [code, messageCode].filter((each) => each !== undefined).join(", ");
  const words = [message, ...details.filter((each) => each !== message)].join(" · ");
  const said = `${codes && `${codes}: `}${words || "no reason given"}`;
  const isAboutToken = code !== undefined && TOKEN_CODES.includes(code);
  if (isAboutToken && secretsOf(request).length > 0) {
    return new PortalFailure(
      "token-refused",
      `The portal at "${host}" does not accept the token of the sign-in (${said}).`,
      refusal,
      "Check that the portal takes tokens of the place that signIn names, how signIn.carry says that they travel, and that the account is an administrator.",
    );
  }
  return new PortalFailure(
    "portal-refused",
    `The portal at "${host}" refused the request (${said}).`,
    refusal,
    isAboutToken
      ? "The portal shows this to nobody who is not signed in: give the credentials that signIn asks for."
      : code === FORBIDDEN
        ? "The account needs the role of the default administrator, or the privilege for security and infrastructure."
        : "Check the address and the id of the portal, and what its own log says.",
  );
}

/** An answer is asked more than once whether it is a refusal, and may be long. */
const understood = new WeakMap<Answer, { readonly json: JsonObject | undefined }>();

function objectIn(answer: Answer): JsonObject | undefined {
  const known = understood.get(answer) ?? { json: parseObject(answer) };
  understood.set(answer, known);
  return known.json;
}

function refusalOf(answer: Answer, secrets: readonly Secret[]): Refusal | undefined {
  const json = objectIn(answer);
  const show = (value: Json | undefined): string =>
    value === undefined || value === null
      ? ""
      : showForeign(typeof value === "string" ? value : JSON.stringify(value), secrets);
  const list = (value: Json | undefined): string[] =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value])
      .slice(0, MOST_DETAILS)
      .map(show)
      .filter(Boolean);
  if (json && "error" in json && json["error"] !== null) {
    const error = isJsonObject(json["error"]) ? json["error"] : { message: json["error"] ?? null };
    const messageCode = show(error["messageCode"]);
    return {
      ...codeOf(error["code"]),
      ...(messageCode && { messageCode }),
      message: show(error["message"]),
      details: list(error["details"]),
    };
  }
  if (json?.["status"] === "error" || json?.["success"] === false) {
    const [message = show(json["message"]), ...details] = list(json["messages"]);
    return { ...codeOf(json["code"]), message, details };
  }
  if (answer.status !== FORBIDDEN && !TOKEN_CODES.includes(answer.status)) return undefined;
  return { code: answer.status, message: isWebPage(answer) ? "" : show(answer.text), details: [] };
}

function codeOf(value: Json | undefined): { readonly code?: number } {
  const code = typeof value === "string" && value ? Number(value) : value;
  return typeof code === "number" && Number.isFinite(code) ? { code } : {};
}

function describe(answer: Answer): string {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return `something encoded as "${showForeign(encoding, [], 40)}"`;
  if (isWebPage(answer)) return "a web page";
  return answer.text.trim() ? "something else" : "nothing";
}
