// Pages and events → a server on this machine that serves them to its own pages alone.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../failure.js";
import type { Json } from "../json.js";
import type { Page } from "../pages/page.js";

const HOST = "127.0.0.1";

export interface Content {
  /** undefined where nothing stands. */
  pageAt(path: string, query: URLSearchParams): Page | undefined;
  /** What a page is told as soon as it listens. */
  news(): Json;
}

function headersOf(type: string, policy: string) {
  return {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  };
}

/** What is no page may do nothing. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

export async function serve(content: Content, port: number) {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const refusal = refuse(request, (server.address() as AddressInfo).port);
    if (refusal) return send(response, ...refusal);
    const { pathname, searchParams } = new URL(`http://${HOST}${request.url}`);
    if (pathname === "/events" && request.method === "GET") return listen(response);
    let page: Page | undefined;
    try {
      page = content.pageAt(pathname, searchParams);
    } catch (error) {
      // One home that cannot be drawn must not end the preview of all others.
      return send(response, 500, `This is a bug in Lintel: ${(error as Error).message}`);
    }
    if (!page) return send(response, 404, "There is nothing at this address.");
    send(response, 200, page.text, "text/html", page.contentSecurityPolicy);
  });

  function listen(response: ServerResponse): void {
    response.writeHead(200, headersOf("text/event-stream", NOTHING));
    response.write(eventOf(content.news()));
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }

  server.listen(port, HOST);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new Failure(
      "wrong-usage",
      code === "EACCES"
        ? `Port ${port} needs rights that this user does not have.`
        : `Port ${port} is taken by another program.`,
      "Leave --port out; then it takes one that is free.",
      { cause: error },
    );
  }
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    tell: (news: Json): void => {
      for (const response of listeners) response.write(eventOf(news));
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * A page of another host can make a browser ask here, and a name of that host can be made to mean this machine; the
 * request then says the other name, in Host or in Origin.
 */
function refuse(request: IncomingMessage, port: number): [number, string] | undefined {
  const { method, url, headers } = request;
  // Browsers leave the usual port out.
  const hosts = [HOST, "localhost"];
  const names = hosts.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  if (!names.includes(headers.host ?? "")) return [421, "This server answers on 127.0.0.1 alone."];
  const isForeign = headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
  if (isForeign || headers["sec-fetch-site"] === "cross-site") {
    return [403, "This server answers its own pages alone. Open the address by hand."];
  }
  if (method !== "GET" && method !== "HEAD") return [405, "This server takes GET."];
  return url?.startsWith("/") && URL.canParse(`http://${HOST}${url}`)
    ? undefined
    : [400, "The request names no path."];
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = "text/plain",
  policy = NOTHING,
): void {
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headersOf(type, policy), ...length });
  response.end(body);
}

/** JSON has no line ends of its own, which would end the event. */
function eventOf(news: Json): string {
  return `data: ${JSON.stringify(news)}\n\n`;
}
