// A folder that others may share → files in it that appear whole, and names that outlive a power cut.
// What may wait for the disk is left to another thread, and other portals go on meanwhile. All else is done at once: on
// its way there and back, each of the dozens of small steps of a run takes several times as long as by itself.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders, statOf } from "../../lib/files.js";

/**
 * Made for its owner alone, because a state holds texts and names that are not for everybody. A team that shares the
 * folder opens it once, `chmod g+rwxs`: whatever is written in it from then on is for the group too.
 */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const GROUP_MAY_WRITE = 0o020;

async function makeFolder(folder: string): Promise<void> {
  const made = makeFolders(folder, OWN_FOLDER);
  if (made === undefined) return;
  // States may be kept in git; a lock that is committed would be a new file after every apply.
  fs.writeFileSync(join(folder, ".gitignore"), "*.lock/\n", { mode: OWN_FILE, flag: "wx" });
  // Until the folder above is written too, a power cut may take away the new one with all that is in it.
  await syncFolder(dirname(made));
}

/** A folder inside a shared one, as open as that. */
export async function makeFolderWithin(above: string, folder: string): Promise<void> {
  await makeFolder(above);
  const made = makeFolders(folder, OWN_FOLDER);
  // Set again, because the process's own mask takes rights away from what it makes.
  if (made === undefined || !isShared(above)) return;
  fs.chmodSync(folder, fs.statSync(folder).mode | 0o070);
}

/** The rights of a file in the folder, as its own if it is there already. */
export function modeOf(folder: string, file?: string): number {
  const found = file === undefined ? undefined : statOf(file);
  if (found) return found.mode & 0o777;
  return isShared(folder) ? OWN_FILE | 0o060 : OWN_FILE;
}

/** The descriptor of a new file, opened; nothing is left of it where its text cannot be written. */
export async function writeNew(
  path: string,
  text: string | Uint8Array,
  mode: number,
): Promise<number> {
  // Follows no link that somebody has put there.
  const handle = await later<number>((done) => fs.open(path, "wx", mode, done));
  try {
    fs.fchmodSync(handle, mode);
    fs.writeFileSync(handle, text);
    return handle;
  } catch (error) {
    fs.closeSync(handle);
    remove(path);
    throw error;
  }
}

function sync(handle: number): Promise<void> {
  return later((done) => fs.fsync(handle, done));
}

type Done<T> = (error: Error | null, value?: T) => void;

function later<T>(begin: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((error, value) => (error ? reject(error) : resolve(value as T)));
  });
}

/** Nothing happens where it is gone already. */
export function remove(path: string): void {
  unlessMissing(() => fs.unlinkSync(path));
}

/** Folder → the sync that is under way, and the one that follows it for whoever has asked meanwhile. */
const syncs = new Map<string, { readonly now: Promise<void>; next?: Promise<void> }>();

/**
 * A rename or a new name lasts once the folder that holds it is written. Of many that ask while one is under way, which
 * may have begun before their names were there, all wait for the next one.
 */
export async function syncFolder(folder: string): Promise<void> {
  const under = syncs.get(folder);
  if (!under) return begin();
  return (under.next ??= under.now.then(begin, begin));

  function begin(): Promise<void> {
    const now = syncNow(folder).finally(() => {
      if (!syncs.get(folder)?.next) syncs.delete(folder);
    });
    syncs.set(folder, { now });
    return now;
  }
}

async function syncNow(folder: string): Promise<void> {
  const handle = fs.openSync(folder, "r");
  try {
    await sync(handle);
  } catch (error) {
    // Windows, and some network file systems, write folders by themselves and refuse to be asked.
    if (!/^(EPERM|EINVAL|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    fs.closeSync(handle);
  }
}

export function unlessMissing<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isShared(folder: string): boolean {
  return (fs.statSync(folder).mode & GROUP_MAY_WRITE) !== 0;
}
