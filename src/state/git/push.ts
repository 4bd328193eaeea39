// A commit and what the branch must hold until then → whether the remote took it: the one way to write, and the fence.
import type { Failure } from "../../failure.js";
import type { Branch, Tip } from "./branch.js";
import type { Ended } from "../../lib/git.js";
import { isNoEntry, notPushed } from "./refusal.js";
import { refused } from "./refused.js";

export type Pushed =
  | { readonly kind: "taken" }
  /** Somebody else was faster; where it was sent, perhaps this very commit, whose answer git itself did not get. */
  | { readonly kind: "stale"; readonly isSent: boolean; readonly why: Failure }
  | { readonly kind: "refused"; readonly why: Failure }
  /** Whether it arrived can be told by a look alone. */
  | { readonly kind: "lost"; readonly why: Failure };

const PUSH = [
  "push",
  "--porcelain",
  // The hooks of whoever works here are about other branches.
  "--no-verify",
  "--no-follow-tags",
  "--no-recurse-submodules",
  "--no-signed",
];

/** `isDry` asks what the remote would say, as far as it says that before it has seen anything; then it sends nothing. */
export async function push(
  branch: Branch,
  tip: Tip,
  commit: string,
  isDry = false,
): Promise<Pushed> {
  const { remote, git } = branch.workshop;
  const ref = `refs/heads/${branch.name}`;
  const lease = `--force-with-lease=${ref}:${tip.commit ?? ""}`;
  const how = isDry ? [...PUSH, "--dry-run"] : PUSH;
  const ended = await git([...how, lease, remote, `${commit}:${ref}`], { mayConnect: true });
  return judge(branch, ended, ref);
}

function judge(branch: Branch, ended: Ended, ref: string): Pushed {
  const line = ended.stdout
    .toString("utf8")
    .split("\n")
    .map((each) => /^(.)\t[^\t]*:(\S+)\t(.*)$/.exec(each))
    .find((found) => found?.[2] === ref);
  const [, flag, , summary = ""] = line ?? [];
  if (flag !== undefined && flag !== "!") return { kind: "taken" };
  if (isRace(summary) || (flag === undefined && isRace(ended.stderr)))
    return {
      kind: "stale",
      isSent: !summary.startsWith("[rejected]"),
      why: refused(branch, ended, summary),
    };
  if (flag === "!" && /^\[(remote )?rejected\]/.test(summary)) {
    return { kind: "refused", why: refused(branch, ended, summary) };
  }
  // What a server says before it has seen anything of the push is as good as a refusal.
  if (ended.exit !== undefined && isNoEntry(ended.stderr)) {
    return { kind: "refused", why: refused(branch, ended, summary) };
  }
  return { kind: "lost", why: notPushed(branch, ended) };
}

/** Told by git itself, by the lease, or by the server, whose lock another push has. */
function isRace(said: string): boolean {
  return /\(stale info\)|fetch first|non-fast-forward|cannot lock ref|failed to (update|lock) ref|reference already exists|incorrect old value|remote ref updated since checkout/i.test(
    said,
  );
}
