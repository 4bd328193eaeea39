// A server that plays a platform's API: routes of "METHOD path", each answered by a function, to those who have a token.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { answerJson, collect, listen, type Received } from "../support/network.js";

/** When the current run of each platform began. */
export const NOW = "2026-11-28T12:08:00Z";

export interface Asked {
  /** What the parentheses of the route hold. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  // oxlint-disable-next-line typescript/no-explicit-any -- Whatever the platform's reference says of this request.
  readonly body: any;
  readonly headers: IncomingHttpHeaders;
}

export interface Said {
  readonly status: number;
  readonly text: string;
}

type Route = readonly [route: RegExp, answer: (asked: Asked) => unknown];

export interface DoubleOptions {
  /** What stands before each path. */
  readonly base: string;
  readonly routes: readonly Route[];
  /** What is answered to those who may not ask, or undefined. */
  readonly refusal: (asked: string, headers: IncomingHttpHeaders) => Said | undefined;
}

export function said(status: number, text = ""): Said {
  return { status, text };
}

function isSaid(made: unknown): made is Said {
  return typeof made === "object" && made !== null && "status" in made && "text" in made;
}

export async function openDouble({ base, routes, refusal }: DoubleOptions) {
  const requests: string[] = [];
  /** What is answered instead, by "METHOD path". */
  const rude = new Map<string, Said>();

  function answerTo({ method, path, headers, body }: Received): unknown {
    const url = new URL(path, "http://127.0.0.1");
    const asked = `${method} ${url.pathname.replace(base, "")}`;
    requests.push(asked);
    const instead = rude.get(asked) ?? refusal(asked, headers);
    if (instead) return instead;
    const content: unknown = body === "" ? undefined : JSON.parse(body);
    for (const [route, answer] of routes) {
      const [whole, ...parts] = route.exec(asked) ?? [];
      if (whole === undefined) continue;
      return answer({ parts, query: url.searchParams, body: content, headers }) ?? said(404, "{}");
    }
    return said(404, "{}");
  }

  const server = createServer(
    collect([], (received, response) => {
      const made = answerTo(received);
      if (isSaid(made)) response.writeHead(made.status).end(made.text);
      else answerJson(response, made);
    }),
  );
  const host = await listen(server);
  return {
    url: `http://${host}`,
    requests,
    rude,
    writes: () => requests.filter((each) => !each.startsWith("GET") && !each.endsWith("wiql")),
  };
}

/** As platforms give lists: a page of them. */
export function pageOf<Entry>(all: readonly Entry[], query: URLSearchParams): readonly Entry[] {
  const [size, page] = [Number(query.get("per_page") ?? 20), Number(query.get("page") ?? 1)];
  return all.slice((page - 1) * size, page * size);
}
