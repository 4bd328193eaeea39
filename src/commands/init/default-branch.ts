// Reads the default branch of a repository from its clone.
import { wrongUsage } from "../../failure.js";
import type { Io } from "../../io.js";
import { defaultBranchOfEvent } from "../../lib/pipeline-branch.js";
import { isUsable, openRepository, textOf } from "../../lib/git.js";

const NAME = "([\\w./-]+)$";

/** A platform says it in a job; a clone knows it of "origin". Before the first fetch it is the branch of this checkout. */
export function defaultBranchOf(io: Io, root: string): string {
  const said = io.env["CI_DEFAULT_BRANCH"] || defaultBranchOfEvent(io.env);
  const repository = openRepository(io, root);
  if (said || !isUsable(repository)) return said || "main";
  const read = (...words: readonly string[]) => textOf(repository.runSync(words));
  const head = read("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD");
  const [, known] = new RegExp(`^refs/remotes/origin/${NAME}`).exec(head) ?? [];
  if (known !== undefined) return known;
  const isFetched = read("for-each-ref", "--count=1", "refs/remotes/origin") !== "";
  const [, own] =
    new RegExp(`^refs/heads/${NAME}`).exec(read("symbolic-ref", "--quiet", "HEAD")) ?? [];
  if (!isFetched && own !== undefined) return own;
  throw wrongUsage(
    "This clone does not know the default branch of origin.",
    'Ask origin for it (its name may have letters, digits, ".", "_", "/" and "-"):\n  git remote set-head origin --auto',
  );
}
