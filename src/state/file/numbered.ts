// A folder of numbered locks → the one that counts, and the next one, won by a single process. Nothing that counts is removed.
import { promises as files, lstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { NotPlain, oddityOf, PLAINLY } from "../../file.js";
import { makeFolderWithin, modeOf, unlessMissing, writeNew } from "./folder.js";
import { parseHolder, type CurrentLock } from "../lock/liveness.js";
import { oddLock } from "./refusal.js";
import type { Holder } from "../store.js";

// How it works. The folder holds locks whose names are numbers; the highest one counts. Who wants the lock waits until
// that one is released, or its holder is dead, and then links a complete file to the next number. A link fails if the
// name is taken, so one alone succeeds, and nobody ever removes, renames or overwrites a lock that still counts: a
// process that was stopped for an hour, at whatever point, finds a higher number when it goes on, and does no harm.
// That is why a lock stays there when it is released, and the next holder removes it.

/** Many times what a holder says of itself. */
const LARGEST_LOCK = 64 * 1024;
/** Written to the open file, and so never into the lock of a successor. */
export const RELEASED = "released\n";

export function lockPath(folder: string, number: number): string {
  return join(folder, String(number));
}

export async function currentLock(folder: string): Promise<CurrentLock | undefined> {
  for (;;) {
    const number = Math.max(0, ...(await namesIn(folder)).filter(isNumber).map(Number));
    if (number === 0) return undefined;
    const found = await readLock(folder, number);
    // Cleared away in between by somebody with a higher number.
    if (found) return { number, ...found };
  }
}

/** The lock that follows `before`, in a folder inside `above`, opened; undefined where somebody else was faster. */
export async function takeNext(
  above: string,
  folder: string,
  before: CurrentLock | undefined,
  holder: Holder,
): Promise<{ readonly number: number; readonly handle: FileHandle } | undefined> {
  const number = (before?.number ?? 0) + 1;
  assertNoWayOut(folder);
  await makeFolderWithin(above, folder);
  assertNoWayOut(folder);
  const draft = join(folder, `${holder.id}.draft`);
  const handle = await writeNew(draft, `${JSON.stringify(holder)}\n`, await modeOf(above));
  let isWon = false;
  try {
    isWon =
      (await isLinked(draft, lockPath(folder, number))) && (await isNext(folder, number, before));
  } finally {
    if (!isWon) await handle.close();
    await files.rm(draft, { force: true });
  }
  return isWon ? { number, handle } : undefined;
}

/**
 * A slow process may have linked a number that was in use, and was cleared away, long ago. Locks are cleared away from
 * the lowest up: if the one before is still there, this number was never in use.
 */
async function isNext(folder: string, number: number, before: CurrentLock | undefined) {
  const isRight = before
    ? (await readLock(folder, before.number))?.holder.id === before.holder.id
    : (await currentLock(folder))?.number === number;
  if (!isRight) await files.rm(lockPath(folder, number), { force: true });
  return isRight;
}

/**
 * Clears away what others left below a lock that is held. The drafts come last and are listed anew: whoever fell asleep
 * in the middle of a write has lost its lock by then, and will miss its draft.
 */
export async function clearBelow(folder: string, number: number): Promise<void> {
  const older = (await namesIn(folder)).filter((name) => isNumber(name) && Number(name) < number);
  for (const name of older.toSorted((left, right) => Number(left) - Number(right))) {
    await files.rm(join(folder, name), { force: true });
  }
  for (const name of (await namesIn(folder)).filter((each) => each.endsWith(".draft"))) {
    await files.rm(join(folder, name), { force: true });
  }
}

/**
 * Fails where a link, or anything else but a folder, has the name: what is written and removed would be elsewhere. Asked
 * before each use anew, because Node opens nothing from a folder that is held open.
 */
export function assertNoWayOut(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return;
  const oddity = oddityOf(found);
  throw oddLock(folder, oddity ? new NotPlain(oddity).message : "it is a file, and no folder");
}

async function namesIn(folder: string): Promise<readonly string[]> {
  assertNoWayOut(folder);
  return (await unlessMissing(() => files.readdir(folder))) ?? [];
}

function isNumber(name: string): boolean {
  return /^[1-9]\d{0,14}$/.test(name);
}

/** False where somebody else was faster, or a new holder has cleared the draft away. */
async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await files.link(draft, path);
    return true;
  } catch (error) {
    if (/^(EEXIST|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Opened first: a network file system asks its server when a file is opened, and otherwise may answer from memory. */
export async function readLock(
  folder: string,
  number: number,
): Promise<Omit<CurrentLock, "number"> | undefined> {
  assertNoWayOut(folder);
  const path = lockPath(folder, number);
  const handle = await unlessMissing(() => files.open(path, PLAINLY));
  if (!handle) return undefined;
  try {
    const stat = await handle.stat();
    const oddity = oddityOf(stat);
    if (oddity) throw oddLock(path, new NotPlain(oddity).message);
    // A larger file was not written by Lintel, and reads as a lock with an unknown holder.
    const text = stat.size > LARGEST_LOCK ? "" : await handle.readFile("utf8");
    const [first = "", second] = text.split("\n");
    const isReleased = second === RELEASED.trim();
    return { beat: stat.mtimeMs, holder: parseHolder(first), isReleased };
  } finally {
    await handle.close();
  }
}
