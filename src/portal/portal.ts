// A portal and perhaps a token → the exchanges with it. A token that the portal refuses is renewed once.
import type { Http } from "../http/http.js";
import type { JsonObject } from "../json.js";
import { type Request, type Token, readPass, type Resource } from "../request.js";
import { isTokenRefused, understand, type Exchange } from "./answer.js";

export interface Portal {
  /** The root of its interface, such as https://gis.example.com/portal/sharing/rest. */
  readonly url: string;
  readonly id: string;
}

export interface PortalAccess {
  readonly http: Http;
  readonly portal: Portal;
  /** Absent for the view that anybody has. */
  readonly token?: Token | undefined;
  /** What is read goes on after an interrupt. */
  readonly mustFinish?: true;
}

export async function exchange({ http, token }: PortalAccess, request: Request): Promise<Exchange> {
  const ask = async (sent: Request) => ({ request: sent, answer: await http.call(sent) });
  if (!token) return ask(request);
  const first = await ask(await token(request));
  return isTokenRefused(first) ? ask(await token(request, first.request)) : first;
}

export async function readJson(access: PortalAccess, resource: Resource): Promise<JsonObject> {
  return understand(await read(access, resource));
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

/** The path may name the portal by `<portal_id>`. */
export function addressOf({ url, id }: Portal, path: string): string {
  return url.replace(/\/+$/, "") + path.replace("<portal_id>", encodeURIComponent(id));
}
