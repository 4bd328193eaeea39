// Reads plain files up to a size limit, and writes files completely or not at all.
import * as fs from "node:fs";
import { platform } from "node:os";
import { basename, dirname, join } from "node:path";
import { digestOfText } from "./digest.js";
import type { Machine } from "../io.js";

export type Oddity = "folder" | "link" | "pipe" | "socket" | "device" | "too-large";

/** What is at a path instead of a plain file. The message continues `"x" cannot be read: …`. */
export class NotPlain extends Error {
  override name = "NotPlain";
  readonly oddity: Oddity;

  constructor(oddity: Oddity, largest = 0) {
    const isTooLarge = oddity === "too-large";
    super(isTooLarge ? `it is larger than ${largest / 1024 / 1024} MiB` : `it is a ${oddity}`);
    this.oddity = oddity;
  }
}

/** Undefined for a plain file. */
export function oddityOf(stat: fs.Stats): Oddity | undefined {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return "folder";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFIFO()) return "pipe";
  return stat.isSocket() ? "socket" : "device";
}

/**
 * Follows links; undefined if nothing can be reached there, and opening it then reports why. For a path below a file,
 * only Node 20 throws.
 */
export function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** Changes when another file is at the path, or when the same file was written again. */
export function marksOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = fs.statSync(path);
    return [ino, size, mtimeMs, ctimeMs].join();
  } catch (error) {
    // A file may be unreadable for a moment only. The next read reports why.
    return String((error as NodeJS.ErrnoException).code);
  }
}

export interface Limits {
  /** In bytes. */
  readonly largest: number;
  /** Whether the file itself may be a link. Links among the folders of the path are always followed. */
  readonly links: "followed" | "refused";
}

