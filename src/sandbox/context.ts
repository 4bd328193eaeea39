// Everything a sandbox's answers depend on, handed to each of them as one value.
import type { CallCounter } from "./sign-in/call-counter.js";
import type { Switches, TokenShape } from "./options.js";
import type { Account, Memory } from "./memory.js";
import type { Tokens } from "./sign-in/token.js";

export interface SandboxContext {
  readonly switches: Switches;
  readonly memory: Memory;
  readonly tokens: Tokens;
  readonly calls: CallCounter;
  readonly now: () => number;
  /** How the sign-in service writes the token that it answers with. */
  readonly tokenShape: () => TokenShape;
}

/** Where each interface begins, below the sandbox's address. */
export const SIGN_IN_BASE = "/accounts";

/** A hosted organisation has a host of its own; an organisation's portal stands beside other things on its server. */
export function portalBase({ deployment }: Switches): string {
  return deployment === "hosted-online" ? "/sharing/rest" : "/portal/sharing/rest";
}
export const BROWSER_SIGN_IN = "/sign-in";
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
