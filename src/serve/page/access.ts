// A request → whether it may be answered, or why not: who may see the page, from which address, and from whose pages.
import type { IncomingMessage } from "node:http";
import type { Listening } from "./listening.js";
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

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const TOKEN_PATH = "/token";

/** They say nothing that others must not know, and whoever asks knows the machine by an address of its own. */
export const OPEN_PATHS = ["/healthz", "/readyz"];

export interface Door extends Pick<Listening, "host" | "origin"> {
  readonly port: number;
  readonly isTls: boolean;
  /** Absent where everybody on this machine may see the page. */
  readonly gate?: Gate | undefined;
}

export function cookieName({ isTls, origin }: Pick<Door, "isTls" | "origin">): string {
  // Browsers take the prefix over TLS alone, and then from no other host.
  return isTls || origin !== undefined ? "__Host-lintel" : "lintel";
}

export function admit(request: IncomingMessage, door: Door): Asked | Refusal {
  const { method = "", url = "" } = request;
  if (!url.startsWith("/") || !URL.canParse(`http://page.example.com${url}`)) {
    return { status: 400, message: "The request names no path." };
  }
  const { pathname: path, searchParams: query } = new URL(`http://page.example.com${url}`);
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
  const foreign = refuseForeign(request, door);
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

/**
 * A page of another host can make a browser ask here, and a name of that host can be made to mean this machine; the
 * request then says the other name, in Host or in Origin. That a link leads here from elsewhere is no harm.
 */
function refuseForeign({ headers, method }: IncomingMessage, door: Door): Refusal | undefined {
  const { host = "", origin } = headers;
  const own = ownOrigins(door);
  const asked = own.find(
    (each) => new URL(each).host === host.replace(/:(?:80|443)$/, usual(each)),
  );
  if (asked === undefined) {
    const hint = door.origin ? " A proxy before it has to pass the host on." : "";
    return { status: 421, message: `This page answers at ${own[0]} alone.${hint}` };
  }
  const from = headers["sec-fetch-site"] ?? "none";
  const isLink =
    method !== "POST" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document";
  const isForeign =
    (origin !== undefined && origin !== asked) ||
    (method === "POST" && origin === undefined) ||
    !(from === "same-origin" || from === "none" || isLink);
  if (!isForeign) return undefined;
  return {
    status: 403,
    message: "This server answers its own pages alone. Open its address by hand.",
  };
}

/** Browsers leave the usual port out; others may say it. */
function usual(origin: string): string {
  return new URL(origin).port === "" ? "" : "$&";
}

function ownOrigins({ host, port, origin, isTls }: Door): readonly string[] {
  if (origin !== undefined) return [origin];
  const name = host.includes(":") ? `[${host}]` : host;
  const names = [...new Set([name, "127.0.0.1", "localhost", "[::1]"])];
  return names.map((each) => new URL(`${isTls ? "https" : "http"}://${each}:${port}`).origin);
}

function hasCookie({ headers }: IncomingMessage, door: Door): boolean {
  const name = cookieName(door);
  return (headers.cookie ?? "")
    .split(";")
    .map((each) => each.trim())
    .some(
      (each) => each.startsWith(`${name}=`) && door.gate?.isCookie(each.slice(name.length + 1)),
    );
}

/** Where it is found from here; any address that it listens on will do. */
export function addressOf(door: Door): string {
  return ownOrigins(door)[0] ?? "";
}
