// Reads the default branch of a repository from its clone.
import type { Io } from "../../io.js";
import { isUsable, openRepository, textOf } from "../../lib/git.js";

/** Undefined in a repository that was not cloned, or where the name needs quotes. */
export function defaultBranchOf(io: Io, root: string): string | undefined {
  const repository = openRepository(io, root);
  if (!isUsable(repository)) return undefined;
  const told = repository.runSync(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]);
  return /^refs\/remotes\/origin\/([\w./-]+)$/.exec(textOf(told))?.[1];
}
