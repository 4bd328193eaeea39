// Decides whether a request is answered, and for which user: checks host, origin, token, cookie and proxy headers.
import type { IncomingMessage } from "node:http";
import { refuseForeign, targetOf, type Listening, type Refusal } from "../../lib/local-server.js";
import type { Secret } from "../../secret.js";
import { isSameText, type TokenCheck } from "./token.js";

export interface Access {
  /** The caller sent the token or its cookie, came through the proxy, or needs neither. */
  readonly isKnown: boolean;
  /** A link of another site led here. The browser then withholds a strict cookie until our own page asks again. */
  readonly isFromElsewhere: boolean;
  /** The user named by a proxy. */
  readonly user?: User;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface ServerAccess extends Listening {
  /** The public address, if people reach the dashboard from other machines. */
  readonly origin?: string | undefined;
  /** Absent if all users of this machine may see the dashboard. */
  readonly token?: TokenCheck | undefined;
  readonly proxy?: AuthProxy | undefined;
}

/** A proxy that signs people in. Without a secret, only a Unix socket keeps others out. */
export interface AuthProxy {
  readonly secret?: Secret | undefined;
}

export const LOGIN_PATH = "/token";
export const PUSH_PATH = "/hooks/push";
const ACTION_PATH = /^\/(?:portals\/[^/]+\/(?:refresh|apply|hold)|actions\/(?:refresh|hold))$/;
/** Shows the plan first. */
const UNHOLD_PATH = /^\/portals\/[^/]+\/unhold$/;

/** They reveal nothing, and monitoring may use other host names. */
export const OPEN_PATHS = ["/healthz", "/readyz"];

export function cookieName({ isTls, origin }: Pick<ServerAccess, "isTls" | "origin">): string {
  // With this prefix, browsers accept the cookie over TLS only, and only from the same host.
  return isTls || origin !== undefined ? "__Host-lintel" : "lintel";
}

export function checkAccess(request: IncomingMessage, server: ServerAccess): Access | Refusal {
  const path = targetOf(request)?.pathname;
  if (path === undefined) return { status: 400, message: "The request names no path." };
  const methods = methodsOf(path);
  if (!methods.includes(request.method ?? "")) {
    const allow = methods.join(", ");
    return { status: 405, message: `This address takes ${allow}.`, headers: { allow } };
  }
  const access = { isKnown: !server.token && !server.proxy, isFromElsewhere: false };
  // A forge signs its requests, and may use any host name.
  if (OPEN_PATHS.includes(path) || path === PUSH_PATH) return access;
  const bearer = checkBearer(request, server);
  if (bearer === "right") return { ...access, isKnown: true };
  if (bearer) return bearer;
  const foreign = refuseForeign(request, server, server.origin);
  if (foreign) return foreign;
  const isFromElsewhere = request.headers["sec-fetch-site"] === "cross-site";
  if (server.proxy) {
    const user = userOf(request, server.proxy);
    return "status" in user ? user : { isKnown: true, isFromElsewhere, user };
  }
  return { ...access, isFromElsewhere, isKnown: access.isKnown || hasCookie(request, server) };
}

function methodsOf(path: string): readonly string[] {
  if (path === PUSH_PATH || ACTION_PATH.test(path)) return ["POST"];
  return path === LOGIN_PATH || UNHOLD_PATH.test(path) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
}

/** Pages of other sites cannot send this header, so host and origin do not matter. */
function checkBearer(
  { headers, method, socket }: IncomingMessage,
  { token }: ServerAccess,
): "right" | Refusal | undefined {
  const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  // Actions need a user, whom no token names.
  if (!token || sent === undefined || method === "POST") return undefined;
  const isRight = token.isToken(sent, socket.remoteAddress ?? "");
  if (isRight === undefined) return TOO_MANY_GUESSES;
  return isRight ? "right" : { ...UNKNOWN, message: "The token is wrong." };
}

export const TOO_MANY_GUESSES: Refusal = {
  status: 429,
  message: "Too many wrong tokens from this address. Wait a minute.",
  headers: { "retry-after": "60" },
};

export const UNKNOWN: Refusal = {
  status: 401,
  message: 'Send the token of the dashboard: "Authorization: Bearer TOKEN".',
  headers: { "www-authenticate": "Bearer" },
};

const NOT_THROUGH_PROXY: Refusal = {
  status: 401,
  message: "Open the dashboard through its sign-in proxy.",
};

export const PROXY_HEADERS = {
  user: "x-forwarded-user",
  groups: "x-forwarded-groups",
  secret: "x-lintel-proxy-secret",
} as const;

/** Letters, digits and what names, mail addresses and paths of groups contain. */
const USER = /^[\p{L}\p{N}][\p{L}\p{N} ._@+:/\\|-]{0,199}$/u;
const LONGEST_GROUPS = 16_000;

/** If the header arrives twice, the client sent one of them. */
function userOf(request: IncomingMessage, { secret }: AuthProxy): User | Refusal {
  const [user, groups, sent] = [PROXY_HEADERS.user, PROXY_HEADERS.groups, PROXY_HEADERS.secret].map(
    (name) => valuesOf(request, name),
  ) as [string[], string[], string[]];
  const isProxy =
    secret === undefined || (sent.length === 1 && isSameText(sent[0] ?? "", secret.reveal()));
  if (!isProxy) return NOT_THROUGH_PROXY;
  const [name = ""] = user;
  const [listed = ""] = groups;
  const isPlain = user.length === 1 && groups.length <= 1 && USER.test(name);
  if (!isPlain || listed.length > LONGEST_GROUPS) {
    return {
      status: 401,
      message:
        "The proxy must send one X-Forwarded-User, at most one X-Forwarded-Groups, and remove those of its clients.",
    };
  }
  const all = listed.split(",").map((each) => each.trim());
  return { name, groups: all.filter(Boolean) };
}

/** Node decodes headers as Latin-1, and proxies send UTF-8. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.flatMap((value, at) =>
    at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name
      ? [Buffer.from(value, "latin1").toString("utf8").trim()]
      : [],
  );
}

function hasCookie({ headers }: IncomingMessage, server: ServerAccess): boolean {
  const name = cookieName(server);
  return (headers.cookie ?? "")
    .split(";")
    .map((each) => each.trim())
    .some(
      (each) => each.startsWith(`${name}=`) && server.token?.isCookie(each.slice(name.length + 1)),
    );
}
