// Writes files into a folder that a group may share, complete and durable.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "./files.js";

/** Only for its owner, because states contain texts and names. `chmod g+rwxs` shares a folder with a group. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const GROUP_MAY_WRITE = 0o020;

/** A new folder gets a .gitignore with the lines of `ignored`. */
export function makeSharedFolder(folder: string, ignored: string): void {
  const made = makeFolders(folder, OWN_FOLDER);
  if (made === undefined) return;
  fs.writeFileSync(join(folder, ".gitignore"), ignored, { mode: OWN_FILE, flag: "wx" });
  syncParent(made);
}

/** With the same permissions as the folder above. */
export function makeSubfolder(above: string, folder: string): void {
  const made = makeFolders(folder, OWN_FOLDER);
  if (made === undefined) return;
  // The umask may have removed permissions.
  if (isShared(above)) fs.chmodSync(folder, fs.statSync(folder).mode | 0o070);
  syncParent(made);
}

/** Creates a file for everyone who may write in `folder`; removes it if its text cannot be written. */
export function writeNew(path: string, text: string | Uint8Array, folder: string): number {
  const mode = isShared(folder) ? OWN_FILE | 0o060 : OWN_FILE;
  // "wx" follows no link.
  const handle = fs.openSync(path, "wx", mode);
  try {
    // The umask may have removed permissions.
    fs.fchmodSync(handle, mode);
    fs.writeFileSync(handle, text);
    return handle;
  } catch (error) {
    fs.closeSync(handle);
    remove(path);
    throw error;
  }
}

/** False if the name is taken, or the draft is gone. */
export function isLinked(draft: string, path: string): boolean {
  try {
    fs.linkSync(draft, path);
    return true;
  } catch (error) {
    if (/^(EEXIST|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Does nothing if it is already gone. */
export function remove(path: string): void {
  unlessMissing(() => fs.unlinkSync(path));
}

export function unlessMissing<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Runs on another thread, so that other portals continue. */
export function sync(handle: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(handle, (error) => (error ? reject(error) : resolve()));
  });
}

/** Until the folder is synced, a power cut may remove a new name in it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = fs.openSync(folder, "r");
  try {
    await sync(handle);
  } catch (error) {
    assertNeedsNoSync(error);
  } finally {
    fs.closeSync(handle);
  }
}

/** The same synchronously, for the folder that contains a path. */
export function syncParent(path: string): void {
  const handle = fs.openSync(dirname(path), "r");
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    assertNeedsNoSync(error);
  } finally {
    fs.closeSync(handle);
  }
}

/** Windows and some network file systems do not need it, and refuse the call. */
function assertNeedsNoSync(error: unknown): void {
  if (!/^(EPERM|EINVAL|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
}

function isShared(folder: string): boolean {
  return (fs.statSync(folder).mode & GROUP_MAY_WRITE) !== 0;
}
