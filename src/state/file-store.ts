// Keeps states in a folder: for each portal a folder of numbered revisions, of which the highest is the state.
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../failure.js";
import { digestOfBytes } from "../lib/digest.js";
import { makeFolders, NotPlain, oddityOf, readFile, reasonOf, statOf } from "../lib/files.js";
import { realPathOf } from "../lib/paths.js";
import { shellWord } from "../lib/text.js";
import { LARGEST_STATE, parseState, printState } from "./format.js";
import { StateConflict, type StateOwner, type StateStore, type Version } from "./state-store.js";

// How it works. A writer puts a complete, synced draft beside the revisions, sees that the one it read is still the
// highest, and links its draft to the next number: a link fails if the name is taken, so one writer alone succeeds, and
// no revision is ever changed. Whoever succeeded removes all drafts before it removes old revisions. So a writer that
// slept finds the number taken or its draft gone, and never a number that is free because it was removed.

/** A link would lead out of the folder. */
const LIMITS = { largest: LARGEST_STATE, links: "refused" } as const;

/** For its owner alone, because a state holds texts and names; `chmod g+rwxs` shares a folder with a group. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const GROUP_MAY_WRITE = 0o020;

interface Revision {
  /** 0 for the one file that the format before kept beside the folder. */
  readonly number: number;
  readonly bytes: Buffer;
}

export interface FileStoreOptions extends StateOwner {
  /** An absolute path. */
  readonly folder: string;
  /** What messages call the folder. */
  readonly shown: string;
}

export function openFileStore({ folder, shown, portal }: FileStoreOptions): StateStore {
  const own = join(folder, portal.key);
  const single = join(folder, `${portal.key}.json`);
  const place = shown === folder ? own : `${shown}/${portal.key}`;
  const recovery = recoveryOf(shown === folder ? own : undefined);

  function newest(): Revision | undefined {
    for (;;) {
      const number = highestIn(own);
      const path = number === 0 ? single : revisionPath(own, number);
      const bytes = unlessMissing(() => readFile(path, LIMITS));
      if (bytes) return { number, bytes };
      // Removed by a writer of a higher one since the folder was listed.
      if (highestIn(own) === number) return undefined;
    }
  }

  return {
    place,
    recovery: () => recovery,
    memoryName: async () => `file ${realPathOf(folder) ?? folder} ${portal.key}`,

    read: () =>
      reading(place, async () => {
        const found = newest();
        if (!found) return { state: undefined, version: undefined };
        const word = shellWord(own);
        const take = (side: string) => `git checkout --${side} ${word}\n  git add ${word}`;
        const origin = { place, recovery, portal, ...(shown === folder && { take }) };
        return { state: parseState(found.bytes, origin), version: versionOf(found) };
      }),

    write: (state, version) =>
      writing(shown, async () => {
        makeFolder(folder);
        makeSubfolder(folder, own);
        const bytes = Buffer.from(printState(state));
        const number = await linkNext(own, bytes, () => {
          const before = newest();
          if ((before && versionOf(before)) !== version) throw new StateConflict(place);
          return (before?.number ?? 0) + 1;
        });
        if (number === undefined) throw new StateConflict(place);
        await syncFolder(own);
        removeBelow(own, number - 1);
        remove(single);
        return versionOf({ number, bytes });
      }),

    probe: () =>
      writing(shown, async () => {
        const probe = fs.mkdtempSync(join(existingFolder(folder), ".lintel-probe-"));
        try {
          await linkNext(probe, Buffer.from("probe"), () => 1);
        } finally {
          fs.rmSync(probe, { recursive: true, force: true });
        }
      }),
  };
}

/** The number that was linked; undefined where another writer was faster. `next` is asked once the draft is there. */
async function linkNext(
  folder: string,
  bytes: Buffer,
  next: () => number,
): Promise<number | undefined> {
  const draft = join(folder, `${randomUUID()}.draft`);
  try {
    await writeDraft(draft, bytes, modeIn(folder));
    const number = next();
    return isLinked(draft, revisionPath(folder, number)) ? number : undefined;
  } finally {
    remove(draft);
  }
}

/** After a link that succeeded; what cannot be removed now is removed by the next writer. */
function removeBelow(folder: string, number: number): void {
  try {
    for (const name of fs.readdirSync(folder)) {
      if (name.endsWith(".draft")) remove(join(folder, name));
    }
    for (const each of numbersIn(folder)) {
      if (each < number) remove(revisionPath(folder, each));
    }
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
  }
}

function revisionPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(6, "0")}.json`);
}

function highestIn(folder: string): number {
  return Math.max(0, ...numbersIn(folder));
}

function numbersIn(folder: string): readonly number[] {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  // Asked before each use, because Node opens nothing relative to a folder that is held open.
  if (!found.isDirectory()) throw notAFolder(folder, found);
  const names = unlessMissing(() => fs.readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const [, digits] = /^(\d{6,15})\.json$/.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** The content counts as well: a folder that was begun anew has the same numbers. */
function versionOf({ number, bytes }: Revision): Version {
  return `${number} ${digestOfBytes(bytes)}`;
}

async function writeDraft(path: string, bytes: Buffer, mode: number): Promise<void> {
  // "wx" follows no link that stands there.
  const handle = fs.openSync(path, "wx", mode);
  try {
    // The process's mask may have taken rights away.
    fs.fchmodSync(handle, mode);
    fs.writeFileSync(handle, bytes);
    // A name must not last longer than what it names.
    await sync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** False where the name is taken, or a writer that succeeded has removed the draft. */
function isLinked(draft: string, path: string): boolean {
  try {
    fs.linkSync(draft, path);
    return true;
  } catch (error) {
    if (/^(EEXIST|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function makeFolder(folder: string): void {
  const made = makeFolders(folder, OWN_FOLDER);
  if (made === undefined) return;
  fs.writeFileSync(join(folder, ".gitignore"), "*.draft\n", { mode: OWN_FILE, flag: "wx" });
  syncParent(made);
}

/** As open as the folder above it. */
function makeSubfolder(above: string, folder: string): void {
  const made = makeFolders(folder, OWN_FOLDER);
  if (made === undefined) return;
  if (isShared(above)) fs.chmodSync(folder, fs.statSync(folder).mode | 0o070);
  syncParent(made);
}

function modeIn(folder: string): number {
  return isShared(folder) ? OWN_FILE | 0o060 : OWN_FILE;
}

function isShared(folder: string): boolean {
  return (fs.statSync(folder).mode & GROUP_MAY_WRITE) !== 0;
}

function existingFolder(path: string): string {
  return statOf(path)?.isDirectory() ? path : existingFolder(dirname(path));
}

/** Nothing happens where it is gone already. */
function remove(path: string): void {
  unlessMissing(() => fs.unlinkSync(path));
}

function unlessMissing<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** On another thread, so that other portals go on meanwhile. */
function sync(handle: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(handle, (error) => (error ? reject(error) : resolve()));
  });
}

/** Until the folder is written too, a power cut may take away a name in it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = fs.openSync(folder, "r");
  try {
    await sync(handle);
  } catch (error) {
    assertNeedsNoSync(error);
  } finally {
    fs.closeSync(handle);
  }
}

function syncParent(folder: string): void {
  const handle = fs.openSync(dirname(folder), "r");
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    assertNeedsNoSync(error);
  } finally {
    fs.closeSync(handle);
  }
}

/** Windows, and some network file systems, write folders by themselves and refuse to be asked. */
function assertNeedsNoSync(error: unknown): void {
  if (!/^(EPERM|EINVAL|ENOTSUP)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
}

function recoveryOf(folder: string | undefined): string {
  if (folder === undefined) {
    return "Restore its folder from git, if it is kept there, or from a backup.";
  }
  const word = shellWord(folder);
  return `If the folder is kept in git, restore it as a whole:\n  git log --oneline -- ${word}\n  git rm -r --quiet ${word}\n  git checkout COMMIT -- ${word}\nOtherwise restore it from a backup.`;
}

function notAFolder(path: string, found: fs.Stats): Failure {
  const oddity = oddityOf(found);
  const why = oddity ? new NotPlain(oddity).message : "it is a file";
  return new Failure(
    "state-not-readable",
    `"${path}" cannot hold revisions of a state: ${why}.`,
    "Lintel keeps a folder there. Move the other one away.",
  );
}

async function reading<T>(place: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Failure || reason === undefined) throw error;
    throw new Failure(
      "state-not-readable",
      `The state "${place}" cannot be read: ${reason}.`,
      "Check the folder and its permissions.",
      { cause: error },
    );
  }
}

async function writing<T>(place: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const reason = reasonOf(error);
    if (error instanceof Failure || reason === undefined) throw error;
    // Such as exFAT.
    const hasNoLinks = syscall === "link" && /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code);
    const why = hasNoLinks ? "its file system has no hard links" : reason;
    throw new Failure(
      "state-not-writable",
      `The state in "${place}" cannot be written: ${why}.`,
      "Check the folder and its permissions, or use another one:\n  state: file:DIR",
      { cause: error },
    );
  }
}
