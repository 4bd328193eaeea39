// Old files and a folder → copies of them in it, each under a name of its own; a copy that is there already will do.
import { existsSync } from "node:fs";
import { join, parse, resolve } from "node:path";
import { Failure } from "../../failure.js";
import { readFile, reasonOf } from "../../lib/files.js";
import type { Io } from "../../io.js";
import type { OldFile } from "../../migrate/migrate.js";
import { shortFile } from "./migrated-file.js";
import { writeNew } from "../../cli/write-file.js";

/** Gives the copies that were written. */
export function keepCopies(files: readonly OldFile[], folder: string, io: Io): string[] {
  const taken = new Set<string>();
  const copies = files.map(({ file, bytes }) => {
    const name = join(folder, ownName(file === "-" ? "config.js" : shortFile(file), taken));
    return { name, path: resolve(io.cwd, name), bytes };
  });
  // All of them are looked at before the first is written.
  const missing = copies.filter(({ path }) => !existsSync(path));
  for (const { name, path, bytes } of copies) {
    if (!existsSync(path) || isSame(path, bytes)) continue;
    throw new Failure(
      "file-exists",
      `"${name}" is there already, holds something else, and is left as it is.`,
      "Name another folder for the copies, such as:\n  --backup old-2",
    );
  }
  // Old files may hold keys.
  for (const { name, path, bytes } of missing) writeNew(path, name, bytes, io, 0o600);
  return missing.map(({ name }) => name);
}

/** config.js, config-2.js, …; some file systems do not tell capitals from small letters. */
function ownName(name: string, taken: Set<string>): string {
  const { name: stem, ext } = parse(name);
  let own = name;
  for (let count = 2; taken.has(own.toLowerCase()); count++) own = `${stem}-${count}${ext}`;
  taken.add(own.toLowerCase());
  return own;
}

function isSame(path: string, bytes: Uint8Array): boolean {
  try {
    return readFile(path, { largest: bytes.length, links: "followed" }).equals(bytes);
  } catch (error) {
    // A folder of that name, or a file that may not be read, is no copy.
    if (reasonOf(error) === undefined) throw error;
    return false;
  }
}
