// Selects files by the names of their portals (--only).
import { checkFile } from "../document/check/check-file.js";
import { nameMatcher } from "../document/find.js";
import { nameFor } from "../document/read/references.js";
import { nodeAt, textOf } from "../document/read/tree.js";
import { didYouMean } from "../diagnostic.js";
import { wrongUsage, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { someOf } from "../lib/text.js";

interface Named {
  readonly file: string;
  /** Undefined for a missing file, which reading it reports. */
  readonly name: string | undefined;
}

/** All files if there is no pattern. */
export async function pickPortals(
  files: readonly string[],
  only: readonly string[],
  io: Io,
): Promise<readonly string[]> {
  if (only.length === 0) return files;
  if (files.includes("-")) {
    throw wrongUsage(
      "What is read from standard input is read once, so that nothing can be picked by it.",
      "Name files, or leave --only out.",
    );
  }
  const named: Named[] = [];
  for (const file of files) named.push({ file, name: await nameOf(file, io) });
  const names = named.flatMap(({ name }) => name ?? []);
  const matchers = await Promise.all(only.map(nameMatcher));
  for (const [at, isMatch] of matchers.entries()) {
    if (names.length > 0 && !names.some(isMatch)) throw noneOf(only[at] ?? "", names);
  }
  return named
    .filter(({ name }) => name === undefined || matchers.some((isMatch) => isMatch(name)))
    .map(({ file }) => file);
}

/** For a file with errors, its likely name, so that a pattern can select it. */
async function nameOf(file: string, io: Io): Promise<string | undefined> {
  const { root, diagnostics } = await checkFile(file, io);
  if (diagnostics.some(({ code, file: of }) => code === "file-not-found" && of === file)) {
    return undefined;
  }
  return (root && textOf(nodeAt(root, ["portal", "name"]))) ?? nameFor(file);
}

export function noneOf(glob: string, names: readonly string[]): Failure {
  return wrongUsage(
    `No portal is called "${glob}".`,
    didYouMean(glob, names) ?? `They are called ${someOf(names, "portal", 10)}.`,
  );
}
