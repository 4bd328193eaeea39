// Reads where a portal is from any of its web addresses.

export interface PortalAddress {
  /** With its colon. */
  readonly protocol: string;
  readonly host: string;
  /** "" where the portal stands at the root of its host, else such as "/portal". */
  readonly context: string;
}

/** Undefined for a text that is not a web address. */
export function readPortalAddress(text: string): PortalAddress | undefined {
  if (!/^https?:\/\/[^\s/?#@]/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username } = new URL(text);
  if (search || hash || username) return undefined;
  const context = pathname
    .replace(/\/+$/, "")
    .replace(/\/(?:sharing(?:\/rest)?|home(?:\/.*)?|portaladmin)$/, "");
  return { protocol, host, context };
}
