// Writes generated files, and only those that changed: a build counts as stale if a source is newer.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns whether it wrote. */
export function writeIfChanged(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

/** By path below the project. */
export function writeFiles(project: string, files: ReadonlyMap<string, string>): void {
  const changed = [...files].filter(([path, text]) => writeIfChanged(join(project, path), text));
  console.log(`${changed.length} of ${files.size} generated files changed.`);
}

/** Removes JSON files of a folder that are no longer generated. */
export function removeOthers(
  project: string,
  folder: string,
  files: ReadonlyMap<string, string>,
): void {
  for (const name of readdirSync(join(project, folder))) {
    const path = `${folder}/${name}`;
    if (name.endsWith(".json") && !files.has(path)) rmSync(join(project, path));
  }
}
