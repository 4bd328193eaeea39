// Computes the key of a portal's state from its address and id: readable, unique, and usable as a file name.
import { digestOfText } from "../lib/digest.js";
import { callableAddress } from "../hosts.js";

export interface PortalIdentity {
  /** The root of its interface, as a normalised URL without a slash at the end. */
  readonly url: string;
  readonly id: string;
  readonly key: string;
}

/** Extensions such as ".json" are added, and most file systems limit names to 255 bytes. */
const LONGEST = 200;

export function identityOf(url: string, id: string): PortalIdentity {
  const address = callableAddress(url, "a portal", "https://HOST/PATH/sharing/rest");
  const path = address.pathname.replace(/\/+$/, "");
  return { url: address.origin + path, id, key: keyOf(address, path, id) };
}

/**
 * Returns gis.example.com-portal-self for https://gis.example.com/portal/sharing/rest and self. A port uses either http
 * or https, so host and port identify the scheme.
 */
function keyOf({ hostname, port, protocol }: URL, path: string, id: string): string {
  const realPort = port || (protocol === "https:" ? "443" : "80");
  const [, ...folders] = path.replace(/\/sharing\/rest$/, "").split("/");
  const host = encodePart(hostname) + (realPort === "443" ? "" : `_${realPort}`);
  const key = [host, ...folders.map(encodePart), encodePart(id)].join("-");
  if (key.length <= LONGEST) return key;
  // No other key contains two tildes in a row.
  const digest = digestOfText(key);
  return `${key.slice(0, LONGEST - digest.length - 2)}~~${digest}`;
}

/**
 * A dash separates parts, a dash inside a part is doubled, and a part neither begins nor ends with one. So the parts
 * are unambiguous. Capital letters are encoded, because some file systems ignore case.
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
