// A path and its contents → a file that is there whole or not at all.
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, basename } from "node:path";
import { Failure } from "../failure.js";

type Contents = string | Uint8Array;

/** Fails where a file stands already, even one that came up a moment ago. */
export function writeNew(path: string, shown: string, contents: Contents, mode?: number): void {
  withDraft(path, shown, contents, mode, (draft) => {
    try {
      linkSync(draft, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw alreadyThere(shown);
      // Some file systems know no links; what is lost there is only that a half-written file is never seen.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      writeFileSync(path, contents, { flag: "wx" });
    }
    rmSync(draft);
  });
}

/** The file keeps its permissions. */
export function replaceFile(path: string, shown: string, contents: Contents): void {
  // A link stays one, and leads to what is written.
  const real = realpathSync(path);
  withDraft(real, shown, contents, statSync(real).mode, (draft) => renameSync(draft, real));
}

export function alreadyThere(file: string): Failure {
  return new Failure(
    "file-exists",
    `"${file}" is there already, and is left as it is.`,
    `Name another file, or check this one:\n  lintel validate ${file}`,
  );
}

// A rename is atomic only within one file system, so the draft stands beside its target.
function withDraft(
  path: string,
  shown: string,
  contents: Contents,
  mode: number | undefined,
  publish: (draft: string) => void,
): void {
  const draft = join(dirname(path), `.${basename(path)}.lintel-draft`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(draft, { force: true });
    const handle = openSync(draft, "wx", mode ?? 0o666);
    try {
      writeFileSync(handle, contents);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    publish(draft);
  } catch (error) {
    rmSync(draft, { force: true });
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw alreadyThere(shown);
    throw new Failure(
      "not-writable",
      `"${shown}" cannot be written: ${(error as Error).message}.`,
      "Check the folder and its permissions.",
      { cause: error },
    );
  }
}
