// A request to the sandbox taken apart, and the answers that only a sandbox gives.
import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../lib/local-server.js";

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The address that the request came from. */
  readonly address: string;
}

export function answerJson(status: number, body: unknown, indent?: number): Answer {
  const text = JSON.stringify(body, undefined, indent);
  return { status, type: "application/json; charset=utf-8", body: text };
}

export function redirect(location: string, headers: Answer["headers"] = {}): Answer {
  return {
    status: 302,
    type: "text/plain; charset=utf-8",
    body: "",
    headers: { ...headers, location },
  };
}

/** The media type alone, without its parameters. */
export function mediaType(incoming: Incoming): string {
  return (incoming.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function bearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
}
