// What a sandbox's answers depend on, and the addresses that it answers at.
import type { Fault, Received } from "./faults.js";
import type { Account, Memory } from "./memory.js";
import type { Switches } from "./options.js";
import type { createTokens } from "./sign-in/token.js";

export interface SandboxContext {
  readonly switches: Switches;
  readonly memory: Memory;
  readonly tokens: ReturnType<typeof createTokens>;
  /** Calls of the sign-in service, by operation and client address. */
  readonly calls: Map<string, { readonly endsAt: number; count: number }>;
  /** The last requests, the oldest first. */
  readonly requests: Received[];
  /** What the next requests meet, in order. */
  readonly faults: Fault[];
  /** From 0 up to 1, the same run of numbers for each seed. */
  readonly random: () => number;
}

/** Where each interface begins, below the sandbox's address. */
export const SIGN_IN_BASE = "/accounts";

/** A hosted organisation has a host of its own; an organisation's portal stands beside other things on its server. */
export function portalBase({ deployment }: Switches): string {
  return deployment === "hosted-online" ? "/sharing/rest" : "/portal/sharing/rest";
}

export const BROWSER_SIGN_IN = "/sign-in";

/** Leads back to an address of the sandbox afterwards. */
export function signInAddress(then: string): string {
  return `${BROWSER_SIGN_IN}?then=${encodeURIComponent(then)}`;
}

export const BROWSER_SIGN_OUT = "/sign-out";
export const HOME = "/home";

export function findByPassword(
  { memory }: SandboxContext,
  username: unknown,
  password: unknown,
): Account | undefined {
  // An account without a password must not be found by a request without one.
  if (typeof username !== "string" || typeof password !== "string") return undefined;
  return memory
    .read()
    .accounts.find((each) => each.username === username && each.password === password);
}

/** The id under which a portal that stands alone knows itself. */
export const SELF_ID = "0123456789ABCDEF";

export function portalIds({ switches }: SandboxContext): readonly string[] {
  const beside = Array.from({ length: switches.portals }, (_, at) => `portal-${at + 1}`);
  return ["self", ...beside];
}

/** The name under which a portal's settings are stored, for any of its ids. */
export function findPortal({ switches }: SandboxContext, id: string): string | undefined {
  if (id === SELF_ID || id === "self") return "self";
  const [, number] = /^portal-([1-9]\d*)$/.exec(id) ?? [];
  return number !== undefined && Number(number) <= switches.portals ? id : undefined;
}

export function portalName(portal: string): string {
  return portal === "self" ? "Sandbox portal" : `Sandbox ${portal}`;
}
