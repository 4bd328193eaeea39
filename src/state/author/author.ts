// The surroundings of a run → on whose behalf it is, from where, which commit and which job, for locks and history.
import { systemUser, type Io } from "../../io.js";
import type { Author } from "../state.js";
import { commitOf, committerOf } from "./checkout.js";

/** The names under which pipelines tell these facts; the first that is set counts. */
const ACTORS = ["GITLAB_USER_LOGIN", "GITHUB_ACTOR", "BUILD_REQUESTEDFOREMAIL"];
const COMMITS = ["CI_COMMIT_SHA", "GITHUB_SHA", "BUILD_SOURCEVERSION", "GIT_COMMIT"];
const JOBS = ["CI_JOB_URL", "BUILD_URL"];

/** Of a file and those that it takes part of itself from, whose changes count as its own; git looks while the account is told. */
export async function authorOf(
  io: Io,
  files: readonly string[],
  asked?: string | Promise<string | undefined>,
): Promise<Author> {
  const first = (names: readonly string[]) => names.map((name) => io.env[name]).find(Boolean);
  // As their commits are called: in a container, or on a machine for all, everybody may be "root".
  const name = first(ACTORS) ?? committerOf(io, files);
  const [checkedOut, account] = await Promise.all([commitOf(io, files), asked]);
  // Git knows whether the files are as they were committed; a pipeline without it still knows the commit.
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
