// How the command starts: an older Node is refused, compiled code is kept for this user alone, and little is loaded.
import * as fs from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { installNode } from "../build/other-node.js";
import { NODE_VERSION } from "../build/package/executable.js";
import { BIN, folderOf, runProgram, type Environment, type Ran } from "./support/run.js";

const VALID: Ran = { exit: 0, stdout: "portal.yaml: no problems.\n", stderr: "" };
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

describe("compiled code", () => {
  /** Keeps it, as Node 20 does not. */
  let node = "";
  beforeAll(() => {
    node = join(installNode(NODE_VERSION), "node");
  }, 300_000);

  const filesIn = (folder: string) =>
    fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

  test("is kept in a folder for this user alone", async () => {
    const { home, run } = place();
    expect(await run(node)).toEqual(VALID);
    const own = join(home, ".cache/lintel");
    expect(fs.statSync(own).mode & 0o777).toBe(0o700);
    const kept = filesIn(own);
    expect(kept.length).toBeGreaterThan(5);
    expect(await run(node)).toEqual(VALID);
    expect(filesIn(own)).toEqual(kept);
  });

  test("is kept where XDG_CACHE_HOME says", async () => {
    const { home, run } = place();
    fs.mkdirSync(join(home, "caches"));
    expect(await run(node, { XDG_CACHE_HOME: join(home, "caches") })).toEqual(VALID);
    expect(filesIn(join(home, "caches/lintel")).length).toBeGreaterThan(5);
    expect(fs.existsSync(join(home, ".cache"))).toBe(false);
  });

  test.each<[string, (home: string) => Environment]>([
    ["a home that is no absolute path", () => ({ HOME: "." })],
    ["no home", () => ({ HOME: undefined })],
    ["a folder below a file", (home) => ({ XDG_CACHE_HOME: join(home, "preload.cjs/x") })],
    ["a folder that is missing", (home) => ({ XDG_CACHE_HOME: join(home, "gone") })],
    ["Node's own variable", () => ({ NODE_DISABLE_COMPILE_CACHE: "1" })],
  ])("is not kept, and the command works: %s", async (_name, environment) => {
    const { home, run } = place();
    const before = filesIn(home);
    expect(await run(node, environment(home))).toEqual(VALID);
    expect(filesIn(home).filter((name) => !/^\.cache(\/lintel)?$/.test(name))).toEqual(before);
  });

  test.runIf(process.geteuid?.() === 0)("is not kept by root in another's home", async () => {
    const { home, run } = place();
    fs.chownSync(home, 65534, 65534);
    expect(await run(node)).toEqual(VALID);
    expect(fs.existsSync(join(home, ".cache"))).toBe(false);
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
