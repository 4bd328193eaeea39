// The root of a repository → its default branch, as the clone was told of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../../file.js";

/** Undefined where nobody has told it, as of a repository that began here, or where its name would want quotes. */
export function defaultBranchOf(root: string): string | undefined {
  try {
    const told = readFileSync(join(root, ".git/refs/remotes/origin/HEAD"), "utf8");
    return /^ref: refs\/remotes\/origin\/([\w./-]+)\n?$/.exec(told)?.[1];
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}
