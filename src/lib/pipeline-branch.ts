// Tests whether a pipeline's job runs on the default branch of its repository.
import { readFileSync } from "node:fs";
import type { Io } from "../io.js";

/** False if the platform does not provide it, such as Azure. */
export function isOnDefaultBranch(env: Io["env"]): boolean {
  const { CI_COMMIT_BRANCH, CI_DEFAULT_BRANCH, BRANCH_IS_PRIMARY, GITHUB_REF } = env;
  if (CI_COMMIT_BRANCH) return CI_COMMIT_BRANCH === CI_DEFAULT_BRANCH;
  if (BRANCH_IS_PRIMARY) return BRANCH_IS_PRIMARY === "true";
  const branch = GITHUB_REF && defaultBranchOfEvent(env);
  return branch !== undefined && GITHUB_REF === `refs/heads/${branch}`;
}

/** GitHub, Gitea and Forgejo describe the repository in the file of the event. */
export function defaultBranchOfEvent(env: Io["env"]): string | undefined {
  try {
    const event: unknown = JSON.parse(readFileSync(env["GITHUB_EVENT_PATH"] ?? "", "utf8"));
    return (event as { repository?: { default_branch?: string } }).repository?.default_branch;
  } catch {
    return undefined;
  }
}