/** Throws errors of the system, and NotPlain. */
export function readFile(path: string, { largest, links }: Limits): Buffer {
  const handle = open(path, links);
  try {
    // Checks the open file, because the path may name another one by now.
    const stat = fs.fstatSync(handle);
    const oddity = oddityOf(stat) ?? (stat.size > largest ? "too-large" : undefined);
    if (oddity) throw new NotPlain(oddity, largest);
    const chunks: Uint8Array[] = [];
    let size = 0;
    // One extra byte, to see the end at once. Some system files report a size of zero.
    const expected = stat.size + 1;
    for (;;) {
      const room = expected > size ? expected - size : 64 * 1024;
      const chunk = new Uint8Array(Math.min(room, largest + 1 - size));
      const count = fs.readSync(handle, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      size += count;
      if (size > largest) throw new NotPlain("too-large", largest);
      if (size === expected - 1) break;
    }
    const [only] = chunks;
    return only && chunks.length === 1
      ? Buffer.from(only.buffer, 0, only.length)
      : Buffer.concat(chunks);
  } finally {
    fs.closeSync(handle);
  }
}

/** Without these flags, opening a pipe waits for its writer, and a terminal takes control of the process. */
const AT_ONCE =
  fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

/** Refuses to open a link; Windows has no such flag. */
const PLAINLY = AT_ONCE | (fs.constants.O_NOFOLLOW ?? 0);

function open(path: string, links: Limits["links"]): number {
  if (links === "followed") return fs.openSync(path, AT_ONCE);
  if (fs.constants.O_NOFOLLOW === undefined) assertNoLink(path);
  try {
    return fs.openSync(path, PLAINLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") assertNoLink(path);
    throw error;
  }
}

function assertNoLink(path: string): void {
  if (fs.lstatSync(path).isSymbolicLink()) throw new NotPlain("link");
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EEXIST: "a part of the path is a file",
  // The system's error for a folder that allows no new folders, such as /proc.
  ENOENT: "a folder on its path cannot be made",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "it is a link, or links on its path lead in a circle",
  EMFILE: "too many files are open",
  // Errors for opening a socket as a file, and for a pipe without a reader.
  ENXIO: "no program reads its other end",
  EPIPE: "no program reads its other end",
  ERR_INVALID_ARG_VALUE: "no path holds such a character",
};

/** Why a path cannot be read or written, in words; undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotPlain) return error.message;
  const { code = "" } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `the system says ${code}` : undefined);
}

/** Chunks, so that a long report need not be in memory at once. */
export type Contents = string | Uint8Array | Iterable<string>;

/** With a `machine`, also removes drafts that killed processes left. */
interface Making {
  readonly mode?: number | undefined;
  readonly machine?: Machine | undefined;
}

/** Returns false if the name already exists, even if it was created a moment ago. */
export function createFile(path: string, contents: Contents, making: Making = {}): boolean {
  return withDraft(path, contents, making, (draft) => {
    try {
      fs.linkSync(draft, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // Some file systems have no links. There, a file created at this very moment is replaced.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      if (fs.lstatSync(path, { throwIfNoEntry: false })) return false;
      fs.renameSync(draft, path);
    }
    return true;
  });
}

/** Replaces a file, and keeps its mode and owner. Hard links keep the old content. */
export function overwriteFile(path: string, contents: Contents, making: Making = {}): void {
  const like = plainFileAt(path);
  withDraft(path, contents, { ...making, like }, (draft) => rename(draft, path));
}

/** On Windows, an open file cannot be replaced, for example during a virus scan. */
function rename(from: string, to: string): void {
  for (let left = 20; ; left--) {
    try {
      return fs.renameSync(from, to);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const isBusy = platform() === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(code);
      if (!isBusy || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** The plain file with this name, if any. Fails with NotPlain for a link, a folder or the like. */
export function plainFileAt(path: string): fs.Stats | undefined {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  const oddity = found && oddityOf(found);
  if (oddity) throw new NotPlain(oddity);
  return found;
}

/**
 * The first folder that had to be created; undefined if all exist. Node's own mkdir reports a wrong error for read-only
 * file systems, and never ends in a folder such as /proc.
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  try {
    fs.mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const above = dirname(path);
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && !fs.existsSync(above);
    if (isMissing && above !== path) {
      const first = makeFolders(above, mode);
      return makeFolders(path, mode) && first;
    }
    if (statOf(path)?.isDirectory()) return undefined;
    throw error;
  }
}

interface Drafting extends Making {
  readonly like?: fs.Stats | undefined;
}

// A rename is atomic only within one file system, so the draft is in the same folder.
function withDraft<T>(
  path: string,
  contents: Contents,
  drafting: Drafting,
  publish: (draft: string) => T,
): T {
  makeFolders(dirname(path));
  if (drafting.machine) removeLeftDrafts(path, drafting.machine);
  const { draft, handle } = openDraft(path, drafting);
  try {
    try {
      const isWhole = typeof contents === "string" || contents instanceof Uint8Array;
      for (const piece of isWhole ? [contents] : contents) fs.writeFileSync(handle, piece);
      if (drafting.like) liken(handle, drafting.like);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    return publish(draft);
  } finally {
    // Already gone if it was renamed.
    fs.rmSync(draft, { force: true });
  }
}

/** "wx" follows no link, and each run uses its own name, so parallel runs do not conflict. */
function openDraft(path: string, { mode, like, machine }: Drafting) {
  const start = machine
    ? `${draftsOf(path, machine)}${machine.pid}-${machine.startTime ?? ""}-`
    : ".lintel-";
  for (let left = 10; ; left--) {
    const draft = join(dirname(path), `${start}${Math.random().toString(36).slice(2)}.draft`);
    try {
      return { draft, handle: fs.openSync(draft, "wx", like ? 0o600 : (mode ?? 0o666)) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || left === 0) throw error;
    }
  }
}

/** Only an administrator can change the owner; for other users the new file stays their own. */
function liken(handle: number, { mode, uid, gid }: fs.Stats): void {
  try {
    fs.fchownSync(handle, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  fs.fchmodSync(handle, mode & 0o7777);
}

/** The prefix of a file's drafts from processes whose ids are comparable here. */
function draftsOf(path: string, { bootId, pidNamespace, host }: Machine): string {
  const facts = JSON.stringify([basename(path), bootId ?? host, pidNamespace ?? null]);
  return `.lintel-${digestOfText(facts).slice(0, 24)}-`;
}

/** Removes only drafts of processes that are certainly gone. Errors are ignored. */
export function removeLeftDrafts(path: string, machine: Machine): void {
  const start = draftsOf(path, machine);
  try {
    for (const name of fs.readdirSync(dirname(path)).filter((each) => each.startsWith(start))) {
      const [, pid, startTime] =
        /^(\d+)-(\d*)-[a-z0-9]+\.draft$/.exec(name.slice(start.length)) ?? [];
      if (pid === undefined || machine.isRunning(Number(pid), startTime || undefined)) continue;
      fs.rmSync(join(dirname(path), name), { force: true });
    }
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
  }
}
