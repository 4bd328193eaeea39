// A request → whether it may be answered, or why not: who may see the page, from which address, and from whose pages.
import type { IncomingMessage } from "node:http";
import { refuseForeign, targetOf, type Listening, type Refusal } from "../../lib/local-server.js";
import type { Gate } from "./token.js";

/** What is asked, once it is known that it may be. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether whoever asks has shown the token, or need not. */
  readonly isKnown: boolean;
  /** A link of another site led here: then a browser keeps a strict cookie back, and sends it when the page asks again. */
  readonly isFromElsewhere: boolean;
}

export const TOKEN_PATH = "/token";

/** They say nothing that others must not know, and whoever asks knows the machine by an address of its own. */
export const OPEN_PATHS = ["/healthz", "/readyz"];

export interface Door extends Listening {
  /** Where people find it, if not on this machine. */
  readonly origin?: string | undefined;
  /** Absent where everybody on this machine may see the page. */
  readonly gate?: Gate | undefined;
}

export function cookieName({ isTls, origin }: Pick<Door, "isTls" | "origin">): string {
  // Browsers take the prefix over TLS alone, and then from no other host.
  return isTls || origin !== undefined ? "__Host-lintel" : "lintel";
}

export function admit(request: IncomingMessage, door: Door): Asked | Refusal {
  const { method = "" } = request;
  const target = targetOf(request);
  if (!target) return { status: 400, message: "The request names no path." };
  const { pathname: path, searchParams: query } = target;
  const methods = path === TOKEN_PATH ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
  if (!methods.includes(method)) {
    const allow = methods.join(", ");
    return { status: 405, message: `This address takes ${allow}.`, headers: { allow } };
  }
  const asked = { path, query, isKnown: !door.gate, isFromElsewhere: false };
  if (OPEN_PATHS.includes(path)) return asked;
  const bearer = bearerOf(request, door);
  if (bearer === "right") return { ...asked, isKnown: true };
  if (bearer) return bearer;
  const foreign = refuseForeign(request, door, door.origin);
  if (foreign) return foreign;
  const isFromElsewhere = request.headers["sec-fetch-site"] === "cross-site";
  return { ...asked, isKnown: asked.isKnown || hasCookie(request, door), isFromElsewhere };
}

/** No page of another host can send it, so that whoever does may have found this server by any name. */
function bearerOf(
  { headers, socket }: IncomingMessage,
  { gate }: Door,
): "right" | Refusal | undefined {
  const said = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (!gate || said === undefined) return undefined;
  const isRight = gate.isToken(said, socket.remoteAddress ?? "");
  if (isRight === undefined) return TOO_MANY_GUESSES;
  return isRight ? "right" : { ...UNKNOWN, message: "The token is not the right one." };
}

export const TOO_MANY_GUESSES: Refusal = {
  status: 429,
  message: "Too many tokens from this address were wrong. Wait a minute.",
  headers: { "retry-after": "60" },
};

export const UNKNOWN: Refusal = {
  status: 401,
  message: 'Send the token of this page: "Authorization: Bearer TOKEN".',
  headers: { "www-authenticate": "Bearer" },
};

function hasCookie({ headers }: IncomingMessage, door: Door): boolean {
  const name = cookieName(door);
  return (headers.cookie ?? "")
    .split(";")
    .map((each) => each.trim())
    .some(
      (each) => each.startsWith(`${name}=`) && door.gate?.isCookie(each.slice(name.length + 1)),
    );
}
