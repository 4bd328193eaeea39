// An address as somebody types it → that of a portal's REST interface, or what is wrong with it.
import { readPortalAddress } from "../../migrate/location.js";

/** Nobody types the whole of it, and what a browser shows of a portal ends otherwise. */
export function restOf(address: string): string {
  const plain = address.replace(/\/+$/, "");
  const [interfaceRoot] = /^.*?\/sharing\/rest(?=\/|$)/.exec(plain) ?? [];
  if (interfaceRoot !== undefined) return interfaceRoot;
  const { protocol, host, context } = readPortalAddress(plain) ?? {};
  return context === undefined ? plain : `${protocol}//${host}${context}/sharing/rest`;
}

/** A host alone may serve several portals, each in a folder of its own. */
export function checkPortalAddress(text: string): string | undefined {
  const wrong = checkAddress(text);
  if (wrong !== undefined) return wrong;
  const { origin } = new URL(text);
  const portal = readPortalAddress(text);
  if (portal?.context !== "" || restOf(text) === text.replace(/\/+$/, "")) return undefined;
  return `The folder of the portal on its server is missing; a browser shows it before "/home". Write, for example:\n  ${origin}/portal\nWhere the portal has no folder, write the whole address:\n  ${origin}/sharing/rest`;
}

export function checkAddress(text: string): string | undefined {
  const isGood = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) && URL.canParse(text);
  return isGood
    ? undefined
    : "Write the whole address, beginning with https://, without a user name and without a query.";
}
