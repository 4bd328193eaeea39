// Keeps states in a folder: one subfolder of numbered revisions for each portal, of which the highest is the state.
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../failure.js";
import { digestOfBytes } from "../lib/digest.js";
import { NotPlain, oddityOf, readFile, reasonOf, statOf } from "../lib/files.js";
import { realPathOf } from "../lib/paths.js";
import {
  isLinked,
  makeSharedFolder,
  makeSubfolder,
  remove,
  sync,
  syncFolder,
  unlessMissing,
  writeNew,
} from "../lib/shared-folder.js";
import { shellWord } from "../lib/text.js";
import { LARGEST_STATE, parseState, printState } from "./format.js";
import { refusedAt } from "./place-refusal.js";
import { StateConflict, type StateOwner, type StateStore, type Version } from "./state-store.js";

// How it works. A writer syncs a complete draft beside the revisions, checks that the revision it read is still the
// highest, and links its draft to the next number. A link fails if the name exists, so only one writer succeeds, and no
// revision ever changes. The winner removes all drafts before it removes old revisions. So a delayed writer finds the
// number taken or its draft gone, but never a number that is free because it was removed.

/** A link could lead out of the folder. */
const LIMITS = { largest: LARGEST_STATE, links: "refused" } as const;

interface Revision {
  readonly number: number;
  readonly bytes: Buffer;
}

interface FileStoreOptions extends StateOwner {
  /** An absolute path. */
  readonly folder: string;
  /** The name of the folder in messages. */
  readonly shown: string;
}

export function openFileStore({ folder, shown, portal }: FileStoreOptions): StateStore {
  const own = join(folder, portal.key);
  const place = shown === folder ? own : `${shown}/${portal.key}`;
  const recovery = recoveryOf(shown === folder ? own : undefined);

  function newest(): Revision | undefined {
    for (;;) {
      const number = highestIn(own);
      if (number === 0) return undefined;
      const bytes = unlessMissing(() => readFile(revisionPath(own, number), LIMITS));
      if (bytes) return { number, bytes };
      // Else another writer removed it after the folder was listed.
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
        if (!found) {
          assertNotLeftBehind(folder, portal.key);
          return { state: undefined, version: undefined };
        }
        const word = shellWord(own);
        const take = (side: string) => `git checkout --${side} ${word}\n  git add ${word}`;
        const origin = { place, recovery, portal, ...(shown === folder && { take }) };
        return { state: parseState(found.bytes, origin), version: versionOf(found) };
      }),

    write: (state, version) =>
      writing(shown, async () => {
        makeSharedFolder(folder, "*.draft\n");
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
        return versionOf({ number, bytes });
      }),

    probe: () =>
      writing(shown, async () => {
        const probe = fs.mkdtempSync(join(existingFolder(own), ".lintel-probe-"));
        try {
          await linkNext(probe, Buffer.from("probe"), () => 1);
        } finally {
          fs.rmSync(probe, { recursive: true, force: true });
        }
      }),
  };
}

/** A file that was moved without its state looks like a new one, whose apply would overwrite manual changes. */
function assertNotLeftBehind(folder: string, key: string): void {
  for (let at = dirname(folder); !statOf(join(at, ".git")) && at !== dirname(at);) {
    at = dirname(at);
    const other = join(at, basename(folder));
    if (highestIn(join(other, key)) === 0) continue;
    throw new Failure(
      "state-moved",
      `The state of this portal is in "${other}", and "${folder}" has none.`,
      `If you moved the file, move its state, too:\n  mkdir -p ${shellWord(folder)}\n  mv ${shellWord(join(other, key))} ${shellWord(folder)}\nIf two files configure this portal, keep one of them.`,
    );
  }
}

/** Returns the linked number; undefined if another writer was faster. Calls `next` once the draft exists. */
async function linkNext(
  folder: string,
  bytes: Buffer,
  next: () => number,
): Promise<number | undefined> {
  const draft = join(folder, `${randomUUID()}.draft`);
  try {
    const handle = writeNew(draft, bytes, folder);
    try {
      // A name must not outlive its content.
      await sync(handle);
    } finally {
      fs.closeSync(handle);
    }
    const number = next();
    return isLinked(draft, revisionPath(folder, number)) ? number : undefined;
  } finally {
    remove(draft);
  }
}

/** Runs after a successful link. The next writer removes what remains. */
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
  // Checked before each use, because Node cannot open paths relative to an open folder.
  if (!found.isDirectory()) throw notAFolder(folder, found);
  const names = unlessMissing(() => fs.readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const [, digits] = /^(\d{6,15})\.json$/.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
}

/** Includes the content, because a new folder has the same numbers. */
function versionOf({ number, bytes }: Revision): Version {
  return `${number} ${digestOfBytes(bytes)}`;
}

function existingFolder(path: string): string {
  return statOf(path)?.isDirectory() ? path : existingFolder(dirname(path));
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
  return refusedAt("file", path, "read", { why, cause: "not-ours" });
}

async function reading<T>(place: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Failure || reason === undefined) throw error;
    throw refusedAt("file", place, "read", { why: reason, cause: "not-found" }, { error });
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
    throw refusedAt("file", place, "written", { why, cause: "not-allowed" }, { error });
  }
}
