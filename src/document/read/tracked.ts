// A repository's index → whether git tracks a file, read without git itself: to start a program takes longer than all else of a check.
import { existsSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { readFile, statOf } from "../../file.js";
import { isBundle } from "./repository.js";

/** An index of a million files is a tenth as large. */
const LIMITS = { largest: 1024 * 1024 * 1024, links: "followed" } as const;

/** Paths below a repository's root, by its index and when that was written. */
const known = new Map<
  string,
  { readonly writtenMs: number; readonly paths: ReadonlySet<string> }
>();

/** `path` is absolute, with its links resolved, as is the root of the repository. */
export function isTracked(repository: string, path: string): boolean {
  if (isBundle(repository)) return true;
  const folder = gitFolderOf(repository);
  const index = join(folder, "index");
  const stat = statOf(index);
  if (!stat?.isFile()) return false;
  let found = known.get(index);
  if (found?.writtenMs !== stat.mtimeMs) {
    found = {
      writtenMs: stat.mtimeMs,
      paths: pathsIn(readFile(index, LIMITS), hashSizeOf(folder)),
    };
    known.set(index, found);
  }
  return found.paths.has(relative(repository, path).split(sep).join("/"));
}

/** In a worktree and in a submodule, `.git` is a file that names the folder. */
function gitFolderOf(repository: string): string {
  const own = join(repository, ".git");
  if (statSync(own).isDirectory()) return own;
  const [, named = ".git"] = /^gitdir: (.+)$/m.exec(textOf(own)) ?? [];
  return resolve(repository, named);
}

function textOf(path: string): string {
  return readFile(path, LIMITS).toString("utf8");
}

function hashSizeOf(folder: string): number {
  return /objectformat\s*=\s*sha256/i.test(configIn(folder)) ? 32 : 20;
}

/** Whether there is somewhere to push to. */
export function hasRemote(repository: string): boolean {
  return /^\s*\[remote "/m.test(configIn(gitFolderOf(repository)));
}

/** The configuration of a repository, which its worktrees share; empty where there is none. */
function configIn(folder: string): string {
  const shared = join(folder, "commondir");
  const common = existsSync(shared) ? resolve(folder, textOf(shared).trim()) : folder;
  const config = join(common, "config");
  return existsSync(config) ? textOf(config) : "";
}

const HEADER = 12;
/** Times, device, inode, mode, owner and size. */
const STAT = 40;
const IS_EXTENDED = 0x4000;

/** As git's own documentation of the index format says, versions 2 to 4; nothing of one that is otherwise. */
function pathsIn(bytes: Buffer, hashSize: number): ReadonlySet<string> {
  const paths = new Set<string>();
  if (bytes.length < HEADER || bytes.toString("latin1", 0, 4) !== "DIRC") return paths;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return paths;
  let [at, before] = [HEADER, ""];
  for (let entry = 0; entry < count; entry++) {
    const flags = at + STAT + hashSize;
    if (flags + 2 > bytes.length) return paths;
    let name = flags + (bytes.readUInt16BE(flags) & IS_EXTENDED ? 4 : 2);
    let kept = "";
    if (version === 4) {
      // A name says how much of the one before it drops, and goes on with its own.
      let byte = bytes[name++] ?? 0;
      let dropped = byte & 127;
      while (byte & 128) {
        byte = bytes[name++] ?? 0;
        dropped = ((dropped + 1) << 7) | (byte & 127);
      }
      kept = before.slice(0, before.length - dropped);
    }
    const end = bytes.indexOf(0, name);
    if (end === -1) return paths;
    before = kept + bytes.toString("latin1", name, end);
    paths.add(Buffer.from(before, "latin1").toString("utf8"));
    // Up to version 3 an entry is filled up to a multiple of eight, with one zero at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return paths;
}
