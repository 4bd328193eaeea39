// Runs all tests, or those that are named, under every current Node. As a script: nodes.ts [MAJOR…] [words for vitest…].
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { installNode, isMajor } from "../build/other-node.js";
import { PROJECT } from "./support/run.js";

const CURRENT = ["20", "22", "24", "26"];

const given = process.argv.slice(2);
const majors = given.filter(isMajor);
const words = given.filter((word) => !isMajor(word));

const failed = (majors.length > 0 ? majors : CURRENT).filter(
  (major) => !passes(installNode(major)),
);
if (failed.length > 0) {
  process.stderr.write(`Not all is well under Node ${failed.join(" and ")}.\n`);
  process.exitCode = 1;
}

function passes(bin: string): boolean {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
  const run = (program: string, more: readonly string[]) =>
    spawnSync(program, more, { cwd: PROJECT, stdio: "inherit", env }).status === 0;
  run("node", ["--eval", "console.log(`Node ${process.version}`)"]);
  if (!run("npm", ["run", "--silent", "build"])) return false;
  const vitest = join(PROJECT, "node_modules/vitest/vitest.mjs");
  return run("node", [vitest, "run", "--config", "test/vitest.config.ts", ...words]);
}
