// Finds the author of a change: user, host, commit and job, for locks and the history.
import { systemUser, type Io } from "../../io.js";
import type { Author } from "../state.js";
import { commitOf, committerOf } from "./checkout.js";

/** Variables of pipelines, in order of precedence. */
const ACTORS = ["GITLAB_USER_LOGIN", "GITHUB_ACTOR", "BUILD_REQUESTEDFOREMAIL"];
const COMMITS = ["CI_COMMIT_SHA", "GITHUB_SHA", "BUILD_SOURCEVERSION", "GIT_COMMIT"];
const JOBS = ["CI_JOB_URL", "BUILD_URL"];

/** The author for a file and its bases, whose changes count too. Git runs while the account is looked up. */
export async function authorOf(
  io: Io,
  files: readonly string[],
  asked?: string | Promise<string | undefined>,
): Promise<Author> {
  const first = (names: readonly string[]) => names.map((name) => io.env[name]).find(Boolean);
  // The name in their commits, because in a container or on a shared machine every user may be "root".
  const name = first(ACTORS) ?? committerOf(io, files);
  const [checkedOut, account] = await Promise.all([commitOf(io, files), asked]);
  // Git knows whether the files have uncommitted changes. A pipeline without git still knows the commit.
  const commit = checkedOut ?? first(COMMITS);
  const job = githubRun(io) ?? first(JOBS);
  return {
    actor: name ?? systemUser(io) ?? "unknown",
    ...(account !== undefined && { account }),
    host: io.machine.host,
    ...(commit !== undefined && { commit }),
    ...(job !== undefined && { job }),
  };
}

function githubRun({ env }: Io): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env;
  return server && repository && id ? `${server}/${repository}/actions/runs/${id}` : undefined;
}
