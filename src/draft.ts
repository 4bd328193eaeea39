// Noun: contents and the path where they are to stand → a file that is there whole or not at all; no link is written through.
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { NotPlain, oddityOf } from "./file.js";

/** In pieces, so that a long report need not be in memory as a whole. */
export type Contents = string | Uint8Array | Iterable<string>;

/** Says whether the file is new: false where anything has the name already, even since a moment ago. */
export function createFile(path: string, contents: Contents, mode?: number): boolean {
  return withDraft(path, contents, { mode }, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      // Some file systems know no links; what is lost there is only that a file which comes up at this very moment
      // is replaced.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      if (lstatSync(path, { throwIfNoEntry: false })) return false;
      renameSync(draft, path);
    }
    return true;
  });
}

/**
 * Takes the place of a file, which leaves its rights and its owner to the new one. Other names of the same file keep
 * what stood there.
 */
export function overwriteFile(path: string, contents: Contents, mode?: number): void {
  const like = plainFileAt(path);
  withDraft(path, contents, { mode, like }, (draft) => renameSync(draft, path));
}

/** The plain file that has the name now, if any; fails with NotPlain on a link and on whatever else is none. */
export function plainFileAt(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const oddity = found && oddityOf(found);
  if (oddity) throw new NotPlain(oddity);
  return found;
}

interface Rights {
  readonly mode?: number | undefined;
  readonly like?: Stats | undefined;
}

// A rename is atomic only within one file system, so the draft stands beside its target.
function withDraft<T>(
  path: string,
  contents: Contents,
  rights: Rights,
  publish: (draft: string) => T,
): T {
  mkdirSync(dirname(path), { recursive: true });
  const { draft, handle } = openDraft(dirname(path), rights);
  try {
    try {
      if (typeof contents === "string" || contents instanceof Uint8Array) {
        writeFileSync(handle, contents);
      } else for (const piece of contents) writeFileSync(handle, piece);
      if (rights.like) liken(handle, rights.like);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return publish(draft);
  } finally {
    // Renamed, it is gone already.
    rmSync(draft, { force: true });
  }
}

/** "wx" follows no link, and each run has a name of its own, so that runs at once do not meet. */
function openDraft(folder: string, { mode, like }: Rights) {
  for (let left = 10; ; left--) {
    const draft = join(folder, `.lintel-${Math.random().toString(36).slice(2)}.draft`);
    try {
      return { draft, handle: openSync(draft, "wx", like ? 0o600 : (mode ?? 0o666)) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || left === 0) throw error;
    }
  }
}

/** To give a file to somebody else is for the system's administrator alone; whoever cannot, owns what they write. */
function liken(handle: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  fchmodSync(handle, mode & 0o7777);
}
