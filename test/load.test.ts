// The command starts from what V8 compiled in earlier runs, trusts none of it blindly, and works as well without it.
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fc } from "./support/property.js";
import { PROJECT, folderOf, runProgram, type Environment, type Ran } from "./support/run.js";

const DIST = join(PROJECT, "dist");
const SAID: Ran = { exit: 0, stdout: "portal.yaml: no problems.\n", stderr: "" };
const PORTAL = 'targetVersion: "11.5"\nportal: { url: "https://gis.example.com/portal" }\n';

const IS_ROOT = process.geteuid?.() === 0;

interface Place {
  readonly home: string;
  readonly own: string;
  /** A copy of dist that a test may change. */
  readonly copy: () => string;
  readonly run: (more?: Environment, dist?: string, words?: readonly string[]) => Promise<Ran>;
  /** What is kept, once two runs have made and filled it. */
  readonly kept: (dist?: string) => Promise<string[]>;
}

function place(): Place {
  const folder = folderOf({ "work/portal.yaml": PORTAL });
  onTestFinished(() => folder.remove());
  const home = folder.path;
  const own = join(home, ".cache/lintel");
  const run: Place["run"] = (more = {}, dist = DIST, words = []) =>
    runProgram(process.execPath, [...words, join(dist, "bin.cjs"), "validate"], {
      cwd: join(home, "work"),
      env: { HOME: home, ...more },
    });
  return {
    home,
    own,
    run,
    copy() {
      fs.cpSync(DIST, join(home, "dist"), { recursive: true });
      return join(home, "dist");
    },
    async kept(dist) {
      for (let time = 0; time < 2; time++) expect(await run({}, dist)).toEqual(SAID);
      return filesIn(own);
    },
  };
}

const namesIn = (folder: string) =>
  fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

function filesIn(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => fs.statSync(path).isFile());
}

test("the first run makes a folder for this user alone, the second fills it, the third takes it", async () => {
  const { own, run } = place();
  expect(await run()).toEqual(SAID);
  expect(fs.statSync(own).mode & 0o777).toBe(0o700);
  expect(filesIn(own)).toEqual([]);
  await run();
  const kept = filesIn(own);
  expect(kept.length).toBeGreaterThan(1);
  const written = () => kept.map((path) => fs.statSync(path).mtimeMs);
  const before = written();
  expect(await run()).toEqual(SAID);
  expect(written()).toEqual(before);
  expect(filesIn(own)).toEqual(kept);
});

test("V8 takes all that was kept", async () => {
  const { home, run } = place();
  fs.writeFileSync(
    join(home, "count.cjs"),
    `const vm = require("node:vm");
let anew = 0;
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    if (this.cachedDataRejected !== false) anew++;
  }
};
process.on("exit", () => console.error(anew));`,
  );
  const counted = () => run({}, DIST, ["-r", join(home, "count.cjs")]);
  await counted();
  expect(Number((await counted()).stderr)).toBeGreaterThan(1);
  expect((await counted()).stderr).toBe("0\n");
});

const DAMAGES = [
  (bytes: Buffer, at: number) => bytes.subarray(0, at),
  (bytes: Buffer, at: number) => bytes.fill(0, at),
  (bytes: Buffer, at: number) => bytes.fill((bytes[at] ?? 0) ^ 0x55, at, at + 1),
  (bytes: Buffer, at: number) => bytes.copyWithin(at, 0),
];

test("what another command calls of the same pieces is kept as well", async () => {
  const { home, kept, own, run } = place();
  const sizes = () =>
    Object.fromEntries(filesIn(own).map((path) => [path, fs.statSync(path).size]));
  await kept();
  const before = sizes();
  const plan = [join(DIST, "bin.cjs"), "plan", "--offline"];
  const cwd = join(home, "work");
  const { exit } = await runProgram(process.execPath, plan, { cwd, env: { HOME: home } });
  expect(exit).toBe(0);
  const after = sizes();
  const grown = Object.keys(before).filter((path) => (after[path] ?? 0) > (before[path] ?? 0));
  expect(grown.length).toBeGreaterThan(1);
  expect(await run()).toEqual(SAID);
});

test("200 damages change nothing", { timeout: 300_000 }, async () => {
  const { kept, run } = place();
  const files = await kept();
  const drawn = fc.sample(fc.record({ file: fc.nat(), at: fc.nat(), kind: fc.nat() }), 200);
  for (let first = 0; first < drawn.length; first += 10) {
    for (const { file, at, kind } of drawn.slice(first, first + 10)) {
      const path = files[file % files.length] ?? "";
      const bytes = fs.readFileSync(path);
      const damage = DAMAGES[kind % DAMAGES.length];
      if (damage) fs.writeFileSync(path, damage(bytes, at % (bytes.length || 1)));
    }
    expect(await run()).toEqual(SAID);
  }
});

test("what was kept for another piece changes nothing", async () => {
  const { kept, run } = place();
  const files = await kept();
  const [first = "", ...rest] = files.map((file) => fs.readFileSync(file));
  for (const [at, bytes] of [...rest, first].entries()) fs.writeFileSync(files[at] ?? "", bytes);
  expect(await run()).toEqual(SAID);
});

test("a piece that was changed runs as it is now", async () => {
  const { copy, kept, run } = place();
  const dist = copy();
  await kept(dist);
  for (const file of filesIn(join(dist, "pieces"))) {
    const text = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, text.replaceAll("no problems", "no troubles"));
  }
  expect(await run({}, dist)).toEqual({ ...SAID, stdout: "portal.yaml: no troubles.\n" });
});

