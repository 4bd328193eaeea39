// What the sandbox's rooms hand each other: a request taken apart, and an answer that is still plain data.
import type { IncomingHttpHeaders } from "node:http";
import type { Page } from "../../pages/page.js";

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The address that the request came from. */
  readonly address: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function answerText(status: number, body: string): Reply {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

export function answerJson(status: number, body: unknown, indent?: number): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(body, undefined, indent),
  };
}

export function answerPage(status: number, page: Page): Reply {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.contentSecurityPolicy,
    },
    body: page.text,
  };
}

export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 302, headers: { ...headers, location }, body: "" };
}

/** The media type alone, without its parameters. */
export function mediaType(incoming: Incoming): string {
  return (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function bearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
}

// Without credentials: the cookie of a person who is signed in here must not serve a page from elsewhere.
const ANYBODY = { "access-control-allow-origin": "*" };

/** The answer to the question that a browser asks before the request itself. */
export function answerPreflight(): Reply {
  return {
    status: 204,
    headers: {
      ...ANYBODY,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      // A star would not cover the first of them.
      "access-control-allow-headers":
        "authorization, x-esri-authorization, content-type, x-requested-with",
      "access-control-max-age": "600",
    },
    body: "",
  };
}

export function openToPages(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, ...ANYBODY } };
}
