// git:BRANCH or git:BRANCH@REMOTE → a branch, and the name of its remote.
import type { KindOfPlace } from "./kind.js";

/** Git signs in with its own credentials, at remotes that the repository's own configuration names. */
export const branches = {
  schemes: ["git"],
  example: "git:lintel-state",
  noun: "branches of git",
  reason: "a branch of its own in this repository; main may be protected",
  pattern: String.raw`git:(?![-/.@])([^\s~^:?*@[\\$]|\$\{[^}]*\})+(@\w[\w./-]*)?$`,
} as const satisfies KindOfPlace;

export interface BranchAddress {
  readonly name: string;
  /** Undefined for the usual one. */
  readonly remote: string | undefined;
}

/** Undefined where it names none that git would take. */
export function branchAt(address: string): BranchAddress | undefined {
  const [, name = "", remote] = /^git:([^@]*)(?:@(.*))?$/is.exec(address) ?? [];
  const isName =
    /^(?![-/.]|refs\/)[^\p{Cc} ~^:?*[\\@]+$/u.test(name) &&
    !/\.\.|\/\/|\/\.|[/.]$|\.lock(\/|$)/.test(name);
  const isRemote = remote === undefined || /^\w[\w./-]*$/.test(remote);
  return isName && isRemote ? { name, remote } : undefined;
}
