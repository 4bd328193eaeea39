// Which commits a worker's clone takes for states of its branch, and how two commits relate.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openClone } from "../../../src/serve/queue/clone.js";
import { ioFor } from "../../run/call.js";
import { folderOf } from "../../support/run.js";
import { git } from "./machines.js";

async function openDesk() {
  const made = folderOf();
  onTestFinished(() => made.remove());
  const [remote, desk] = [join(made.path, "origin.git"), join(made.path, "desk")];
  git(made.path, "init", "--quiet", "--bare", "--initial-branch=main", remote);
  git(made.path, "clone", "--quiet", remote, desk);
  git(desk, "switch", "--quiet", "--create", "main");
  const commit = (name: string) => {
    writeFileSync(join(desk, name), name);
    git(desk, "add", ".");
    git(desk, "commit", "--quiet", "-m", name);
    return git(desk, "rev-parse", "HEAD");
  };
  const push = (...words: readonly string[]) => git(desk, "push", "--quiet", ...words);
  const folder = join(made.path, "clones");
  mkdirSync(folder);
  const { io } = ioFor({ cwd: made.path, env: { PATH: process.env["PATH"], HOME: made.path } });
  const clone = await openClone({ io, remote, branch: "main", folder });
  onTestFinished(() => clone.release());
  return { clone, commit, push, git: (...words: readonly string[]) => git(desk, ...words) };
}

test("takes commits inside of merged branches for no states of the branch", async () => {
  const { clone, commit, push, git: inDesk } = await openDesk();
  const first = commit("first");
  inDesk("switch", "--quiet", "--create", "side");
  const side = commit("side");
  const tipOfSide = commit("tip-of-side");
  inDesk("switch", "--quiet", "main");
  inDesk("merge", "--quiet", "--no-ff", "--no-edit", "side");
  const merged = inDesk("rev-parse", "HEAD");
  const last = commit("last");
  push("origin", "main");
  expect(await clone.fetch()).toBe(last);
  const has = await Promise.all(
    [first, side, tipOfSide, merged, last].map((each) => clone.has(each)),
  );
  expect(has).toEqual([true, false, false, true, true]);
  expect(await clone.has("main")).toBe(false);
  expect(await clone.has("1".repeat(40))).toBe(false);
  await expect(clone.within(side, async () => "done")).rejects.toThrow("is not on the branch");
  // What was applied from inside of a merged branch is part of the merge.
  expect(await clone.relation(side, merged)).toBe("contained");
  expect(await clone.relation(last, merged)).toBe("ahead");
});

test("forgets what it knew of a branch that was rewritten", async () => {
  const { clone, commit, push, git: inDesk } = await openDesk();
  const first = commit("first");
  const gone = commit("gone");
  push("origin", "main");
  await clone.fetch();
  expect(await clone.has(gone)).toBe(true);
  inDesk("reset", "--quiet", "--hard", first);
  const other = commit("other");
  push("--force", "origin", "main");
  await clone.fetch();
  expect(await Promise.all([gone, other].map((each) => clone.has(each)))).toEqual([false, true]);
  expect(await clone.relation(gone, other)).toBe("rewritten");
});
