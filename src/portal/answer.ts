// What a portal answers → its JSON object, or the failure that its own words describe. Errors mostly come with status 200.
import { Failure, type FailureCode } from "../failure.js";
import { isJsonObject, printJson, type Json, type JsonObject, nearestNumber } from "../json.js";
import { parseExactly, type JsonProblem, type Parsed } from "../json-text.js";
import { showForeign } from "../text.js";
import { hostOf, isWebPage, secretsOf, type Answer, type Request } from "../request.js";
import type { Secret } from "../secret.js";
import { formatPath } from "../settings.js";

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
  override name = "PortalFailure";
  readonly refusal: Refusal;

  constructor(code: FailureCode, message: string, help: string, refusal: Refusal) {
    super(code, message, help);
    this.refusal = refusal;
  }
}

/** Invalid and required, as the portal says it; and what a web server in front of it says. */
const TOKEN_CODES = [498, 499, 401];
const FORBIDDEN = 403;
const MOST_DETAILS = 5;

/** Far above what portals answer; what is done with each value and text must stay quick. */
const BOUNDS = { deepest: 200, mostValues: 100_000, longestText: 1_000_000 };

/** All that is kept in a state, several times over. */
const LONGEST_KEPT = 4_000_000;

/** For answers of which nothing is ever sent back. */
export function understand(exchange: Exchange): JsonObject {
  const { request, answer } = exchange;
  const refusal = refusalOf(answer, secretsOf(request));
  if (refusal) throw refused(refusal, request);
  const json = objectIn(answer);
  if (json && answer.status < 300) return json;
  throw notUnderstood(exchange);
}

/** For answers of which every value may be sent back, and must then be what it was. */
export function understandExactly(exchange: Exchange): JsonObject {
  const json = understand(exchange);
  const { text, strayByteAt } = exchange.answer;
  const parsed = parsedFrom(exchange.answer);
  if (strayByteAt !== undefined) throw unusable(exchange, strayByte(text, strayByteAt));
  if ("repeated" in parsed && parsed.repeated) throw unusable(exchange, parsed.repeated);
  if (text.length > LONGEST_KEPT) {
    throw unusable(exchange, { ...NOWHERE, why: "it is longer than 4,000,000 letters" });
  }
  return json;
}

const NOWHERE = { offset: 0, line: 1, column: 1, path: [] };

/** The text that is good ends there in the middle of something, so that reading it tells in what. */
function strayByte(text: string, strayByteAt: number): JsonProblem {
  const good = Buffer.from(text).subarray(0, strayByteAt).toString("utf8");
  const parsed = parseExactly(good, BOUNDS);
  const why = `byte ${strayByteAt + 1} is no UTF-8`;
  return { ...("fault" in parsed ? parsed.fault : NOWHERE), why };
}

function notUnderstood(exchange: Exchange): Failure {
  const { text, status, strayByteAt } = exchange.answer;
  const parsed = parsedFrom(exchange.answer);
  // What looks like the beginning of an object was meant as one.
  if ("fault" in parsed && /^[\uFEFF\uFFFD]*\s*\{/.test(text)) {
    const fault = strayByteAt === undefined ? parsed.fault : strayByte(text, strayByteAt);
    return unusable(exchange, fault);
  }
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(exchange.request)}" answered with ${describe(exchange)} instead of a JSON object (${status}).`,
    "Often that is a sign-in page. Check portal.url, which ends in /sharing/rest, and what stands in front of the portal.",
  );
}

function unusable({ request }: Exchange, { why, line, column, path }: JsonProblem): Failure {
  const name = showForeign(formatPath(path), secretsOf(request), 200);
  const where = `line ${line}, column ${column}${path.length > 0 ? `, in "${name}"` : ""}`;
  return new Failure(
    "answer-not-understood",
    `The portal at "${hostOf(request)}" answered with JSON that cannot be used: ${why} (${where}).`,
    "What a file does not set is sent back exactly as the portal wrote it, so its answer must be JSON in UTF-8, without names that stand twice, of at most 100,000 values and 1,000,000 letters a text. Look at what stands in front of the portal, or have the setting written anew.",
  );
}

/** Whether another token may help. What comes with a server's error does not say that nothing was done. */
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
      "token-refused",
      `The portal at "${host}" does not accept the token of the sign-in (${said}).`,
      "Check that the portal takes tokens of the place that signIn names, how signIn.carry says that they travel, and that the account is an administrator.",
      refusal,
    );
  }
  const help = isAboutToken
    ? "The portal shows this to nobody who is not signed in: give the credentials that signIn asks for."
    : code === FORBIDDEN
      ? "The account needs the role of the default administrator, or the privilege for security and infrastructure."
      : "Check the address and the id of the portal, and what its own log says.";
  const refusing = `The portal at "${host}" refused the request (${said}).`;
  return new PortalFailure("portal-refused", refusing, help, refusal);
}

/** An answer is looked at more than once, and may be long. */
const known = new WeakMap<Answer, Parsed>();

function parsedFrom(answer: Answer): Parsed {
  const parsed = known.get(answer) ?? parseExactly(answer.text, BOUNDS);
  known.set(answer, parsed);
  return parsed;
}

function objectIn(answer: Answer): JsonObject | undefined {
  const parsed = parsedFrom(answer);
  return "value" in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function refusalOf(answer: Answer, secrets: readonly Secret[]): Refusal | undefined {
  const json = objectIn(answer);
  const show = (value: Json | undefined): string =>
    value === undefined || value === null
      ? ""
      : showForeign(typeof value === "string" ? value : printJson(value), secrets);
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
