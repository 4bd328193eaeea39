// Installs other versions of Node from npm, out of the way of the project's own dependencies.
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { project } from "./options.js";

const THIS_SYSTEM = `${process.platform}-${process.arch}`;

/** The folder of its program, installed once. `version` is what npm takes after the @: "24", or "24.21.0". */
export function installNode(version: string, system = THIS_SYSTEM): string {
  // As a dependency its program would be on the PATH of every npm script.
  const isOther = system !== THIS_SYSTEM;
  const place = isOther ? `node-${version}-${system}` : `node-${version}`;
  const folder = join(project, "node_modules/.cache", place);
  const name = `node-${system}`;
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    const words = [
      "install",
      "--loglevel=error",
      "--no-save",
      // It is not run here.
      ...(isOther ? ["--force"] : []),
      "--prefix",
      draft,
      `${name}@${version}`,
    ];
    execFileSync("npm", words, { cwd: project, stdio: "inherit" });
    try {
      renameSync(draft, folder);
    } catch {
      // Another process was faster.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, "node_modules", name, "bin");
}

export const isMajor = (word: string) => /^\d+$/.test(word);
