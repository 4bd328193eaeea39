// A file that another job has made → its beginning as text.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * Undefined where there is none. That job may have been rewritten by whoever proposes, so that a link is no file: it
 * would lead to what this job alone may read.
 */
export function madeText(path: string, most: number): string | undefined {
  const file = opened(path);
  if (file === undefined) return undefined;
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, 4 * most));
  const length = readSync(file, bytes);
  closeSync(file);
  return bytes.toString("utf8", 0, length).slice(0, most);
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
}
