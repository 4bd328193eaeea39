// What the system refuses in a folder of states → the Failure that says so, and what to do about it.
import { Failure, type FailureCode } from "../../failure.js";
import { reasonOf } from "../../lib/files.js";
import { shellWord } from "../../lib/text.js";
import type { OwnOrigin } from "../refusal.js";

/** Of a file whose path may be shown; of another its folder is not told either. */
export function originOf(place: string, path: string): OwnOrigin {
  if (place !== path)
    return { place, back: "Take it from git, where the folder is kept there, or from a backup." };
  const word = shellWord(path);
  return {
    place,
    back: `Where the folder is kept in git:\n  git log --oneline -- ${word}\n  git checkout COMMIT -- ${word}\nElse take it from a backup.`,
    take: (side) => `git checkout --${side} ${word}\n  git add ${word}`,
  };
}

export function oddLock(path: string, why: string): Failure {
  return new Failure(
    "state-not-readable",
    `The lock "${path}" cannot be read: ${why}.`,
    "No run of Lintel makes such a lock. If none is under way, remove it.",
  );
}

/** Does something that the place may refuse. Errors that are not the system's are thrown on unchanged. */
export async function reading<T>(place: string, action: () => Promise<T>): Promise<T> {
  const what = `The state "${place}" cannot be read`;
  return atDoor(action, "state-not-readable", what, "Check the folder and its permissions.");
}

export async function writing<T>(place: string, action: () => Promise<T>): Promise<T> {
  const what = `The state in "${place}" cannot be written`;
  const help = "Check the folder and its permissions, or name another one:\n  state: file:DIR";
  return atDoor(action, "state-not-writable", what, help);
}

async function atDoor<T>(
  action: () => Promise<T>,
  failure: FailureCode,
  what: string,
  help: string,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code = "", syscall } = error as NodeJS.ErrnoException;
    const reason = reasonOf(error);
    if (error instanceof Failure || reason === undefined) throw error;
    // Some file systems, such as exFAT, know no second name for a file.
    const hasNoLinks = syscall === "link" && /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(code);
    const why = hasNoLinks ? "its file system has no hard links" : reason;
    throw new Failure(failure, `${what}: ${why}.`, help, { cause: error });
  }
}
