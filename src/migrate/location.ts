// The portal's address → what a script in its pages is told of where it is; nothing that only one page knows.
import { plain, unknown, type Value, type Why } from "./value.js";

export interface PortalAddress {
  /** With its colon. */
  readonly protocol: string;
  readonly host: string;
  /** "" where the portal stands at the root of its host, else such as "/portal". */
  readonly context: string;
}

/** The portal itself, whichever of its addresses a person has at hand; undefined for what is no web address. */
export function readPortalAddress(text: string): PortalAddress | undefined {
  if (!/^https?:\/\/[^\s/?#@]/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username } = new URL(text);
  if (search || hash || username) return undefined;
  const context = pathname
    .replace(/\/+$/, "")
    .replace(/\/(?:sharing(?:\/rest)?|home(?:\/.*)?|portaladmin)$/, "");
  return { protocol, host, context };
}

/** Without an address, the protocol is taken to be https, and everything else stays unknown. */
export function locationPart(name: string, portal: PortalAddress | undefined, here: Why): Value {
  if (name === "protocol") return plain(portal?.protocol ?? "https:", portal === undefined);
  const page: Why = { ...here, reason: "page" };
  if (name === "search" || name === "hash") return unknown(page);
  if (!PARTS.has(name)) return unknown({ ...here, reason: "browser" });
  if (!portal) return unknown({ ...here, reason: "host" });
  const { protocol, host, context } = portal;
  const { hostname, port } = new URL(`${protocol}//${host}`);
  switch (name) {
    case "host":
      return plain(host);
    case "hostname":
      return plain(hostname);
    case "port":
      return plain(port);
    case "origin":
      return plain(`${protocol}//${host}`);
    case "pathname":
      return { kind: "open-text", text: `${context}/home/`, why: page };
    default:
      return { kind: "open-text", text: `${protocol}//${host}${context}/home/`, why: page };
  }
}

const PARTS = new Set(["host", "hostname", "port", "origin", "pathname", "href"]);
