// An address that a person has at hand → where the portal is.

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
