// The service that the packages bring: systemd understands every line of it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf, PROJECT, runProgram } from "../support/run.js";

const unit = readFileSync(join(PROJECT, "systemd/lintel.service"), "utf8");
const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;

if (!isThere) console.warn("systemd-analyze is not installed: the service is not verified.");

test.skipIf(!isThere)("systemd-analyze finds nothing wrong with it", async () => {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "lintel.service");
  const verify = (text: string) => {
    // Lintel need not be installed where it is tested.
    writeFileSync(path, text.replace("/usr/bin/lintel", process.execPath));
    return runProgram("systemd-analyze", ["verify", path]);
  };
  expect(await verify(unit)).toEqual({ exit: 0, stdout: "", stderr: "" });
  expect((await verify(unit.replace("KillMode=mixed", "KillMode=mixd"))).stderr).toContain("mixd");
});

test("systemd leaves it the time that it takes to end", () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  expect(Number(seconds)).toBeGreaterThan(30);
});
