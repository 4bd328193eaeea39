// Reads the address of a branch for states: git:BRANCH or git:BRANCH@REMOTE.
import { isWrong, wrongOf, type KindOfPlace, type Wrong } from "./kind.js";

/** Git signs in with its own credentials, at remotes that the repository's own configuration names. */
export const branches = {
  schemes: ["git"],
  example: "git:lintel-state",
  noun: "branches of git",
  reason: "a team: a separate branch of this repository; main can be protected",
  pattern: String.raw`git:(?![-/.@])([^\s~^:?*@[\\$]|\$\{[^}]*\})+(@\w[\w./-]*)?$`,
  wrongIn: (address) => wrongOf(branchAt(address)),
} as const satisfies KindOfPlace;

export interface BranchAddress {
  readonly name: string;
  /** Undefined for the usual one. */
  readonly remote: string | undefined;
}

export function branchAt(address: string): BranchAddress | Wrong {
  const [, name = "", remote] = /^git:([^@]*)(?:@(.*))?$/is.exec(address) ?? [];
  if (name === "") return wrong("names no branch");
  if (name.startsWith("refs/")) return wrong("names a ref, where the name of a branch belongs");
  if (/^\/\/|:/.test(name)) {
    return wrong(
      "names a repository, and the state stands on a branch of the one that holds the file",
    );
  }
  const odd = /\.\.|\/\/|\/\.|^[-/.]|[/.]$|\.lock(?=\/|$)|[\p{Cc} ~^:?*[\\]/u.exec(name);
  if (odd)
    return wrong(`names no branch that git would take, because of its ${JSON.stringify(odd[0])}`);
  if (name === "HEAD") return wrong('names "HEAD", which git takes for what is checked out');
  if (remote !== undefined && !/^\w[\w./-]*$/.test(remote)) {
    return wrong('has no name of a remote behind the "@"');
  }
  return { name, remote };
}

/** Undefined for an address of another kind, and for a wrong one. */
export function branchIn(address: string): BranchAddress | undefined {
  const branch = branchAt(address);
  return isWrong(branch) ? undefined : branch;
}

function wrong(why: string): Wrong {
  return {
    why,
    help: "Write the branch's name alone, and behind an @ the name of the remote where it is not the usual one:\n  state: git:lintel-state\n  state: git:lintel-state@upstream",
  };
}
