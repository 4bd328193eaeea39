// Suggests where to keep the state of a new file, and checks the address that a person chooses.
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { readStateLine } from "../../document/check/state-line.js";
import { repositoryOf } from "../../document/read/repository.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { isUsable, openRepository, textOf, type Repository } from "../../lib/git.js";
import { oneLine, shellWord } from "../../lib/text.js";
import type { PipelineKind } from "../../pipelines/pipeline.js";
import { branchIn } from "../../state-address/branch.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";

export const BRANCH = "git:lintel-state";

/** On Azure, a repository of their own: the run of any pull request can push to that of the pipeline. */
export const AZURE_BRANCH = "git:lintel-state@portal-states";

export function branchFor(kind: PipelineKind): string {
  return kind === "azure" ? AZURE_BRANCH : BRANCH;
}

/** The branch where the file's repository can push one; else the folder. `path` is absolute. */
export function usualState(path: string, io: Pick<Io, "env">): string {
  const folder = repositoryOf(path);
  const repository = folder === undefined ? undefined : openRepository(io, folder);
  const isShared = isUsable(repository) && hasRemote(repository);
  return isShared ? BRANCH : DEFAULT_STATE;
}

/** Without a remote, a branch would not be shared. */
function hasRemote({ settings }: Repository): boolean {
  return settings.some(([name]) => /^remote\..+\.url$/s.test(name));
}

/** Why the address does not fit the file at `path`; undefined if it fits. */
export async function whyNoState(text: string, path: string, io: Io): Promise<string | undefined> {
  // The setup of the platform makes this repository.
  if (text === AZURE_BRANCH) return undefined;
  if (!text.includes(":") && !text.includes("$")) {
    return "Write an address such as file:.lintel or git:lintel-state; lintel help state lists them.";
  }
  try {
    readStateLine(text, io);
    await lookForBranch(text, path, io);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message, error.help ?? ""].join("\n").trim();
  }
}

/** Checks a branch as the first plan would. Skips references, whose values are not known yet. */
async function lookForBranch(text: string, path: string, io: Io): Promise<void> {
  const branch = text.includes("${") ? undefined : branchIn(text);
  if (!branch) return;
  const { openBranch } = await import("../../state/git-branch.js");
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await openBranch({ ...branch, shown: text, from: folder, file: basename(path) }, io);
  } catch (error) {
    if (error instanceof Failure && error.code !== "bad-state-address") return;
    throw error;
  }
}

/** The first branch of a remote becomes its default one, so the files must be pushed before a branch for the state. */
export function firstPush(
  state: string,
  path: string,
  files: readonly string[],
  io: Pick<Io, "env">,
): string {
  const branch = branchIn(state);
  const folder = repositoryOf(path);
  const repository = folder === undefined ? undefined : openRepository(io, folder);
  if (!branch || !isUsable(repository)) return "";
  if (textOf(repository.runSync(["for-each-ref", "--count=1", "refs/remotes"])) !== "") return "";
  // The state may have a repository of its own.
  const hasOrigin = textOf(repository.runSync(["remote"]))
    .split("\n")
    .includes("origin");
  const remote = (hasOrigin ? undefined : branch.remote) ?? "origin";
  return `  git add ${files.map((file) => oneLine(shellWord(file))).join(" ")}
  git commit -m "Add the portal"
  git push -u ${remote} HEAD
`;
}

/** Where the state is, for the person who runs the command. */
export function stateText(state: string): string {
  const [, folder] = /^file:(?![/\\]|\.\.|[a-z]:)(.+)$/i.exec(state) ?? [];
  if (folder !== undefined) return `State: the folder ${folder}. Commit it with the file.`;
  const branch = branchIn(state);
  if (!branch) return `State: ${state}.`;
  const { remote } = branch;
  return `State: ${state}, a branch of ${remote ? `the remote ${remote}` : "this repository"}.`;
}
