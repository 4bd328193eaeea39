// A file that another job has made → its beginning as text, which any platform takes.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Without half of a character that takes two, which is none. */
export const headOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, "");

/**
 * Undefined where there is none. That job may have been rewritten by whoever proposes, so that neither a folder is one nor
 * a link: it would lead to what this job alone may read.
 */
export function madeText(path: string, most: number): string | undefined {
  const file = opened(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(found.size, 4 * most));
    const length = readSync(file, bytes);
    return headOf(bytes.toString("utf8", 0, length), most);
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
}
