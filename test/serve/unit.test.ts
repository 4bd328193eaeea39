// The services that the packages bring: systemd understands every line of them.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cacheFolder } from "../../src/io.js";
import { folderOf, PROJECT, runProgram } from "../support/run.js";

const folder = join(PROJECT, "systemd");
const units = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), "utf8"),
}));
const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;

if (!isThere) console.warn("systemd-analyze is not installed: the services are not verified.");

test.skipIf(!isThere).each(units)(
  "systemd-analyze finds nothing wrong with $name",
  async (unit) => {
    const own = folderOf();
    onTestFinished(() => own.remove());
    const path = join(own.path, unit.name);
    const verify = (text: string) => {
      // Lintel need not be installed where it is tested.
      writeFileSync(path, text.replace("/usr/bin/lintel", process.execPath));
      return runProgram("systemd-analyze", ["verify", path]);
    };
    expect(await verify(unit.text)).toEqual({ exit: 0, stdout: "", stderr: "" });
    const wrong = unit.text.replace("KillMode=mixed", "KillMode=mixd");
    expect((await verify(wrong)).stderr).toContain("mixd");
  },
);

test.each(units)("systemd leaves $name the time that it takes to end", ({ text }) => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThan(30);
});

test.each(units)("lets $name write its cache, such as a worker's clone", ({ text }) => {
  const [, variables = ""] = /^Environment=(.*)$/m.exec(text) ?? [];
  const env = Object.fromEntries(variables.split(" ").map((each) => each.split("=")));
  const [, folder = ""] = /^CacheDirectory=(.*)$/m.exec(text) ?? [];
  expect(cacheFolder({ env })).toBe(join("/var/cache", folder));
});

test("restricts both services in the same way", () => {
  const bounds = units.map(({ text }) => text.slice(text.indexOf("\nNoNewPrivileges=")));
  expect(units.map(({ name }) => name)).toEqual(["lintel-worker.service", "lintel.service"]);
  expect(new Set(bounds).size).toBe(1);
});
