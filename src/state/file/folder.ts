// A folder that others may share → files in it that appear whole, and names that outlive a power cut.
// Node loads these at their first use, and a plan never uses them.
import { promises as files } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Made for its owner alone, because a state holds texts and names that are not for everybody. A team that shares the
 * folder opens it once, `chmod g+rwxs`: whatever is written in it from then on is for the group too.
 */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const GROUP_MAY_WRITE = 0o020;

async function makeFolder(folder: string): Promise<void> {
  const made = await files.mkdir(folder, { recursive: true, mode: OWN_FOLDER });
  if (made === undefined) return;
  // States may be kept in git; a lock that is committed would be a new file after every apply.
  await files.writeFile(join(folder, ".gitignore"), "*.lock/\n", { mode: OWN_FILE, flag: "wx" });
  // Until the folder above is written too, a power cut may take away the new one with all that is in it.
  await syncFolder(dirname(made));
}

/** A folder inside a shared one, as open as that. */
export async function makeFolderWithin(above: string, folder: string): Promise<void> {
  await makeFolder(above);
  const made = await files.mkdir(folder, { recursive: true, mode: OWN_FOLDER });
  // Set again, because the process's own mask takes rights away from what it makes.
  if (made === undefined || !(await isShared(above))) return;
  await files.chmod(folder, (await files.stat(folder)).mode | 0o070);
}

/** The rights of a file in the folder, as its own if it is there already. */
export async function modeOf(folder: string, file?: string): Promise<number> {
  const found = file === undefined ? undefined : await unlessMissing(() => files.stat(file));
  if (found) return found.mode & 0o777;
  return (await isShared(folder)) ? OWN_FILE | 0o060 : OWN_FILE;
}

/** A new file, opened; without a text of its own where that cannot be written. */
export async function writeNew(path: string, text: string, mode: number): Promise<FileHandle> {
  // Follows no link that somebody has put there.
  const handle = await files.open(path, "wx", mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    return handle;
  } catch (error) {
    await handle.close();
    await files.rm(path, { force: true });
    throw error;
  }
}

/** A rename or a new name lasts once the folder that holds it is written. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await files.open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Windows, and some network file systems, write folders by themselves and refuse to be asked.
    if (!/^(EPERM|EINVAL|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await handle.close();
  }
}

export async function unlessMissing<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function isShared(folder: string): Promise<boolean> {
  return ((await files.stat(folder)).mode & GROUP_MAY_WRITE) !== 0;
}
