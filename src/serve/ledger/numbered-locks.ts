// A folder of numbered locks → the one that counts, and the next one, won by a single process. Nothing that counts is removed.
import * as fs from "node:fs";
import { join } from "node:path";
import { NotPlain, oddityOf, PLAINLY } from "../../lib/files.js";
import {
  isLinked,
  makeSharedFolder,
  makeSubfolder,
  remove,
  unlessMissing,
  writeNew,
} from "../../lib/shared-folder.js";
import { parseHolder, type CurrentLock, type Holder } from "./holder.js";
import { Failure } from "../../failure.js";

// How it works. The folder holds locks whose names are numbers; the highest one counts. Who wants the lock waits until
// that one is released, or its holder is dead, and then links a complete file to the next number. A link fails if the
// name is taken, so one alone succeeds, and nobody ever removes, renames or overwrites a lock that still counts: a
// process that was stopped for an hour, at whatever point, finds a higher number when it goes on, and does no harm.
// That is why a lock stays there when it is released, and the next holder removes it.

/** Many times what a holder says of itself. */
const LARGEST_LOCK = 64 * 1024;
/** Written to the open file, and so never into the lock of a successor. */
export const RELEASED = "released\n";

function lockPath(folder: string, number: number): string {
  return join(folder, String(number));
}

export function currentLock(folder: string): CurrentLock | undefined {
  for (;;) {
    const number = Math.max(0, ...namesIn(folder).filter(isNumber).map(Number));
    if (number === 0) return undefined;
    const found = readLock(folder, number);
    // Cleared away in between by somebody with a higher number.
    if (found) return { number, ...found };
  }
}

/** The lock that follows `before`, in a folder inside `above`, opened; undefined where somebody else was faster. */
export function takeNext(
  above: string,
  folder: string,
  before: CurrentLock | undefined,
  holder: Holder,
): { readonly number: number; readonly handle: number } | undefined {
  const number = (before?.number ?? 0) + 1;
  // Made only where it is missing: to make what is there waits as well for whoever writes in the folder above.
  if (!isThere(folder)) {
    // A lock that is committed would be a new file after every run.
    makeSharedFolder(above, "*.lock/\n");
    makeSubfolder(above, folder);
    assertNoWayOut(folder);
  }
  const draft = join(folder, `${holder.id}.draft`);
  const handle = writeNew(draft, `${JSON.stringify(holder)}\n`, above);
  let isWon = false;
  try {
    isWon = isLinked(draft, lockPath(folder, number)) && isNext(folder, number, before);
  } finally {
    if (!isWon) fs.closeSync(handle);
    remove(draft);
  }
  return isWon ? { number, handle } : undefined;
}

/**
 * A slow process may have linked a number that was in use, and was cleared away, long ago. Locks are cleared away from
 * the lowest up: if the one before is still there, this number was never in use.
 */
function isNext(folder: string, number: number, before: CurrentLock | undefined): boolean {
  const isRight = before
    ? readLock(folder, before.number)?.holder.id === before.holder.id
    : currentLock(folder)?.number === number;
  if (!isRight) remove(lockPath(folder, number));
  return isRight;
}

/**
 * Clears away what others left below a lock that is held. The drafts come last and are listed anew: whoever fell asleep
 * in the middle of a write has lost its lock by then, and will miss its draft.
 */
export function clearBelow(folder: string, number: number): void {
  const older = namesIn(folder).filter((name) => isNumber(name) && Number(name) < number);
  for (const name of older.toSorted((left, right) => Number(left) - Number(right))) {
    remove(join(folder, name));
  }
  const drafts = namesIn(folder).filter((each) => each.endsWith(".draft"));
  // Whoever fell asleep in here leaves the drafts of its successors alone.
  if (isFollowed(folder, number)) return;
  for (const name of drafts) {
    remove(join(folder, name));
  }
}

/** A lock that was taken over is cleared away once there is a higher one. */
function isFollowed(folder: string, number: number): boolean {
  return fs.existsSync(lockPath(folder, number + 1)) || !fs.existsSync(lockPath(folder, number));
}

/**
 * Fails where a link, or anything else but a folder, has the name: what is written and removed would be elsewhere. Asked
 * before each use anew, because Node opens nothing from a folder that is held open.
 */
function assertNoWayOut(folder: string): void {
  isThere(folder);
}

function isThere(folder: string): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return found !== undefined;
  const oddity = oddityOf(found);
  throw oddLock(folder, oddity ? new NotPlain(oddity).message : "it is a file, and no folder");
}

function namesIn(folder: string): readonly string[] {
  assertNoWayOut(folder);
  return unlessMissing(() => fs.readdirSync(folder)) ?? [];
}

function isNumber(name: string): boolean {
  return /^[1-9]\d{0,14}$/.test(name);
}

/** Opened first: a network file system asks its server when a file is opened, and otherwise may answer from memory. */
export function readLock(folder: string, number: number): Omit<CurrentLock, "number"> | undefined {
  assertNoWayOut(folder);
  const path = lockPath(folder, number);
  const handle = unlessMissing(() => fs.openSync(path, PLAINLY));
  if (handle === undefined) return undefined;
  try {
    const stat = fs.fstatSync(handle);
    const oddity = oddityOf(stat);
    if (oddity) throw oddLock(path, new NotPlain(oddity).message);
    // A larger file was not written by Lintel, and reads as a lock with an unknown holder.
    const text = stat.size > LARGEST_LOCK ? "" : fs.readFileSync(handle, "utf8");
    const [first = "", second] = text.split("\n");
    const isReleased = second === RELEASED.trim();
    return { beat: stat.mtimeMs, holder: parseHolder(first), isReleased };
  } finally {
    fs.closeSync(handle);
  }
}

function oddLock(path: string, why: string): Failure {
  return new Failure(
    "state-not-readable",
    `The lock "${path}" cannot be read: ${why}.`,
    "No run of Lintel makes such a lock. If none is under way, remove it.",
  );
}
