// Reads plain files up to a bounded size, and writes a file so that it is whole or absent.
import * as fs from "node:fs";
import { platform } from "node:os";
import { basename, dirname, join } from "node:path";
import { digestOfText } from "./digest.js";
import type { Machine } from "../io.js";

export type Oddity = "folder" | "link" | "pipe" | "socket" | "device" | "too-large";

/** What stands at a path where a plain file is expected; its message continues `"x" cannot be read: …`. */
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
 * What stands at a path, links followed; undefined where nothing does that can be reached: who opens it says why. Below
 * a file Node 20 throws, and later ones do not.
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

/** Changes when another file stands at the path, or when the same file was written again. */
export function marksOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = fs.statSync(path);
    return [ino, size, mtimeMs, ctimeMs].join();
  } catch (error) {
    // A file that cannot be read may be there again in a moment; who reads it says why it cannot be read.
    return String((error as NodeJS.ErrnoException).code);
  }
}

export interface Limits {
  /** In bytes. */
  readonly largest: number;
  /** Whether the file itself may be a link. Links among the folders of the path are always followed. */
  readonly links: "followed" | "refused";
}

/** Throws what the system says, and NotPlain. */
export function readFile(path: string, { largest, links }: Limits): Buffer {
  const handle = open(path, links);
  try {
    // Asked of what was opened: another file may have the name by now.
    const stat = fs.fstatSync(handle);
    const oddity = oddityOf(stat) ?? (stat.size > largest ? "too-large" : undefined);
    if (oddity) throw new NotPlain(oddity, largest);
    const chunks: Uint8Array[] = [];
    let size = 0;
    // One byte more than the file says it has, so that its end is seen at once; some of the system's own say nothing.
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

/** Without these flags, opening a pipe would wait for its writer, and a terminal would take control of the run. */
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
  // What the system says of a folder in which none can be made, such as /proc.
  ENOENT: "a folder on its path cannot be made",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "it is a link, or links on its path lead in a circle",
  EMFILE: "too many files are open",
  // The errors of opening a socket as a file, and of writing to a pipe without a reader.
  ENXIO: "no program reads its other end",
  EPIPE: "no program reads its other end",
  ERR_INVALID_ARG_VALUE: "no path holds such a character",
};

/** Why a path cannot be read or written, in words; undefined for an error that is not about that. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotPlain) return error.message;
  const { code = "" } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? (/^E[A-Z0-9]+$/.test(code) ? `the system says ${code}` : undefined);
}

/** In pieces, so that a long report need not be in memory as a whole. */
export type Contents = string | Uint8Array | Iterable<string>;

/** With a `machine`, drafts of the file that processes left when they were killed are removed, too. */
interface Making {
  readonly mode?: number | undefined;
  readonly machine?: Machine | undefined;
}

/** Says whether the file is new: false where anything has the name already, even since a moment ago. */
export function createFile(path: string, contents: Contents, making: Making = {}): boolean {
  return withDraft(path, contents, making, (draft) => {
    try {
      fs.linkSync(draft, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // Some file systems know no links: there, a file which comes up at this very moment is replaced.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      if (fs.lstatSync(path, { throwIfNoEntry: false })) return false;
      fs.renameSync(draft, path);
    }
    return true;
  });
}

/** Takes the place of a file, with its rights and its owner. Other names of the same file keep what stood there. */
export function overwriteFile(path: string, contents: Contents, making: Making = {}): void {
  const like = plainFileAt(path);
  withDraft(path, contents, { ...making, like }, (draft) => rename(draft, path));
}

/** On Windows a file that a virus scanner or an editor has open cannot be replaced for a moment. */
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

/** The plain file that has the name now, if any; fails with NotPlain where a link, a folder or the like has it. */
export function plainFileAt(path: string): fs.Stats | undefined {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  const oddity = found && oddityOf(found);
  if (oddity) throw new NotPlain(oddity);
  return found;
}

/**
 * The first folder that had to be made; undefined where all are there. Node's own says of a read-only file system that
 * something is missing, and never ends below a folder such as /proc.
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

// A rename is atomic only within one file system, so the draft stands beside its target.
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
    // Renamed, it is gone already.
    fs.rmSync(draft, { force: true });
  }
}

/** "wx" follows no link, and each run has a name of its own, so that runs at once do not meet. */
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

/** Only an administrator can give a file to another user; for other users the new file stays their own. */
function liken(handle: number, { mode, uid, gid }: fs.Stats): void {
  try {
    fs.fchownSync(handle, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  fs.fchmodSync(handle, mode & 0o7777);
}

/** How the drafts of one file begin that were written where the numbers of processes mean the same as here. */
function draftsOf(path: string, { bootId, pidNamespace, host }: Machine): string {
  const facts = JSON.stringify([basename(path), bootId ?? host, pidNamespace ?? null]);
  return `.lintel-${digestOfText(facts).slice(0, 24)}-`;
}

/** Only those of processes that are surely gone. What cannot be removed stays, and fails nothing. */
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
