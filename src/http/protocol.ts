// A scheme → Node's own client for it; an address → what that client is told of the place.
import type { OutgoingHttpHeaders } from "node:http";
import { withoutBrackets } from "../hosts.js";

/** Loaded with the first request, so that what stays off the network does not pay for it. */
export async function clientFor(scheme: string) {
  return scheme === "https:" ? await import("node:https") : await import("node:http");
}

export function placeOf({ hostname, port }: URL): { host: string; port?: string } {
  return { host: withoutBrackets(hostname), ...(port && { port }) };
}

/** Without a name of its own, Node would look for the one of the request's host in the certificate. */
export function proxyPlaceOf(proxy: URL): ReturnType<typeof placeOf> & { servername: string } {
  const place = placeOf(proxy);
  const isAddress = /^[\d.]+$|:/.test(place.host);
  return { ...place, servername: isAddress ? "" : place.host };
}

export function proxyHeaders({ username, password }: URL): OutgoingHttpHeaders {
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
