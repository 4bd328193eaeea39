// The root of a repository → its default branch, as the clone was told of it.
import type { Io } from "../../io.js";
import { isUsable, openRepository, textOf } from "../../lib/git.js";

/** Undefined where nobody has told it, as of a repository that began here, or where its name would want quotes. */
export function defaultBranchOf(io: Io, root: string): string | undefined {
  const repository = openRepository(io, root);
  if (!isUsable(repository)) return undefined;
  const told = repository.runSync(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"]);
  return /^refs\/remotes\/origin\/([\w./-]+)$/.exec(textOf(told))?.[1];
}
