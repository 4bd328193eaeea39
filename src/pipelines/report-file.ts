// Reads a report that another job has left, as text.
import { resolve } from "node:path";
import type { Io } from "../io.js";
import { NotPlain, readFile } from "../lib/files.js";

const LARGEST = 50_000_000;

/**
 * Undefined where there is none. A pull request may have changed the job that made it, so a folder is none, and no link
 * is followed: it could lead to what this job alone may read.
 */
export function reportText({ cwd }: Pick<Io, "cwd">, path: string): string | undefined {
  try {
    return readFile(resolve(cwd, path), { largest: LARGEST, links: "refused" }).toString("utf8");
  } catch (error) {
    if (error instanceof NotPlain || (error as NodeJS.ErrnoException).code === "ENOENT")
      return undefined;
    throw error;
  }
}