test("eight runs at once leave nothing broken", async () => {
  const { own, run } = place();
  await run();
  for (const each of await Promise.all(Array.from({ length: 8 }, () => run()))) {
    expect(each).toEqual(SAID);
  }
  const files = filesIn(own);
  expect(files.filter((file) => file.endsWith(".new"))).toEqual([]);
  const written = files.map((file) => fs.statSync(file).mtimeMs);
  expect(await run()).toEqual(SAID);
  expect(files.map((file) => fs.statSync(file).mtimeMs)).toEqual(written);
});

test("what cannot be kept leaves no draft behind", async () => {
  const { kept, own, run } = place();
  for (const file of await kept()) {
    fs.rmSync(file);
    fs.mkdirSync(file);
  }
  expect(await run()).toEqual(SAID);
  expect(filesIn(own)).toEqual([]);
});

test("a home that is no absolute path is left alone", async () => {
  const { home, run } = place();
  fs.mkdirSync(join(home, "work/home"));
  expect(await run({ HOME: "home" })).toEqual(SAID);
  expect(namesIn(join(home, "work/home"))).toEqual([]);
});

test("what other builds left is dropped but for the newest, and nothing else", async () => {
  const { own, run } = place();
  const build = (at: number) => `0123456789${10 + at}-v20.20.2-x64`;
  for (let at = 0; at < 20; at++) {
    for (const name of [build(at), `work-${at}`]) {
      fs.mkdirSync(join(own, name), { recursive: true });
      fs.utimesSync(join(own, name), at, at);
    }
  }
  fs.chmodSync(own, 0o700);
  expect(await run()).toEqual(SAID);
  const left = fs.readdirSync(own);
  expect(left.filter((name) => name.startsWith("work-"))).toHaveLength(20);
  expect(left).toHaveLength(28);
  expect(left).toContain(build(19));
});

const REFUSED: Readonly<Record<string, (place: Place) => Environment | void>> = {
  "one that others may write": ({ own }) => fs.chmodSync(own, 0o777),
  "one that a group may write": ({ own }) => fs.chmodSync(own, 0o770),
  "a link to a folder": ({ home, own }) => {
    fs.renameSync(own, join(home, "elsewhere"));
    fs.symlinkSync(join(home, "elsewhere"), own);
  },
  "a file": ({ own }) => {
    fs.rmSync(own, { recursive: true });
    fs.writeFileSync(own, "");
  },
  "one in a folder where anybody may put another": ({ home }) =>
    fs.chmodSync(join(home, ".cache"), 0o777),
  "one of somebody else": ({ own }) => fs.chownSync(own, 65534, 65534),
  "one below a file": ({ home }) => ({ XDG_CACHE_HOME: join(home, "work/portal.yaml/x") }),
  "one below a folder that is missing": ({ home }) => ({ XDG_CACHE_HOME: join(home, "gone/x") }),
  "one in no home": () => ({ HOME: undefined }),
  "one that Node's own variable switches off": () => ({ NODE_DISABLE_COMPILE_CACHE: "1" }),
};

test.each(Object.entries(REFUSED))(
  "%s is not used, and the command works",
  async (name, change) => {
    if (name === "one of somebody else" && !IS_ROOT) return;
    const here = place();
    await here.run();
    const more = change(here) || {};
    const before = namesIn(here.home);
    for (let time = 0; time < 3; time++) expect(await here.run(more)).toEqual(SAID);
    expect(namesIn(here.home)).toEqual(before);
  },
);

test.runIf(IS_ROOT)("root makes none in somebody else's home", async () => {
  const { home, run } = place();
  fs.chownSync(home, 65534, 65534);
  expect(await run()).toEqual(SAID);
  expect(fs.existsSync(join(home, ".cache"))).toBe(false);
  fs.mkdirSync(join(home, ".cache"));
  fs.chownSync(join(home, ".cache"), 65534, 65534);
  expect(await run()).toEqual(SAID);
  expect(fs.readdirSync(join(home, ".cache"))).toEqual([]);
});

test.each([
  ["18.20.8", 1, "error: Lintel needs Node 20.19 or later, and this is Node 18.20.8.\n"],
  ["20.18.9", 1, "error: Lintel needs Node 20.19 or later, and this is Node 20.18.9.\n"],
  ["20.19.0", 0, ""],
  ["30.0.0", 0, ""],
])("Node %s is told apart", async (version, exit, said) => {
  const { home, run } = place();
  const preload = join(home, "version.cjs");
  const versions = `{ ...process.versions, node: "${version}" }`;
  fs.writeFileSync(preload, `Object.defineProperty(process, "versions", { value: ${versions} });`);
  const ran = await run({}, DIST, ["-r", preload]);
  expect(ran.exit).toBe(exit);
  expect(ran.stderr.split("  help: ")[0]).toBe(said);
});

test("what stays off the network loads nothing for it", async () => {
  const { home, run } = place();
  const preload = join(home, "asked.cjs");
  fs.writeFileSync(
    preload,
    `const Module = require("module");
const { _load } = Module;
const asked = new Set();
Module._load = function (name, ...more) {
  if (!name.startsWith("/")) asked.add(name.replace("node:", ""));
  return _load.call(this, name, ...more);
};
process.on("exit", () => require("fs").writeSync(2, [...asked].join(" ")));`,
  );
  const { stderr } = await run({}, DIST, ["-r", preload]);
  expect(stderr).toMatch(/\bvm\b/);
  expect(stderr).not.toMatch(/\b(?:net|tls|https?|crypto|child_process|zlib)\b/);
});
