// Separates the arguments of lintel state: files, addresses and settings.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { wrongUsage } from "../../failure.js";
import { stateKindOf } from "../../state-address/kinds.js";

export interface Named {
  readonly files: readonly string[];
  readonly addresses: readonly string[];
}

export function addressesAmong(words: readonly string[]): Named {
  const isAddress = (word: string) => stateKindOf(word) !== undefined;
  return {
    files: words.filter((word) => !isAddress(word)),
    addresses: words.filter(isAddress),
  };
}

/** What stands there, what looks like a file, and patterns are files; the first word that is none begins the settings. */
export function settingsAmong(words: readonly string[], cwd: string) {
  const isFile = (word: string) =>
    word === "-" || /[/*?]|\.ya?ml$/i.test(word) || existsSync(resolve(cwd, word));
  const first = words.findIndex((word) => !isFile(word));
  const [files, paths] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  // A setting where a file is expected is a slip that is easy to make.
  const [path] = paths;
  if (path === undefined || files.length > 0) return { files, paths };
  throw wrongUsage(
    `There is no file "${path}".`,
    "Name the files before the settings:\n  lintel state rm portal.yaml informationalBanner",
  );
}
