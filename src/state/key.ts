// A portal's address and id → the key of its state: readable, fit for a file name, and another one for every other portal.
import { digestOfText } from "../lib/digest.js";
import { callableAddress } from "../hosts.js";

export interface PortalIdentity {
  /** The root of its interface, as the URL standard writes it and without a slash at the end. */
  readonly url: string;
  readonly id: string;
  readonly key: string;
}

/** Endings such as ".json" are added to it, and most file systems end a name at 255 bytes. */
const LONGEST = 200;

export function identityOf(url: string, id: string): PortalIdentity {
  const address = callableAddress(url, "a portal", "https://HOST/PATH/sharing/rest");
  const path = address.pathname.replace(/\/+$/, "");
  return { url: address.origin + path, id, key: keyOf(address, path, id) };
}

/**
 * gis.example.com-portal-self for https://gis.example.com/portal/sharing/rest and self. A port speaks either http or
 * https, so that host and port tell what the scheme would.
 */
function keyOf({ hostname, port, protocol }: URL, path: string, id: string): string {
  const realPort = port || (protocol === "https:" ? "443" : "80");
  const [, ...folders] = path.replace(/\/sharing\/rest$/, "").split("/");
  const host = encodePart(hostname) + (realPort === "443" ? "" : `_${realPort}`);
  const key = [host, ...folders.map(encodePart), encodePart(id)].join("-");
  if (key.length <= LONGEST) return key;
  // No other key holds two tildes in a row.
  const digest = digestOfText(key);
  return `${key.slice(0, LONGEST - digest.length - 2)}~~${digest}`;
}

/**
 * A dash between parts is one, a dash inside a part is two, and none is first or last there: so the parts can be told
 * apart again. Capitals are encoded, because some file systems take them for small letters.
 */
function encodePart(part: string): string {
  if (part === "") return "~";
  return part
    .replace(/[^a-z0-9.-]|^[-.]|-$/g, (each) => {
      const code = each.charCodeAt(0).toString(16);
      return code.length > 2 ? `~u${code.padStart(4, "0")}` : `~${code.padStart(2, "0")}`;
    })
    .replaceAll("-", "--");
}
