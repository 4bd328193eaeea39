// Parses a portal's answer as a JSON object, or as a failure. Most errors have status 200.
import { Failure, type FailureCode } from "../failure.js";
import { isJsonList, isJsonObject, nearestNumber, parseExact, parseJson } from "../lib/json.js";
import { printJson, type Json, type JsonObject } from "../lib/json.js";
import { grouped, showForeign } from "../lib/text.js";
import { hostOf, isWebPage, secretsOf, type Answer, type Request } from "../request.js";
import type { Secret } from "../secret.js";

/** A sent request and its answer. */
export interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
}

/** The portal's own reason for a refusal, safe to show. */
export interface Refusal {
  readonly code?: number;
  readonly messageCode?: string;
  readonly message: string;
  readonly details: readonly string[];
}

export class PortalFailure extends Failure {
  override name = "PortalFailure";
  readonly refusal: Refusal;

  constructor(code: FailureCode, message: string, help: string, refusal: Refusal) {
    super(code, message, help);
    this.refusal = refusal;
  }
}

/** The portal's codes for an invalid and a missing token, and that of a web server in front of it. */
const TOKEN_CODES = [498, 499, 401];
const FORBIDDEN = 403;
const MOST_DETAILS = 5;

/** Far more than portals return; limits the time to process an answer. */
const MOST = { depth: 200, values: 100_000, text: 1_000_000 };

/** The state keeps several copies of the answer. */
const LONGEST_KEPT = 4_000_000;

/** For answers whose values are never sent back. */
export function understand(exchange: Exchange): JsonObject {
  const { request, answer } = exchange;
  const refusal = refusalOf(answer, secretsOf(request));
  if (refusal) throw refused(refusal, request);
  const json = objectIn(answer);
  if (json && answer.status < 300) return json;
  throw notUnderstood(exchange);
}

/** For answers whose values may be sent back, which must be unchanged then. */
export function understandExactly(exchange: Exchange): JsonObject {
  understand(exchange);
  const read = readExactly(exchange.answer);
  if ("fault" in read) throw unusable(exchange, read.fault);
  return read.json as JsonObject;
}

function readExactly(answer: Answer): { readonly json: Json } | { readonly fault: string } {
  const { strayByteAt } = answer;
  if (strayByteAt !== undefined) return { fault: `byte ${strayByteAt + 1} is not valid UTF-8` };
  const text = textOf(answer);
  if (text.length > LONGEST_KEPT) {
    return { fault: `it is longer than ${grouped(LONGEST_KEPT)} characters` };
  }
  try {
    const json = parseExact(text);
    const fault = excessIn(json);
    return fault === undefined ? { json } : { fault };
  } catch (error) {
    // lossless-json is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) return { fault: tooDeep };
    return { fault: (error as SyntaxError).message };
  }
}

const tooDeep = `it is nested more than ${MOST.depth} levels deep`;

/** Which limit a value exceeds. */
function excessIn(json: Json): string | undefined {
  let values = 0;
  const look = (value: Json, depth: number): string | undefined => {
    if (depth > MOST.depth) return tooDeep;
    if (++values > MOST.values) return `it holds more than ${grouped(MOST.values)} values`;
    if (typeof value === "string" && value.length > MOST.text) {
      return `a text is longer than ${grouped(MOST.text)} characters`;
    }
    const within = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (const each of within) {
      const found = look(each, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(json, 0);
}

function notUnderstood(exchange: Exchange): Failure {
  const { answer, request } = exchange;
  // A text that begins like an object was meant to be one.
  const read = /^[\uFEFF\uFFFD]*\s*\{/.test(answer.text) ? readExactly(answer) : undefined;
  if (read && "fault" in read) return unusable(exchange, read.fault);
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(request)}" answered with ${describe(exchange)} instead of a JSON object (${answer.status}).`,
    "Check portal.url, which must end in /sharing/rest, and any proxy or sign-in page in front of the portal.",
  );
}

function unusable({ request }: Exchange, fault: string): Failure {
  const why = showForeign(fault, secretsOf(request), 200);
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(request)}" answered with JSON that cannot be used: ${why}.`,
    "Lintel sends back what a file does not set exactly as the portal wrote it. So the answer must be JSON in UTF-8, without names that stand twice with different values, of at most 100,000 values and 1,000,000 characters a text. Check the proxy in front of the portal, or set the value again in the portal.",
  );
}

/** Whether a new token may help. After a server error, the request may have been executed. */
export function isTokenRefused({ answer }: Exchange): boolean {
  const code = answer.status < 500 ? refusalOf(answer, [])?.code : undefined;
  return code !== undefined && TOKEN_CODES.includes(code);
}

function refused(refusal: Refusal, request: Request): PortalFailure {
  const host = hostOf(request);
  const { code, messageCode, message, details } = refusal;
  const shownCode = code === undefined ? undefined : showForeign(String(code), secretsOf(request));
  const codes = [shownCode, messageCode].filter((each) => each !== undefined).join(", ");
  const words = [message, ...details.filter((each) => each !== message)].join(" · ");
  const said = `${codes && `${codes}: `}${words || "no reason given"}`;
  const isAboutToken = code !== undefined && TOKEN_CODES.includes(code);
  if (isAboutToken && secretsOf(request).length > 0) {
    return new PortalFailure(
      "sign-in-refused",
      `The portal at "${host}" does not accept the token of the sign-in (${said}).`,
      "Check that the portal takes tokens of the place that signIn names, how signIn.carry says that they travel, and that the account is an administrator.",
      refusal,
    );
  }
  const help = isAboutToken
    ? "The portal shows this only to signed-in accounts. Set the credentials of signIn."
    : code === FORBIDDEN
      ? "The account needs the role of the default administrator, or the privilege for security and infrastructure."
      : "Check the address and the id of the portal, and what its own log says.";
  const refusing = `The portal at "${host}" refused the request (${said}).`;
  return new PortalFailure("portal-refused", refusing, help, refusal);
}

function objectIn(answer: Answer): JsonObject | undefined {
  const json = parseJson(textOf(answer));
  return isJsonObject(json) && excessIn(json) === undefined ? json : undefined;
}

/** Removes a byte order mark, which some servers send. */
function textOf({ text }: Answer): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function refusalOf(answer: Answer, secrets: readonly Secret[]): Refusal | undefined {
  const json = objectIn(answer);
  const show = (value: Json | undefined): string =>
    value === undefined || value === null
      ? ""
      : showForeign(typeof value === "string" ? value : printJson(value), secrets);
  const list = (value: Json | undefined): string[] =>
    (isJsonList(value) ? value : [value]).slice(0, MOST_DETAILS).map(show).filter(Boolean);
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
  const code = typeof value === "string" && value ? Number(value) : nearestNumber(value);
  return code !== undefined && Number.isFinite(code) ? { code } : {};
}

function describe({ request, answer }: Exchange): string {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    return `something encoded as "${showForeign(encoding, secretsOf(request), 40)}"`;
  }
  if (isWebPage(answer)) return "a web page";
  return answer.text.trim() ? "something else" : "nothing";
}
