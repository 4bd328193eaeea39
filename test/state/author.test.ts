// Who did something, from where and from which commit: what history tells must be true.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { authorOf } from "../../src/state/author/author.js";
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
  return { commit, path, commitOf };
}

test("the commit is the one checked out, where the files are as they stand in it", async () => {
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

test("a folder that a change made look like a repository runs none of its programs", async () => {
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

test("who it was is told as git calls them, else as the system does; in a pipeline, whoever started it", async () => {
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

test("outside of git, or without it, a pipeline still knows its commit", async () => {
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
  expect(await authorOf(at(github), ["portal.yaml"], "API User")).toMatchObject({
    actor: "ada",
    account: "API User",
    commit: "c0ffee",
    job: "https://git.example.com/gis/portal/actions/runs/7",
  });
});
