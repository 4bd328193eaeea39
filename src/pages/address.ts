// An address as somebody typed it → one that a link may lead to, or nothing where following it could run a script.

const SAFE = ["http:", "https:", "mailto:"];

/** undefined for javascript:, data: and all else that is no address of the web or of mail; show those as text. */
export function safeHref(address: unknown): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  // Only the parsed form is safe to judge: browsers drop tabs and line ends, and "java\nscript:" runs.
  const { protocol, href } = new URL(address);
  return SAFE.includes(protocol) ? href : undefined;
}

export function mailHref(email: unknown): string | undefined {
  if (typeof email !== "string" || !/^[^\s@]+@[^\s@]+$/.test(email)) return undefined;
  // Half of a letter has no code that an address could carry.
  if (/[\ud800-\udfff]/u.test(email)) return undefined;
  // Encoded, for a "?" would begin headers that fill in the message.
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
