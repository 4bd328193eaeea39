// Finds the files that extend a base.
import { dirname, relative, resolve } from "node:path";
import type { Checked } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { findFiles } from "../document/find.js";
import { placeOf } from "../document/read/source.js";
import { nodeAt } from "../document/read/tree.js";
import { repositoryOf } from "../document/read/repository.js";
import type { Io } from "../io.js";
import { readFile } from "../lib/files.js";
import { realPathOf } from "../lib/paths.js";
import type { Path } from "../settings.js";

/** All files that may extend a base: the files of its repository, and those beside the files named. */
async function filesAround(files: readonly string[], io: Io): Promise<readonly string[]> {
  const paths = files.map((file) => resolve(io.cwd, file));
  const folders = paths.map((path) => repositoryOf(path) ?? dirname(path));
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    // One that holds nothing but parts has none.
    found.push(...(await findFiles([relative(io.cwd, folder) || "."], io.cwd).catch(() => [])));
  }
  return [...new Set(found)].filter((file) => mayExtend(resolve(io.cwd, file)));
}

/** Those of them that are not named, checked. */
async function othersAround(
  bases: readonly string[],
  named: readonly string[],
  io: Io,
): Promise<Checked[]> {
  const known = new Set(named.map((file) => realPathIn(file, io)));
  const others: Checked[] = [];
  for (const file of await filesAround([...bases, ...named], io)) {
    if (!known.has(realPathIn(file, io))) others.push(await checkFile(file, io));
  }
  return others;
}

/** Those of them that take a key from one base. */
export async function othersTaking(
  key: Path,
  { base, named }: { readonly base: string; readonly named: readonly string[] },
  io: Io,
): Promise<string[]> {
  const home = realPathIn(base, io);
  const others = await othersAround([base], named, io);
  return others
    .filter((each) => homesOf(each, key).some((file) => realPathIn(file, io) === home))
    .map(({ file }) => file);
}

/** The file that sets a key. Where a base cannot be read, it may be each file of the chain. */
export function homesOf({ root, paths }: Checked, key: Path): readonly string[] {
  if (!root) return paths;
  const node = nodeAt(root, key);
  return node ? [placeOf(node.span).file] : [];
}

const LARGEST = 1024 * 1024;

function mayExtend(path: string): boolean {
  try {
    return readFile(path, { largest: LARGEST, links: "followed" }).includes("extends");
  } catch {
    return false;
  }
}

export function realPathIn(file: string, { cwd }: Io): string {
  const path = resolve(cwd, file);
  return realPathOf(path) ?? path;
}
