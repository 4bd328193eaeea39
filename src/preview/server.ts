// Pages and events → a server on this machine that serves them to its own pages alone.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../lib/json.js";
import * as local from "../lib/local-server.js";
import type { Page } from "../lib/html-document.js";

export interface Content {
  /** undefined where nothing stands. */
  pageAt(path: string, query: URLSearchParams): Page | undefined;
  /** What a page is told as soon as it listens. */
  news(): Json;
}

export async function serve(content: Content, port: number) {
  const listeners = new Set<ServerResponse>();
  const { listening, close } = await local.startServer({ host: "127.0.0.1", port }, answer);

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    own: local.Listening,
  ): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return send(response, 405, "This server takes GET.");
    }
    const refusal = local.refuseForeign(request, own);
    if (refusal) return send(response, refusal.status, refusal.message);
    const target = local.targetOf(request);
    if (!target) return send(response, 400, "The request names no path.");
    if (target.pathname === "/events" && request.method === "GET") return listen(response);
    const page = content.pageAt(target.pathname, target.searchParams);
    if (!page) return send(response, 404, "There is nothing at this address.");
    send(response, 200, page.text, "text/html", page.contentSecurityPolicy);
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, local.headersFor("text/event-stream; charset=utf-8"));
    response.write(eventOf(content.news()));
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }

  return {
    url: local.addressOf(listening),
    tell: (news: Json): void => {
      for (const response of listeners) response.write(eventOf(news));
    },
    close,
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = "text/plain",
  policy?: string,
): void {
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...local.headersFor(`${type}; charset=utf-8`, policy), ...length });
  response.end(body);
}

/** JSON has no line ends of its own, which would end the event. */
function eventOf(news: Json): string {
  return `data: ${JSON.stringify(news)}\n\n`;
}
