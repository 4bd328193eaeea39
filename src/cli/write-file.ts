// Writes a file that the user names, and follows no link that a pull request could have added.
import { accessSync, constants, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOpenTo, isTracked, repositoryOf } from "../document/read/repository.js";
import { createFile, NotPlain, overwriteFile, reasonOf, type Contents } from "../lib/files.js";
import { realPathOf, waysTo } from "../lib/paths.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";

type Git = Pick<Io, "env">;
type WritingIo = Pick<Io, "env" | "machine">;

/** Fails if the file exists, even if it was created a moment ago. */
export function writeNew(
  path: string,
  shown: string,
  contents: Contents,
  io: WritingIo,
  mode?: number,
): void {
  assertOwnWay(path, shown, io);
  const making = { mode, machine: io.machine };
  if (!writing(shown, () => createFile(path, contents, making))) throw alreadyThere(shown);
}

/** The file keeps its permissions. */
export function replaceFile(path: string, shown: string, contents: Contents, io: WritingIo): void {
  const { machine } = io;
  writing(shown, () => overwriteFile(targetOf(path, shown, io), contents, { machine }));
}

/** Fails if the file certainly cannot be replaced, before other steps rely on it. */
export function assertReplaceable(path: string, shown: string, io: Git): void {
  writing(shown, () => {
    const target = targetOf(path, shown, io);
    accessSync(target, constants.W_OK);
    accessSync(dirname(target), constants.W_OK);
  });
}

/** Refuses a path through a link that the repository tracks. */
export function assertOwnWay(path: string, shown: string, io: Git): void {
  const found = trackedLink(path, shown, io);
  if (found) throw throughLink(path, shown, found.link);
}

interface TrackedLink {
  readonly link: string;
  readonly repository: string;
}

/** The first link among a path's folders that is tracked by its repository. */
function trackedLink(path: string, shown: string, io: Git): TrackedLink | undefined {
  for (const link of writing(shown, () => waysTo(dirname(path)))) {
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const repository = repositoryOf(link);
    const tracked = repository !== undefined && isTracked(io, repository, link);
    if (!repository || !tracked) continue;
    if (tracked === true) return { link, repository };
    throw new Failure(
      "not-writable",
      `"${shown}" cannot be written: git did not answer whether it tracks the link "${link}" on the way to it: ${tracked.why}.`,
      tracked.help,
    );
  }
  return undefined;
}

function throughLink(path: string, shown: string, link: string): Failure {
  const place = join(realPathOf(dirname(path)) ?? dirname(path), basename(path));
  return new Failure(
    "not-writable",
    `"${shown}" cannot be written: the repository tracks the link "${link}" on the way to it.`,
    `A pull request may have added that link. If the link is intended, name its target:\n  ${place}`,
  );
}

export function alreadyThere(file: string, instead = ""): Failure {
  return new Failure(
    "file-exists",
    `"${file}" already exists. Nothing was written.`,
    `Rename it${instead || ", or name another file."}`,
  );
}

/** Runs an action that the system may refuse. */
export function writing<T>(shown: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Failure || reason === undefined) throw error;
    throw new Failure(
      "not-writable",
      `"${shown}" cannot be written: ${reason}.`,
      error instanceof NotPlain ? "Name another file." : "Check the folder and its permissions.",
      { cause: error },
    );
  }
}

/**
 * The file may be a link within its folder or repository, and stays one. So may a tracked folder on the path; other
 * folders belong to the user who named the file.
 */
function targetOf(path: string, shown: string, io: Git): string {
  const own = join(realpathSync(dirname(path)), basename(path));
  const way = trackedLink(path, shown, io);
  if (way && !isOpenTo(way.repository, own)) throw throughLink(path, shown, way.link);
  if (!lstatSync(own).isSymbolicLink()) return own;
  const real = realpathSync(own);
  const repository = repositoryOf(own);
  if (isOpenTo(repository ?? dirname(own), real)) return real;
  throw new Failure(
    "not-writable",
    `"${shown}" is a link that leads out of its ${repository ? "repository" : "folder"}, to a file that is left as it is.`,
    "Name the file itself.",
  );
}
