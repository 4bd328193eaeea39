// The surroundings of a run → on whose behalf it is, from where, and by which job, for locks and history.
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Io } from "../io.js";
import type { Author } from "./state.js";

/** The names under which pipelines tell these facts; the first that is set counts. */
const ACTORS = [
  "GITLAB_USER_LOGIN",
  "GITHUB_ACTOR",
  "BUILD_REQUESTEDFOREMAIL",
  "BITBUCKET_STEP_TRIGGERER_UUID",
];
const COMMITS = [
  "CI_COMMIT_SHA",
  "GITHUB_SHA",
  "BUILD_SOURCEVERSION",
  "BITBUCKET_COMMIT",
  "GIT_COMMIT",
];
const JOBS = ["CI_JOB_URL", "BUILD_URL"];

/** The commit is the one checked out where `file` stands. */
export function authorOf(io: Io, file: string, account?: string): Author {
  const first = (names: readonly string[]) => names.map((name) => io.env[name]).find(Boolean);
  const commit = first(COMMITS) ?? checkedOut(resolve(io.cwd, dirname(file)));
  const job = githubRun(io) ?? first(JOBS);
  return {
    actor: first(ACTORS) ?? userName(io),
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

function userName({ env }: Io): string {
  const named = env["LOGNAME"] || env["USER"] || env["USERNAME"];
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no user has.
    return "unknown";
  }
}

/** Read from the repository's own files, since git may not be installed where pipelines run. */
function checkedOut(folder: string): string | undefined {
  const git = gitFolder(folder);
  const head = git && read(join(git, "HEAD"));
  if (!git || !head) return undefined;
  const [, branch] = /^ref: (.+)$/.exec(head) ?? [];
  if (branch === undefined) return asCommit(head);
  const common = resolve(git, read(join(git, "commondir")) ?? ".");
  const packed = read(join(common, "packed-refs")) ?? "";
  const line = packed.split("\n").find((each) => each.endsWith(` ${branch}`));
  return asCommit(read(join(common, branch)) ?? line?.split(" ")[0]);
}

/** The folder .git above; where that is a file, as in a worktree, the folder that it names. */
function gitFolder(folder: string): string | undefined {
  const path = join(folder, ".git");
  if (read(join(path, "HEAD")) !== undefined) return path;
  const [, named] = /^gitdir: (.+)$/.exec(read(path) ?? "") ?? [];
  if (named !== undefined) return resolve(folder, named);
  return dirname(folder) === folder ? undefined : gitFolder(dirname(folder));
}

function asCommit(text: string | undefined): string | undefined {
  return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // Not there, a folder, or not for us: then nothing is known of it.
    return undefined;
  }
}
