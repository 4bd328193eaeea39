// The same file gives the same outcome on a machine that has hardly any time for it: one core, with two endless loops beside.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BIN, PROJECT, runProgram } from "../support/run.js";

const ON_ONE_CORE = ["--cpu-list", "0", process.execPath];
const loops = [1, 2].map(() => ON_ONE_CORE.concat("--eval", "for (;;);"));
const kills: (() => void)[] = [];

beforeAll(() => {
  for (const words of loops) {
    const loop = spawn("taskset", words, { stdio: "ignore" });
    kills.push(() => loop.kill("SIGKILL"));
  }
});
afterAll(() => kills.forEach((kill) => kill()));

test.each(["00a-stock-10.9.js", "00b-stock-10.4.js"])("%s", async (name) => {
  const file = join(PROJECT, "test/migrate/files", name);
  const words = [BIN, "migrate", file, "--target", "12.1", "--all", "--output", "json"];
  const alone = await runProgram(process.execPath, words);
  const busy = await runProgram("taskset", [...ON_ONE_CORE, ...words]);
  expect(busy).toEqual(alone);
  expect(alone).toMatchObject({ exit: 0, stderr: "" });
  const { properties } = JSON.parse(alone.stdout) as { properties: { outcome: string }[] };
  expect(properties.filter(({ outcome }) => outcome === "not-understood")).toEqual([]);
});
