// Where a file lies → where its state might live: the places there are, each with a reason, and the one to begin with.
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { readStateLine } from "../../document/check/state-line.js";
import { repositoryOf } from "../../document/read/repository.js";
import { hasRemote } from "../../document/read/tracked.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { inColumns } from "../../report/text/layout.js";
import type { Paint } from "../../report/text/paint.js";
import { branchAt } from "../../state-address/branch.js";
import { isWrong } from "../../state-address/kind.js";
import { DEFAULT_STATE, STATE_REASONS, stateKindOf } from "../../state-address/kinds.js";

export const BRANCH = "git:lintel-state";

/** The branch where the file's repository can push one; else the folder. `path` is absolute. */
export function usualState(path: string): string {
  const repository = repositoryOf(path);
  return repository !== undefined && hasRemote(repository) ? BRANCH : DEFAULT_STATE;
}

/** The usual one first. */
export function statePlacesText(usual: string, paint: Paint): string {
  const rows = STATE_REASONS.toSorted(
    ([one], [other]) => Number(other === usual) - Number(one === usual),
  );
  // Whole addresses of servers would leave the reasons no room; whoever writes half of one is shown them.
  const lines = rows.map(
    ([example, reason]) => [`  ${example.replace(/(?<=:\/\/).*/, "…")}`, reason] as const,
  );
  return `${inColumns(lines, paint).join("\n")}\n`;
}

/** What is wrong with the address for the file at `path`, if anything is. */
export async function whyNoState(text: string, path: string, io: Io): Promise<string | undefined> {
  try {
    readStateLine(text, io);
    await lookForBranch(text, path, io);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message, error.help ?? ""].join("\n").trim();
  }
}

/** As the first plan would. What a reference stands for is not known yet, and git itself may come later. */
async function lookForBranch(text: string, path: string, io: Io): Promise<void> {
  const branch = text.includes("${") ? undefined : branchAt(text);
  if (stateKindOf(text) !== "git" || !branch || isWrong(branch)) return;
  const { findRepository } = await import("../../state/git/repository.js");
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await findRepository(folder, { ...branch, file: basename(path) }, io);
  } catch (error) {
    if (error instanceof Failure && error.code !== "bad-state-address") return;
    throw error;
  }
}

/** What becomes of what was applied, and what a person has to do for that. */
export function keptText(state: string): string {
  const kind: string | undefined = stateKindOf(state);
  const [, folder] = /^file:(?![/\\]|\.\.|[a-z]:)(.+)$/i.exec(state) ?? [];
  if (folder !== undefined)
    return `What was applied is remembered in the folder ${folder} beside the file, to be committed with it.`;
  const reason = kind === "git" ? ", a branch of its own in this repository" : "";
  return `What was applied is remembered at ${state}${reason}.`;
}
