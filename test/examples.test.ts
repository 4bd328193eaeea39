// The examples are fit to be copied: each is checked, and those that run are run.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf, lintel, PROJECT, runProgram } from "./support/run.js";
import { fileFor, keysOf, openSandbox } from "./support/sandbox.js";

test("every desired-state file among the examples is free of errors", async () => {
  const { exit, stdout } = await lintel(["validate", "examples"]);
  expect(stdout).toMatch(/files?: no problems|warning/);
  expect(exit).toBe(0);
});

test("the demo tells its story from beginning to end", async () => {
  const { exit, stdout, stderr } = await runProgram(process.execPath, [
    join(PROJECT, "examples/quickstart/demo.mjs"),
  ]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  const told = [...stdout.matchAll(/^\$ lintel (.+)$/gm)].map(([, words]) => words);
  expect(told).toEqual([
    "sandbox --target 11.5 --output json &",
    "validate",
    "validate",
    "plan --save plan.json",
    "apply plan.json",
    "plan",
    "drift",
    "apply --yes",
    "state history",
  ]);
  expect(stdout).toContain("No changes.");
});

test("the program that embeds Lintel applies a banner, and refuses anything more", async () => {
  const sandbox = await openSandbox();
  const banner = "settings:\n  informationalBanner: { text: Back at noon, enabled: true }\n";
  const file = fileFor(sandbox, banner);
  const folder = folderOf({ "portal.yaml": file });
  onTestFinished(() => folder.remove());
  const example = join(PROJECT, "examples/library/apply.mjs");
  const run = () =>
    runProgram(process.execPath, [example], { cwd: folder.path, env: keysOf(sandbox) });
  const first = await run();
  expect(first).toMatchObject({ exit: 0, stderr: "" });
  expect(first.stdout).toContain('informationalBanner.text = "Back at noon"');
  expect(sandbox.settings()).toEqual({
    informationalBanner: { text: "Back at noon", enabled: true },
  });
  writeFileSync(join(folder.path, "portal.yaml"), `${file}  blockBetaApps: true\n`);
  expect(await run()).toMatchObject({ exit: 1 });
  expect(sandbox.settings()).not.toHaveProperty("blockBetaApps");
});
