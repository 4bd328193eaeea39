// Reads the address of a portal or a sign-in service as a person types or pastes it.
import { isSecure } from "../../hosts.js";
import { readPortalAddress } from "../../migrate/location.js";

/** A browser shows addresses without their scheme. A single word such as "none" is not a host. */
export function completed(text: string): string {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text) ? `https://${text}` : text;
}

/** The root of the portal's REST interface. */
export function restOf(text: string): string {
  const plain = withoutPage(text);
  const [interfaceRoot] = /^.*?\/sharing\/rest(?=\/|$)/.exec(plain) ?? [];
  if (interfaceRoot !== undefined) return interfaceRoot;
  const { protocol, host, context } = readPortalAddress(plain) ?? {};
  return context === undefined ? plain : `${protocol}//${host}${context}/sharing/rest`;
}

/** A query, a fragment and a parameter belong to a page of the portal, and may hold a token. */
function withoutPage(text: string): string {
  return completed(text)
    .replace(/[?#;].*$/s, "")
    .replace(/\/+$/, "");
}

/** A host alone may serve several portals, each in a folder of its own. */
export function checkPortalAddress(text: string): string | undefined {
  const address = withoutPage(text);
  const wrong = checkAddress(address);
  if (wrong !== undefined) return wrong;
  const { origin } = new URL(address);
  if (readPortalAddress(address)?.context !== "" || restOf(address) === address) return undefined;
  return `Add the portal's folder, such as ${origin}/portal. Without a folder: ${origin}/sharing/rest`;
}

export function checkAddress(text: string): string | undefined {
  const address = completed(text);
  const isGood =
    /^https?:\/\/[^\s\p{Cc}/?#@;]+(\/[^\s\p{Cc}?#;]*)?$/iu.test(address) &&
    URL.canParse(address) &&
    new URL(address).port !== "0";
  if (!isGood) {
    return "Write an address that begins with https://, without a user name and without a query.";
  }
  return isSecure(new URL(address))
    ? undefined
    : "Write https:// in the address. Lintel sends credentials over http:// only on this machine.";
}
