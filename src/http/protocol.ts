// A scheme → Node's own client for it; an address → what that client is told of the place.
import type { OutgoingHttpHeaders } from "node:http";

/** Loaded with the first request, so that what stays off the network does not pay for it. */
export async function clientFor(scheme: string) {
  return scheme === "https:" ? await import("node:https") : await import("node:http");
}

export function placeOf({ hostname, port }: URL): { host: string; port?: string } {
  return { host: hostname.replace(/^\[(.+)\]$/, "$1"), ...(port && { port }) };
}

export function proxyHeaders({ username, password }: URL): OutgoingHttpHeaders {
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
