// What the sandbox's rooms hand each other: a request taken apart, and an answer that is still plain data.
import type { IncomingHttpHeaders } from "node:http";
import type { Page } from "../../lib/html-document.js";

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

export function answer(status: number, type: string, body: string, headers = {}): Reply {
  return { status, headers: { "content-type": `${type}; charset=utf-8`, ...headers }, body };
}

export function answerText(status: number, body: string): Reply {
  return answer(status, "text/plain", body);
}

export function answerJson(status: number, body: unknown, indent?: number): Reply {
  return answer(status, "application/json", JSON.stringify(body, undefined, indent));
}

export function answerPage(status: number, { text, contentSecurityPolicy }: Page): Reply {
  return answer(status, "text/html", text, { "content-security-policy": contentSecurityPolicy });
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

/** The answer to the question that a browser asks before the request itself. */
export const PREFLIGHT: Reply = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    // A star would not cover the first of them.
    "access-control-allow-headers":
      "authorization, x-esri-authorization, content-type, x-requested-with",
    "access-control-max-age": "600",
  },
  body: "",
};

// Without credentials: the cookie of a person who is signed in here must not serve a page from elsewhere.
export function openToPages(answer: Reply): Reply {
  return { ...answer, headers: { ...answer.headers, "access-control-allow-origin": "*" } };
}
