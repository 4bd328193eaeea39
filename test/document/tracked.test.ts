// What git tracks, as its own command says: in every version of the index, in worktrees, with names of every kind.
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isTracked } from "../../src/document/read/tracked.js";
import { folderOf } from "../support/run.js";

const NAMES = [
  "a.txt",
  "a/b/c/terms.txt",
  "a/b/c/terms.txt.long",
  "with space/über uns.txt",
  ...Array.from({ length: 20 }, (_, at) => `many/${"x".repeat(at * 9)}${at}.txt`),
];

function git(cwd: string, ...words: string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8", stdio: "pipe" });
}

function repository(...init: string[]): string {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  git(folder.path, "init", "-q", ...init);
  for (const name of [...NAMES, "untracked.txt", "a/b/untracked.txt"]) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), name);
  }
  git(folder.path, "add", ...NAMES);
  return folder.path;
}

function expectAsGit(root: string): void {
  const tracked = git(root, "ls-files", "-z").split("\0").slice(0, -1);
  expect(tracked.toSorted()).toEqual(NAMES.toSorted());
  const others = ["untracked.txt", "a/b/untracked.txt", "a/b", "none"];
  const found = [...NAMES, ...others].filter((name) => isTracked(root, join(root, name)));
  expect(found).toEqual(NAMES);
}

describe("as git says", () => {
  test.each([2, 3, 4])("version %i of the index", (version) => {
    const root = repository();
    // One that is meant to be added later has more flags, which version 2 does not know.
    if (version === 3) git(root, "update-index", "--skip-worktree", "a.txt");
    git(root, "update-index", "--index-version", String(version));
    expectAsGit(root);
  });

  test("with long hashes", () => expectAsGit(repository("--object-format=sha256")));

  test("in a worktree", () => {
    const root = repository();
    git(root, "commit", "-q", "-m", "First");
    const other = folderOf();
    onTestFinished(() => other.remove());
    const place = join(other.path, "tree");
    git(root, "worktree", "add", "-q", place);
    expectAsGit(realpathSync(place));
  });

  test("as soon as it is added, and no more once it is removed", () => {
    const root = repository();
    const path = join(root, "untracked.txt");
    expect(isTracked(root, path)).toBe(false);
    git(root, "add", "untracked.txt");
    expect(isTracked(root, path)).toBe(true);
    git(root, "rm", "-q", "--cached", "untracked.txt");
    expect(isTracked(root, path)).toBe(false);
  });
});

test("nothing is tracked before anything was added, nor by an index that cannot be understood", () => {
  const root = repository();
  for (const bytes of [
    "",
    "DIRC",
    "DIRC\0\0\0\x09\0\0\0\x01",
    `DIRC\0\0\0\x02\0\0\xff\xff${"x".repeat(99)}`,
  ]) {
    writeFileSync(join(root, ".git/index"), bytes);
    expect(isTracked(root, join(root, "a.txt"))).toBe(false);
  }
});

test("nothing is tracked where the folder that `.git` names would be below a file", () => {
  const folder = folderOf({ ".git": "gitdir: notes.txt/git\n", "notes.txt": "" });
  onTestFinished(() => folder.remove());
  expect(isTracked(folder.path, join(folder.path, "notes.txt"))).toBe(false);
});
