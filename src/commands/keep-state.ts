// What became of an apply → what to commit now, where something was applied for the first time.
import { dirname, join } from "node:path";
import { stateAddressOf } from "../document/desired.js";
import type { Member } from "../fleet.js";
import type { Io } from "../io.js";
import type { PortalResult } from "../plan/result.js";
import type { Prospect } from "../reconcile.js";
import { shellWord } from "../shell.js";
import { DEFAULT_STATE } from "../state/open.js";

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
    return folder === undefined ? [] : [{ file: desired.file, folder }];
  });
  if (first.length === 0) return undefined;
  const folders = first.map(({ file, folder }) => join(dirname(file), folder));
  const files = first.map(({ file }) => (first.length > MOST_NAMED ? dirname(file) : file));
  const words = [...new Set([...files, ...folders])].map(shellWord);
  return [
    "What was applied is remembered beside the file; without it the next run knows nothing of this one.",
    `Commit both:\n  git add ${words.join(" ")}\n`,
  ].join("\n");
}
