// Every Node that is current, from the npm package "node" → all tests under each, or those that are named. As a script: nodes.ts [MAJOR…] [words for vitest…].
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { PROJECT, folderOf } from "./support/run.js";

const CURRENT = ["20", "22", "24", "26"];

const given = process.argv.slice(2);
const isMajor = (word: string) => /^\d+$/.test(word);
const majors = given.filter(isMajor);
const words = given.filter((word) => !isMajor(word));

const failed = (majors.length > 0 ? majors : CURRENT).filter((major) => !passes(major));
if (failed.length > 0) {
  process.stderr.write(`Not all is well under Node ${failed.join(" and ")}.\n`);
  process.exitCode = 1;
}

/** Needs the registry of npm. */
function passes(major: string): boolean {
  const folder = folderOf();
  try {
    // Kept out of the project's own dependencies, of which no test is to find it.
    const place = ["--silent", "--no-save", "--prefix", folder.path];
    const path = `${join(folder.path, "node_modules/node/bin")}${delimiter}${process.env["PATH"]}`;
    const run = (program: string, more: readonly string[], PATH = process.env["PATH"]) =>
      spawnSync(program, more, { cwd: PROJECT, stdio: "inherit", env: { ...process.env, PATH } })
        .status === 0;
    if (!run("npm", ["install", ...place, `node@${major}`])) return false;
    run("node", ["--eval", "console.log(`Node ${process.version}`)"], path);
    if (!run("npm", ["run", "--silent", "build"], path)) return false;
    const vitest = join(PROJECT, "node_modules/vitest/vitest.mjs");
    return run("node", [vitest, "run", "--config", "test/vitest.config.ts", ...words], path);
  } finally {
    folder.remove();
  }
}
