// Helpers for routes: the request's environment, form and query, and answers with the usual headers.
import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toPage, type View } from "../../lib/html-document.js";
import { headersFor, readBody } from "../../lib/local-server.js";
import type { Access } from "./access.js";

export interface DashboardEnv {
  Bindings: {
    readonly incoming: IncomingMessage;
    readonly outgoing: ServerResponse;
    readonly access: Access;
  };
}

type Body = ConstructorParameters<typeof Response>[0];
type Headers = Readonly<Record<string, string>>;

/** In bytes; far more than a form sends. */
const LONGEST_FORM = 16 * 1024;

/** Undefined if the body is too large. */
export async function readForm({
  env,
}: Context<DashboardEnv>): Promise<URLSearchParams | undefined> {
  const body = await readBody(env.incoming, LONGEST_FORM);
  return body === undefined ? undefined : new URLSearchParams(body);
}

export const NOTHING_HERE = "There is nothing at this address.\n";

export function queryOf({ req }: Context<DashboardEnv>): URLSearchParams {
  return new URL(req.url).searchParams;
}

export function answer(status: number, type: string, body: Body, headers: Headers = {}): Response {
  return new Response(body, { status, headers: { ...headersFor(type), ...headers } });
}

export function textAnswer(status: number, body: string, headers: Headers = {}): Response {
  return answer(status, "text/plain; charset=utf-8", body, headers);
}

export function viewAnswer(view: View, status = 200, headers: Headers = {}): Response {
  const { text, contentSecurityPolicy } = toPage(view);
  const own = headersFor("text/html; charset=utf-8", contentSecurityPolicy);
  return new Response(text, { status, headers: { ...own, ...headers } });
}

export function redirect(location: string, headers: Headers = {}): Response {
  return answer(303, "text/plain; charset=utf-8", null, { location, ...headers });
}
