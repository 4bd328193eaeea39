// Resolves links in paths, and tests whether one path is below another.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { reasonOf } from "./files.js";

/**
 * A path with its links resolved, as far as it exists. Undefined for something without a path of its own, such as a
 * pipe of a process.
 */
export function realPathOf(path: string): string | undefined {
  if (existsSync(path)) return existingPathOf(path);
  const above = dirname(path) === path ? path : realPathOf(dirname(path));
  return above === path ? path : above && join(above, basename(path));
}

function existingPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Every place that a path goes through, as far as it exists: its end, then each of its links. */
export function waysTo(path: string): string[] {
  const ways: string[] = [];
  for (let way = path; way !== dirname(way); way = dirname(way)) {
    const above = dirname(way);
    if (existsSync(above)) ways.push(join(realpathSync.native(above), basename(way)));
  }
  return existsSync(path) ? [realpathSync.native(path), ...ways] : ways;
}

/** The relative path from a folder to a path below it, with slashes; undefined for other paths. Resolves no links. */
export function pathWithin(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  const isBelow = way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return isBelow ? way.split(sep).join("/") : undefined;
}
