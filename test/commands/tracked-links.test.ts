// What Lintel writes goes through no link that the repository tracks: a pull request may have put it there, to where the file must not go.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call } from "../run/call.js";
import { gitEnvironment } from "../state/repositories.js";
import { folderOf } from "../support/run.js";
import { fileFor, keysOf, openSandbox } from "../support/sandbox.js";

const SETTINGS = "settings: { blockBetaApps: true }\n";

/** A repository "here", beside it a folder, and links from one to the other; some are tracked. */
async function openPlace() {
  const sandbox = await openSandbox();
  const portal = fileFor(sandbox, SETTINGS);
  const folder = folderOf({
    "here/portal.yaml": portal,
    "here/files/mine.yaml": portal,
    "here/config.js": "window.esriGeowConfig = { tokenExpiration: 30 };\n",
    "elsewhere/mine.yaml": portal,
  });
  onTestFinished(() => folder.remove());
  const here = join(folder.path, "here");
  const env = gitEnvironment(folder.path);
  const git = (...words: string[]) => execFileSync("git", words, { cwd: here, env });
  git("init", "--quiet");
  symlinkSync("../elsewhere", join(here, "out"));
  symlinkSync(".git/hooks", join(here, "hooks"));
  symlinkSync("../elsewhere/new.yaml", join(here, "report.html"));
  symlinkSync("files", join(here, "way"));
  git("add", "--all");
  symlinkSync("../elsewhere", join(here, "own"));
  const listed = () => [
    ...readdirSync(join(folder.path, "elsewhere"), { recursive: true }),
    ...readdirSync(join(here, ".git/hooks")),
    ...readdirSync(join(here, "files")),
  ];
  const before = listed();
  return {
    sandbox,
    folder: folder.path,
    here,
    run: (line: string, more = {}, cwd = here) =>
      call(line.split(" "), { cwd, env: { ...env, ...keysOf(sandbox), ...more } }),
    expectNothingNew: () => expect(listed()).toEqual(before),
  };
}

const WRITING: readonly (readonly [name: string, words: string])[] = [
  ["a report", "plan portal.yaml --output html=FILE"],
  ["a saved plan", "plan portal.yaml --save FILE"],
  ["an export", "preview portal.yaml --output html=FILE"],
  ["a converted file", "migrate config.js --target 11.0 --out FILE"],
  ["a new file", "init FILE --url https://gis.example.com/portal --target 12.1"],
];

describe.each(WRITING)("%s", (_, words) => {
  test.each([
    ["out/new", "out", "elsewhere/new"],
    ["hooks/post-merge", "hooks", "here/.git/hooks/post-merge"],
    ["out/not/there/new", "out", "elsewhere/not/there/new"],
    ["way/new", "way", "here/files/new"],
  ])("is not written to %s, by way of a tracked link", async (file, link, real) => {
    const { run, folder, here, expectNothingNew } = await openPlace();
    const ran = await run(words.replace("FILE", file));
    expect(ran.exit).toBe(1);
    const said = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
    expect(said).toContain(
      `cannot be written: the repository tracks the link "${join(here, link)}" on the way to it.`,
    );
    expect(said).toContain(
      `A pull request may have added that link. If the link is intended, name its target: ${join(folder, real)}`,
    );
    expectNothingNew();
  });

  test("is written by way of a link that is not tracked", async () => {
    const { run, folder } = await openPlace();
    expect([0, 3]).toContain((await run(words.replace("FILE", "own/new"))).exit);
    expect(existsSync(join(folder, "elsewhere/new"))).toBe(true);
  });
});

test("a report is not written to a tracked link itself", async () => {
  const { run, expectNothingNew } = await openPlace();
  const ran = await run("plan portal.yaml --output html=report.html");
  expect([ran.exit, ran.stderr]).toEqual([1, expect.stringContaining("it is a link")]);
  expectNothingNew();
});

test("an apply whose report would go through a tracked link does nothing", async () => {
  const { run, sandbox, expectNothingNew } = await openPlace();
  const ran = await run("apply portal.yaml --yes --output json=out/report.json");
  expect([ran.exit, ran.stderr]).toEqual([1, expect.stringContaining("[not-writable]")]);
  expect(sandbox.requests).toEqual([]);
  expectNothingNew();
});

test("a link counts that is reached from elsewhere, and by way of others", async () => {
  const { run, folder, expectNothingNew } = await openPlace();
  symlinkSync("here", join(folder, "road"));
  for (const file of [`${folder}/here/out/new`, "road/out/new"]) {
    const ran = await run(`plan here/portal.yaml --save ${file}`, {}, folder);
    expect([file, ran.exit, ran.stderr]).toEqual([file, 1, expect.stringContaining("here/out")]);
  }
  expectNothingNew();
});

test("where git cannot say whether a link is tracked, nothing is written through it", async () => {
  const { run, here, expectNothingNew } = await openPlace();
  mkdirSync(join(here, "empty"));
  const ran = await run("validate --output json=own/new", { PATH: join(here, "empty") });
  expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining(
      `git did not answer whether it tracks the link "${join(here, "own")}" on the way to it: git is not installed.`,
    ),
  ]);
  expectNothingNew();
});

describe("a file that is changed in place", () => {
  const upgrade = (file: string) => `upgrade ${file} --to 12.1 --write`;

  test("may lie behind a tracked link to another folder of the repository", async () => {
    const { run, here } = await openPlace();
    const file = join(here, "files/mine.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("12.1", "12.0"));
    expect(await run(upgrade("way/mine.yaml"))).toMatchObject({ exit: 0 });
    expect(readFileSync(file, "utf8")).toContain('"12.1"');
  });

  test.each([
    "upgrade FILE --to 12.1 --write",
    "pull portal.yaml --into FILE",
    "migrate config.js --target 11.0 --into FILE",
  ])("is left as it is behind one that leads out of the repository: %s", async (words) => {
    const { run, folder, sandbox } = await openPlace();
    sandbox.change("self", { blockBetaApps: false });
    const file = join(folder, "elsewhere/mine.yaml");
    const text = readFileSync(file, "utf8").replace("12.1", "12.0");
    writeFileSync(file, text);
    const ran = await run(words.replace("FILE", "out/mine.yaml"));
    expect(ran.stdout + ran.stderr).toMatch(/\[(outside-repository|not-writable)\]/);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
