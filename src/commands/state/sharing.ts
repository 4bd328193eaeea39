// Files whose states were moved × the base that says where they are → the other files that take that line from it.
import { dirname, relative, resolve } from "node:path";
import { checkFile } from "../../document/check/check-file.js";
import { findFiles } from "../../document/find.js";
import { placeOf } from "../../document/read/source.js";
import { nodeAt } from "../../document/read/tree.js";
import { readFile } from "../../lib/files.js";
import type { Io } from "../../io.js";

/** Below the folders of the base and of the files; of a tree that holds more, the first. */
const MOST_READ = 2000;
const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

export async function alsoSaidBy(
  base: string,
  moved: readonly string[],
  io: Io,
): Promise<readonly string[]> {
  const folders = [base, ...moved].map((file) => relative(io.cwd, dirname(resolve(io.cwd, file))));
  const found = new Set<string>();
  for (const folder of new Set(folders.map((path) => path || "."))) {
    // One without such files, or with far too many, has none that this call knows of.
    for (const file of await findFiles([folder], io.cwd).catch(() => [])) found.add(file);
  }
  const own = new Set(moved.map((file) => resolve(io.cwd, file)));
  const others = [...found].filter((file) => !own.has(resolve(io.cwd, file)));
  const likely = others.slice(0, MOST_READ).filter((file) => mayExtend(resolve(io.cwd, file)));
  const sharing: string[] = [];
  for (const file of likely) {
    const { root } = await checkFile(file, io);
    const node = root && nodeAt(root, ["state"]);
    const says = node && resolve(io.cwd, placeOf(node.span).file);
    if (says === resolve(io.cwd, base)) sharing.push(file);
  }
  return sharing;
}

function mayExtend(path: string): boolean {
  try {
    return readFile(path, LIMITS).includes("extends");
  } catch {
    return false;
  }
}
