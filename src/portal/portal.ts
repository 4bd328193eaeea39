// Sends requests to a portal, with or without a token. Renews a refused token once.
import type { Http } from "../http/http.js";
import type { JsonObject } from "../lib/json.js";
import { type Request, type Token, readPass, type Resource } from "../request.js";
import { isTokenRefused, understand, understandExactly, type Exchange } from "./answer.js";

export interface Portal {
  /** The root of its interface, such as https://gis.example.com/portal/sharing/rest. */
  readonly url: string;
  readonly id: string;
}

export interface PortalAccess {
  readonly http: Http;
  readonly portal: Portal;
  /** Absent for an anonymous view. */
  readonly token?: Token | undefined;
  /** Reading continues after an interrupt. */
  readonly mustFinish?: true;
}

export async function exchange({ http, token }: PortalAccess, request: Request): Promise<Exchange> {
  const ask = async (sent: Request) => ({ request: sent, answer: await http.call(sent) });
  if (!token) return ask(request);
  const first = await ask(await token(request));
  return isTokenRefused(first) ? ask(await token(request, first.request)) : first;
}

/** All settings that the portal shows, including unlisted ones, exactly as they may be sent back. */
export async function readSettings(access: PortalAccess): Promise<JsonObject> {
  return understandExactly(await read(access, "/portals/<portal_id>/settings"));
}

/** What the portal reports about itself and the signed-in user. */
export async function readSelf(access: PortalAccess): Promise<JsonObject> {
  return understand(await read(access, "/portals/self"));
}

export function read(access: PortalAccess, resource: Resource): Promise<Exchange> {
  const request: Request = {
    url: addressOf(access.portal, resource),
    query: { f: "json" },
    reads: readPass(access.portal.url, resource),
    repeats: "freely",
  };
  return exchange(access, access.mustFinish ? { ...request, mustFinish: true } : request);
}

/** `<portal_id>` in the path stands for the portal's id. */
export function addressOf({ url, id }: Portal, path: string): string {
  return url.replace(/\/+$/, "") + path.replace("<portal_id>", encodeURIComponent(id));
}
