// How the command starts: an older Node is refused, and little is loaded.
import * as fs from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, folderOf, runProgram, type Environment, type Ran } from "./support/run.js";

const PORTAL =
  'targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal/sharing/rest" }\nsettings: { blockBetaApps: true }\n';

interface Place {
  readonly home: string;
  readonly run: (node?: string, more?: Environment) => Promise<Ran>;
}

/** `preload` is run before the command. */
function place(preload = ""): Place {
  const folder = folderOf({ "work/portal.yaml": PORTAL, "preload.cjs": preload });
  onTestFinished(() => folder.remove());
  const home = folder.path;
  return {
    home,
    run: (node = process.execPath, more = {}) =>
      runProgram(node, ["-r", join(home, "preload.cjs"), BIN, "validate"], {
        cwd: join(home, "work"),
        env: { HOME: home, ...more },
      }),
  };
}

describe("Node", () => {
  const withVersion = (version: string) =>
    `const versions = { ...process.versions, node: "${version}" };
Object.defineProperty(process, "versions", { value: versions });`;

  test.each([
    ["18.20.8", "error: Lintel requires Node 20.19 or later. This is Node 18.20.8.\n"],
    ["20.18.9", "error: Lintel requires Node 20.19 or later. This is Node 20.18.9.\n"],
    ["20.19.0", ""],
    ["30.0.0", ""],
  ])("%s runs the command, or is refused as too old", async (version, error) => {
    const ran = await place(withVersion(version)).run();
    expect(ran.stderr.split("  help: ")[0]).toBe(error);
    expect(ran.exit).toBe(error === "" ? 0 : 1);
  });

  test("16 can parse all that is loaded to refuse it", async () => {
    const { run } = place(`${withVersion("16.20.2")}
const { prototype } = require("module");
const { _compile } = prototype;
const files = [];
prototype._compile = function (text, file) {
  files.push(file);
  return _compile.call(this, text, file);
};
process.on("exit", () => require("fs").writeSync(1, files.join()));`);
    const { stdout } = await run();
    const files = stdout.split(",");
    expect(files).toContain(BIN);
    for (const file of files) {
      parse(fs.readFileSync(file, "utf8"), { ecmaVersion: 2021, allowHashBang: true });
    }
  });
});

test("what stays off the network loads nothing for it", async () => {
  const { run } = place(`const Module = require("module");
const { _load } = Module;
const asked = new Set();
Module._load = function (name, ...more) {
  if (!/^[./]/.test(name)) asked.add(name.replace("node:", ""));
  return _load.call(this, name, ...more);
};
process.on("exit", () => require("fs").writeSync(2, [...asked].join(" ")));`);
  const { stderr } = await run();
  expect(stderr).toMatch(/\bpath\b/);
  expect(stderr).not.toMatch(/\b(?:net|tls|https?|zlib)\b/);
});
