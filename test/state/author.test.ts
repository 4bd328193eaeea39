// The author, the commit and the job in the history.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { authorOf } from "../../src/state/author/author.js";
import { isPart } from "../../src/state/author/checkout.js";
import { makeRun } from "../support/network.js";
import { folderOf } from "../support/run.js";

const PATH = process.env["PATH"] ?? "";

function repository() {
  const folder = folderOf({ "portal.yaml": "a: 1\n", "_base.yaml": "b: 1\n", "other.yaml": "" });
  onTestFinished(() => folder.remove());
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
      cwd: folder.path,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  const commit = git("rev-parse", "HEAD");
  const path = (name: string) => join(folder.path, name);
  const commitOf = async (...files: string[]) =>
    (await authorOf({ ...makeRun({ PATH }).io, cwd: folder.path }, files)).commit;
  // Each is a run of its own, which asks git anew.
  const partIn = (cwd: string, told: string) =>
    isPart(told, { ...makeRun({ PATH }).io, cwd }, ["portal.yaml"]);
  return {
    commit,
    git,
    path,
    commitOf,
    partIn,
    isPart: (told: string) => partIn(folder.path, told),
  };
}

test("names the checked-out commit, and marks uncommitted changes", async () => {
  const { commit, path, commitOf } = repository();
  expect(await commitOf("portal.yaml", "_base.yaml")).toBe(commit);
  writeFileSync(path("other.yaml"), "changed");
  expect(await commitOf("portal.yaml", "_base.yaml")).toBe(commit);
});

test.each([["portal.yaml"], ["_base.yaml"], ["new.yaml"]])(
  "a change of %s that is not committed shows",
  async (changed) => {
    const { commit, path, commitOf } = repository();
    writeFileSync(path(changed), "changed");
    expect(await commitOf("portal.yaml", "_base.yaml", "new.yaml")).toBe(`${commit}-dirty`);
  },
);

test("runs no program of a folder that only looks like a repository", async () => {
  const { path, commitOf } = repository();
  const [planted, ran] = [path("portals"), path("ran")];
  execFileSync("git", ["init", "--quiet", "--bare", planted]);
  const config = {
    "core.bare": "false",
    "core.worktree": "..",
    "core.fsmonitor": `touch ${ran}; :`,
  };
  for (const [key, value] of Object.entries(config)) {
    execFileSync("git", ["config", "--file", join(planted, "config"), key, value]);
  }
  writeFileSync(join(planted, "portal.yaml"), "a: 1\n");
  await commitOf("portals/portal.yaml");
  expect(existsSync(ran)).toBe(false);
});

test("names the author from git, else from the system; in a pipeline, the person who started it", async () => {
  const folder = folderOf({ "portal.yaml": "", ".gitconfig": "[user]\n\tname = Ada Lovelace\n" });
  onTestFinished(() => folder.remove());
  const actorIn = async (env: Record<string, string>) =>
    (await authorOf({ ...makeRun(env).io, cwd: folder.path }, ["portal.yaml"])).actor;
  const root = { PATH, HOME: folder.path, USER: "root", LOGNAME: "root" };
  expect(await actorIn(root)).toBe("Ada Lovelace");
  expect(await actorIn({ ...root, GIT_AUTHOR_NAME: "Grace" })).toBe("Grace");
  expect(await actorIn({ ...root, HOME: join(folder.path, "none") })).toBe("root");
  expect(await actorIn({ ...root, PATH: folder.path })).toBe("root");
  expect(await actorIn({ ...root, GITLAB_USER_LOGIN: "ada" })).toBe("ada");
});

