// What became of an apply → what to commit now, where something was applied for the first time.
import { dirname, isAbsolute, join, relative } from "node:path";
import { stateAddressOf } from "../../document/read/desired.js";
import type { Member } from "../../run/fleet.js";
import type { Io } from "../../io.js";
import type { PortalResult } from "../../plan/result.js";
import type { Prospect } from "../../run/portal.js";
import { shellWord } from "../../text.js";
import { DEFAULT_STATE } from "../../state/open.js";

/** More than these are added with the folders that they lie in. */
const MOST_NAMED = 3;

/** Undefined where there is nothing new to keep, or it lies where no repository would have it. */
export function keepingText(
  results: readonly PortalResult[],
  prospects: readonly Member<Prospect>[],
  io: Io,
): string | undefined {
  const first = results.flatMap(({ status, plan }, at) => {
    const prospect = prospects[at]?.value;
    if (status !== "applied" || plan?.binding.state !== null || !prospect) return [];
    const { desired, identity } = prospect;
    const address = stateAddressOf(desired, io, identity.key)?.address ?? DEFAULT_STATE;
    // What does not stand beside the file is not in its repository.
    const [, folder] = /^file:(?![/\\]|\.\.|[a-z]:)(.+)$/i.exec(address) ?? [];
    return folder === undefined ? [] : [{ file: desired.file, paths: desired.paths, folder }];
  });
  if (first.length === 0) return undefined;
  const folders = first.map(({ file, folder }) => join(dirname(file), folder));
  const named = [...new Set(first.flatMap(({ paths }) => paths.map((path) => fromHere(path, io))))];
  const files = named.length > MOST_NAMED ? named.map(dirname) : named;
  const words = [...new Set([...files, ...folders])].map(shellWord);
  return [
    "What was applied is remembered beside the file; without it the next run knows nothing of this one.",
    `Commit it with what was applied:\n  git add ${words.join(" ")}\n`,
  ].join("\n");
}

function fromHere(path: string, { cwd }: Io): string {
  return isAbsolute(path) ? relative(cwd, path) : path;
}
