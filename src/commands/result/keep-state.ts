// What was applied for the first time → what to commit now.
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Io } from "../../io.js";
import type { PortalResult } from "../../plan/result.js";
import type { ReachablePortal } from "../../run/reachable.js";
import { shellWord } from "../../text.js";

export interface ToCommit {
  readonly paths: readonly string[];
  /** Where its state is. */
  readonly folder: string;
}

/** More than these are added with the folders that they lie in. */
const MOST_NAMED = 3;

/** Undefined where there is nothing new to keep, or it lies where no repository would have it. */
export function toCommit(
  { plan }: PortalResult,
  { desired, stateAddress }: ReachablePortal,
): ToCommit | undefined {
  // What does not stand beside the file is not in its repository.
  const [, folder] = /^file:(?![/\\]|\.\.|[a-z]:)(.+)$/i.exec(stateAddress.address) ?? [];
  if (plan?.binding.state !== null || folder === undefined) return undefined;
  return { paths: desired.paths, folder: join(dirname(desired.file), folder) };
}

export function keepingText(first: readonly ToCommit[], io: Io): string {
  const fromHere = (path: string) => (isAbsolute(path) ? relative(io.cwd, path) : path);
  const named = [...new Set(first.flatMap(({ paths }) => paths.map(fromHere)))];
  const files = named.length > MOST_NAMED ? named.map(dirname) : named;
  const words = [...new Set([...files, ...first.map(({ folder }) => folder)])].map(shellWord);
  return `What was applied is remembered beside the file; without it the next run knows nothing of this one.
Commit it with what was applied:
  git add ${words.join(" ")}
`;
}