test("starts git only for unknown facts: outside of a repository for the name, in a pipeline for none", async () => {
  const folder = folderOf({ "portal.yaml": "", git: '#!/bin/sh\necho "$*" >> "$HOME/asked"\n' });
  onTestFinished(() => folder.remove());
  chmodSync(join(folder.path, "git"), 0o755);
  const asked = join(folder.path, "asked");
  const askedIn = async (env: Record<string, string>) => {
    writeFileSync(asked, "");
    const { io } = makeRun({ PATH: folder.path, HOME: folder.path, ...env });
    await authorOf({ ...io, cwd: folder.path }, ["portal.yaml"]);
    return readFileSync(asked, "utf8").replaceAll(/-c \S+ /g, "");
  };
  expect(await askedIn({})).toBe("config --list --show-origin -z\n");
  expect(await askedIn({ GITHUB_ACTOR: "ada" })).toBe("");
  mkdirSync(join(folder.path, ".git"));
  expect(await askedIn({ GITHUB_ACTOR: "ada" })).toBe("rev-parse --absolute-git-dir\n");
});

test("takes the commit from the pipeline outside of git, or without it", async () => {
  const folder = folderOf({ "portal.yaml": "" });
  onTestFinished(() => folder.remove());
  const at = (env: Record<string, string>) => ({ ...makeRun(env).io, cwd: folder.path });
  expect(await authorOf(at({ PATH }), ["portal.yaml"])).not.toHaveProperty("commit");
  const github = {
    GITHUB_SHA: "c0ffee",
    GITHUB_ACTOR: "ada",
    GITHUB_SERVER_URL: "https://git.example.com",
    GITHUB_REPOSITORY: "gis/portal",
    GITHUB_RUN_ID: "7",
  };
  expect(await authorOf(at(github), ["portal.yaml"], Promise.resolve("API User"))).toMatchObject({
    actor: "ada",
    account: "API User",
    commit: "c0ffee",
    job: "https://git.example.com/gis/portal/actions/runs/7",
  });
});

describe("isPart", () => {
  function history() {
    const { git, path, ...more } = repository();
    const first = git("rev-parse", "HEAD");
    const commit = (text: string) => {
      writeFileSync(path("portal.yaml"), text);
      git("commit", "--quiet", "--all", "--message", text);
      return git("rev-parse", "HEAD");
    };
    return { ...more, git, path, first, second: commit("a: 2"), commit };
  }
  const nowhere = "0".repeat(40);

  test("accepts the commit and its ancestors; refuses later, other and unknown commits", async () => {
    const { git, first, second, commit, isPart } = history();
    expect(await isPart(first)).toBe(true);
    expect(await isPart(second)).toBe(true);
    expect(await isPart(nowhere)).toBe(false);
    git("checkout", "--quiet", "-b", "other", first);
    const beside = commit("a: 3");
    expect(await isPart(second)).toBe(false);
    git("checkout", "--quiet", first);
    expect(await isPart(beside)).toBe(false);
    expect(await isPart(first)).toBe(true);
  });

  test("refuses uncommitted changes at the same clean commit; else they are unknown", async () => {
    const { path, first, second, isPart } = history();
    expect(await isPart(`${second}-dirty`)).toBe(false);
    expect(await isPart(`${first}-dirty`)).toBeUndefined();
    expect(await isPart(`${nowhere}-dirty`)).toBe(false);
    writeFileSync(path("portal.yaml"), "a: 4");
    expect(await isPart(`${second}-dirty`)).toBeUndefined();
    expect(await isPart(second)).toBe(true);
  });

  test("is unknown in a shallow clone, outside of git, and for an invalid name", async () => {
    const { path, first, second, isPart, partIn } = history();
    const clone = folderOf({});
    onTestFinished(() => clone.remove());
    execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${path("")}`, clone.path]);
    expect(await partIn(clone.path, second)).toBe(true);
    expect(await partIn(clone.path, first)).toBeUndefined();
    expect(await partIn(clone.path, nowhere)).toBeUndefined();
    const bare = folderOf({ "portal.yaml": "" });
    onTestFinished(() => bare.remove());
    expect(await partIn(bare.path, first)).toBeUndefined();
    expect(await isPart("--help")).toBeUndefined();
  });
});
