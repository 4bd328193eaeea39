// Picks the files of a call by the name of their portal (--only), or by share (--shard).
import { checkFile } from "../document/check/check-file.js";
import { nameMatcher } from "../document/find.js";
import { desiredOf } from "../document/read/desired.js";
import { nameFor } from "../document/read/references.js";
import { nodeAt, textOf } from "../document/read/tree.js";
import { didYouMean, hasErrors } from "../diagnostic.js";
import { digestOfText } from "../lib/digest.js";
import { wrongUsage, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { identityOf } from "../state/key.js";
import { someOf } from "../lib/text.js";

export interface Picking {
  /** Patterns of names; all, where none is given. */
  readonly only?: readonly string[];
  /** Such as "2/8". */
  readonly shard?: string | undefined;
}

interface Named {
  readonly file: string;
  readonly name: string;
  readonly key: string;
}

/** Each file is read for that beforehand, and let go. */
export async function pickPortals(
  files: readonly string[],
  { only = [], shard }: Picking,
  io: Io,
): Promise<readonly string[]> {
  const share = shard === undefined ? undefined : shareOf(shard);
  if (only.length === 0 && !share) return files;
  if (files.includes("-")) {
    throw wrongUsage(
      "What is read from standard input is read once, so that nothing can be picked by it.",
      "Name files, or leave --only and --shard out.",
    );
  }
  const named: Named[] = [];
  for (const file of files) named.push(await nameOf(file, io));
  const matchers = await Promise.all(only.map(nameMatcher));
  for (const [at, isMatch] of matchers.entries()) {
    if (!named.some(({ name }) => isMatch(name))) throw noneOf(only[at] ?? "", named);
  }
  return named
    .filter(({ name }) => matchers.length === 0 || matchers.some((isMatch) => isMatch(name)))
    .filter(({ key }) => !share || isInShare(key, share))
    .map(({ file }) => file);
}

/** A file with errors has the name that it may have, so that a pattern can pick it. */
async function nameOf(file: string, io: Io): Promise<Named> {
  const { root, diagnostics } = await checkFile(file, io);
  const name = (root && textOf(nodeAt(root, ["portal", "name"]))) ?? nameFor(file);
  if (!root || hasErrors(diagnostics)) return { file, name, key: file };
  const { url, id } = desiredOf(file, root).portal;
  return { file, name, key: url === undefined ? file : identityOf(url, id).key };
}

interface Share {
  readonly at: number;
  readonly of: number;
}

function shareOf(text: string): Share {
  const [, at, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (at !== undefined && of !== undefined && at >= 1 && at <= of) return { at, of };
  throw wrongUsage(
    `Invalid value "${text}" for "--shard".`,
    "Write which share it is, and how many there are, such as:\n  --shard 2/8",
  );
}

/** By the portal alone: whatever else is named, and on whatever machine, it is in one share, and in the same. */
function isInShare(key: string, { at, of }: Share): boolean {
  const digits = 12;
  return Number.parseInt(digestOfText(key).slice(0, digits), 16) % of === at - 1;
}

function noneOf(glob: string, named: readonly Named[]): Failure {
  const names = named.map(({ name }) => name);
  return wrongUsage(
    `No portal is called "${glob}".`,
    didYouMean(glob, names) ?? `They are called ${someOf(names, "portal", 10)}.`,
  );
}
