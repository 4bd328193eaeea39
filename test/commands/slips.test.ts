// Slips that people made on the way: each has a way out of its own.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOf, lintel } from "../support/run.js";

const GOOD = 'targetVersion: "11.5"\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOf(files);
  onTestFinished(() => folder.remove());
  return folder.path;
}

test("a report that cannot be written is told once, without a trace", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  const { exit, stderr } = await lintel(["validate", "good.yaml", "-o", "json=/proc/no"], { cwd });
  expect(exit).toBe(1);
  expect(stderr.match(/cannot be written/g)).toHaveLength(1);
  expect(stderr).not.toMatch(/\n {4}at /);
});

test("--quiet leaves away that there is no problem, and nothing that was asked for", async () => {
  const cwd = folderWith({ "good.yaml": GOOD });
  expect((await lintel(["validate", "-q", "good.yaml"], { cwd })).stdout).toBe("");
  expect((await lintel(["schema", "-q", "11.5"], { cwd })).stdout).toContain('"$schema"');
  expect((await lintel(["explain", "-q", "text"], { cwd })).stdout).toContain("text");
});

test("init in a folder writes the usual file there", async () => {
  const cwd = folderWith({ "portals/readme.txt": "" });
  const url = ["--url", "https://gis.example.com/portal/sharing/rest"];
  expect((await lintel(["init", "portals", ...url], { cwd })).exit).toBe(0);
  expect((await lintel(["init", "new/", ...url], { cwd })).exit).toBe(0);
  expect(existsSync(join(cwd, "portals/portal.yaml"))).toBe(true);
  expect(readFileSync(join(cwd, "new/portal.yaml"), "utf8")).toContain("targetVersion");
});

test("init writes no password into a file", async () => {
  const cwd = folderWith({});
  const url = ["--url", "https://admin:hunter2@gis.example.com/portal/sharing/rest"];
  expect((await lintel(["init", ...url], { cwd })).exit).toBe(64);
  expect(existsSync(join(cwd, "portal.yaml"))).toBe(false);
});

test("a mistake in a base that several files extend is told once", async () => {
  const cwd = folderWith({
    "_base.yaml": "settings: { blockBetaApps: 1 }\n",
    "a.yaml": `${GOOD}extends: _base.yaml\n`,
    "b.yaml": `${GOOD}extends: _base.yaml\n`,
  });
  const { exit, stdout } = await lintel(["validate", "."], { cwd });
  expect(exit).toBe(3);
  expect(stdout).toContain("2 files: 1 error.");
});
