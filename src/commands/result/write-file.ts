// A path and its contents → a file of the user's, new or changed; what stands there otherwise, and where links lead, stays as it is.
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOpenTo, repositoryOf } from "../../document/read/repository.js";
import { createFile, overwriteFile, type Contents, NotPlain, reasonOf } from "../../file.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";

/** Fails where a file stands already, even one that came up a moment ago. */
export function writeNew(
  path: string,
  shown: string,
  contents: Contents,
  { machine }: Pick<Io, "machine">,
  mode?: number,
): void {
  const isNew = writing(shown, () => createFile(path, contents, { mode, machine }));
  if (!isNew) throw alreadyThere(shown);
}

/** The file keeps its permissions. */
export function replaceFile(
  path: string,
  shown: string,
  contents: Contents,
  { machine }: Pick<Io, "machine">,
): void {
  writing(shown, () => overwriteFile(targetOf(path, shown), contents, { machine }));
}

export function alreadyThere(file: string, instead = ""): Failure {
  return new Failure(
    "file-exists",
    `"${file}" is there already, and is left as it is.`,
    `Move it out of the way${instead || ", or name another file."}`,
  );
}

/** Does what the system may refuse. */
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
 * A file may be a link to one beside it or in the same repository, and stays one. The folders on the way to it are
 * those of whoever named it.
 */
function targetOf(path: string, shown: string): string {
  const own = join(realpathSync(dirname(path)), basename(path));
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
