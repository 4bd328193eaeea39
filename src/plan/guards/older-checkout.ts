// Guard: the checkout lacks a commit that was applied to the portal, so the update would undo that apply.
import { keyOf } from "../../catalog/spelling.js";
import { clockOf } from "../../moment.js";
import { formatPath } from "../../settings.js";
import type { DivergentApply } from "../inputs.js";
import type { Finding, GuardRule } from "./all.js";

export const olderCheckout: GuardRule = {
  stops: "an apply that would undo one from a commit which the checkout lacks",
  help: "Update the checkout, and plan again:\n  git pull\nIf the commit is on no shared branch, ask its author to push and merge it. After a squash merge or a rebase, check that the plan undoes nothing, and allow the guard.",
  find: ({ inputs: { divergent: all = [], timeZone }, sent }) =>
    all.flatMap((divergent): Finding[] => {
      const undone = new Set(divergent.paths.map(keyOf));
      const [first, ...more] = sent.filter(({ change }) => undone.has(keyOf(change.path)));
      if (!first) return [];
      const what = `"${formatPath(first.change.path)}"${more.length > 0 ? ` and ${more.length} more` : ""}`;
      const which = divergent.isPending
        ? `An apply of ${what} with an unknown outcome`
        : `The last apply that set ${what}`;
      const time = clockOf(timeZone)(divergent.time);
      const message = `${which}, by ${divergent.by} at ${time}, was made ${originOf(divergent)}.`;
      return [{ path: null, message }];
    }),
};

/** Continues a sentence: "was made …". */
export function originOf({ commit }: Pick<DivergentApply, "commit">): string {
  const short = commit.slice(0, 12);
  return commit.endsWith("-dirty")
    ? `from uncommitted changes on top of commit ${short}`
    : `from commit ${short}, which this checkout does not contain`;
}
