// Files that settings may refer to: those that git tracks, as git itself says, asked only where a file refers to one.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { check } from "../../src/document/check/check.js";
import { readSource } from "../../src/document/read/bytes.js";
import { newFolder } from "../state/programs.js";
import { gitEnvironment } from "../state/repositories.js";
import { folderOf } from "../support/run.js";

const NAMES = ["a.txt", "a/b/terms.txt", "with space/über uns.txt"];

function git(cwd: string, ...words: string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8", stdio: "pipe" });
}

function write(root: string, name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function repository(...init: string[]): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  git(folder.path, "init", "-q", ...init);
  for (const name of [...NAMES, "untracked.txt"]) write(folder.path, name, name);
  git(folder.path, "add", ...NAMES);
  return folder.path;
}

/** What a check says of a file whose banner is the text of another one. */
function refer(root: string, name: string, env = gitEnvironment(root)) {
  const banner = `settings: { informationalBanner: { text: "\${file:${name}}" } }\n`;
  write(root, "portal.yaml", `targetVersion: "11.5"\n${banner}`);
  const file = "portal.yaml";
  const { diagnostics } = check(file, readSource({ file, cwd: root }), { cwd: root, env });
  const own = diagnostics.filter(({ code }) => code === "outside-repository");
  return own.map(({ message, help }) => `${message}\n${help}`);
}

const UNTRACKED =
  '"untracked.txt" is not tracked by git, so that no review of this repository shows it.\nAdd it:\n  git add untracked.txt';

describe("follows git's index", () => {
  test.each([
    ["in a repository", repository],
    ["with long hashes", () => repository("--object-format=sha256")],
    [
      "in a linked work tree",
      () => {
        const root = repository();
        git(root, "commit", "-q", "-m", "First");
        const place = join(newFolder(), "tree");
        git(root, "worktree", "add", "-q", place);
        writeFileSync(join(place, "untracked.txt"), "");
        return realpathSync(place);
      },
    ],
  ])("%s", (_, open) => {
    const root = open();
    for (const name of NAMES) expect(refer(root, name)).toEqual([]);
    expect(refer(root, "untracked.txt")).toEqual([UNTRACKED]);
  });

  test("accepts a file once it is added, and refuses it after its removal", () => {
    const root = repository();
    expect(refer(root, "untracked.txt")).toEqual([UNTRACKED]);
    git(root, "add", "untracked.txt");
    expect(refer(root, "untracked.txt")).toEqual([]);
    git(root, "rm", "-q", "--cached", "untracked.txt");
    expect(refer(root, "untracked.txt")).toEqual([UNTRACKED]);
  });
});

test("before anything was added, nothing is tracked", () => {
  const root = newFolder();
  git(root, "init", "-q");
  writeFileSync(join(root, "untracked.txt"), "");
  expect(refer(root, "untracked.txt")).toEqual([UNTRACKED]);
});

describe("refuses the file with the reason if git cannot answer:", () => {
  test("git is not installed", () => {
    const root = repository();
    expect(refer(root, "a.txt", { PATH: newFolder() })).toEqual([
      'Git does not say whether it tracks "a.txt": git is not installed.\nInstall git 2.31 or later, where this command finds it.',
    ]);
  });

  test("the index is damaged", () => {
    const root = repository();
    writeFileSync(join(root, ".git/index"), "DIRC");
    const [said] = refer(root, "a.txt");
    expect(said).toMatch(
      /^Git does not say whether it tracks "a\.txt": git cannot use the repository ".+": .+\.\nSee what git says there:/,
    );
  });

  test("the folder that .git names would be below a file", () => {
    const folder = folderOf({ ".git": "gitdir: notes.txt/git\n", "notes.txt": "" });
    onTestFinished(() => folder.remove());
    expect(refer(folder.path, "notes.txt")[0]).toContain("git cannot use the repository");
  });

  test("its configuration is tracked", () => {
    const root = repository();
    git(root, "config", "include.path", "../a.txt");
    writeFileSync(join(root, "a.txt"), `[core]\n\tfsmonitor = "touch ${root}/ran"\n`);
    expect(refer(root, "with space/über uns.txt")[0]).toContain(
      "is part of git's configuration and tracked by the repository",
    );
    expect(() => readFileSync(join(root, "ran"))).toThrow("ENOENT");
  });
});

test("calls git once for all files of a run, and never without references to files", () => {
  const root = repository();
  const tools = newFolder();
  const asked = join(tools, "asked");
  const { PATH = "" } = process.env;
  const script = `#!/bin/sh\necho "$*" >> ${asked}\nPATH='${PATH}' exec git "$@"\n`;
  writeFileSync(join(tools, "git"), script, { mode: 0o755 });
  writeFileSync(asked, "");
  const env = { ...gitEnvironment(root), PATH: `${tools}:${PATH}` };
  refer(root, "not there.txt", env);
  expect(readFileSync(asked, "utf8")).toBe("");
  for (const name of [...NAMES, "untracked.txt", ...NAMES]) refer(root, name, env);
  expect(readFileSync(asked, "utf8").match(/ls-files/g)).toHaveLength(1);
});
