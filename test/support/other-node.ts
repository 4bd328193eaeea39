// A major version of Node → the folder of its program, from the npm package "node", as long as some work takes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PROJECT, folderOf } from "./run.js";

/** Needs the registry of npm. Undefined where that has none to give. */
export function withNode<T>(major: string, work: (bin: string) => T): T | undefined {
  const folder = folderOf();
  try {
    // Kept out of the project's own dependencies, of which no test is to find it.
    const words = ["install", "--silent", "--no-save", "--prefix", folder.path, `node@${major}`];
    const { status } = spawnSync("npm", words, { cwd: PROJECT, stdio: "inherit" });
    return status === 0 ? work(join(folder.path, "node_modules/node/bin")) : undefined;
  } finally {
    folder.remove();
  }
}

export const isMajor = (word: string) => /^\d+$/.test(word);
