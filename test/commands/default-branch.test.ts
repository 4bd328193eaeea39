// The default branch of a repository as its clone was told of it, whatever it is called.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultBranchOf } from "../../src/commands/init/default-branch.js";
import { io } from "../state/places.js";
import { gitEnvironment, makeServer, run } from "../state/repositories.js";

const at = (folder: string) => defaultBranchOf({ ...io, env: gitEnvironment(folder) }, folder);

test.each(["main", "trunk", "release/12.1"])("a clone knows that it is %s", (name) => {
  const server = makeServer();
  if (name !== "main") server.git("branch", "--move", "main", name);
  server.git("symbolic-ref", "HEAD", `refs/heads/${name}`);
  const clone = server.clone("clone");
  run(clone, server.env, ["checkout", "--quiet", "-b", "proposal"]);
  expect(at(clone)).toBe(name);
  run(clone, server.env, ["worktree", "add", "--quiet", "../other"]);
  expect(at(join(clone, "../other"))).toBe(name);
});

test("a clone that does not know it, or whose name needs quotes, is refused with the way out", () => {
  const server = makeServer();
  const clone = server.clone("clone");
  const head = join(clone, ".git/refs/remotes/origin/HEAD");
  writeFileSync(head, "ref: refs/remotes/origin/it's ${{ ours }}\n");
  const wayOut = expect.objectContaining({
    help: expect.stringContaining("set-head origin --auto") as string,
  }) as Error;
  expect(() => at(clone)).toThrow(wayOut);
  run(clone, server.env, ["remote", "set-head", "origin", "--delete"]);
  run(clone, server.env, ["checkout", "--quiet", "-b", "master"]);
  expect(() => at(clone)).toThrow(wayOut);
  run(clone, server.env, ["remote", "set-head", "origin", "--auto"]);
  expect(at(clone)).toBe("main");
});

test("before the first fetch from origin it is the branch of the checkout", () => {
  const server = makeServer();
  const clone = server.clone("clone");
  run(clone, server.env, ["remote", "remove", "origin"]);
  run(clone, server.env, ["remote", "add", "origin", "https://git.example.com/gis/portals.git"]);
  run(clone, server.env, ["checkout", "--quiet", "-b", "master"]);
  expect(at(clone)).toBe("master");
});

test("without an origin it is the branch of the checkout, and in a job of GitLab what that says", () => {
  const server = makeServer();
  const clone = server.clone("clone");
  run(clone, server.env, ["remote", "remove", "origin"]);
  run(clone, server.env, ["checkout", "--quiet", "-b", "master"]);
  expect(at(clone)).toBe("master");
  expect(at(server.home)).toBe("main");
  const env = { ...gitEnvironment(clone), CI_DEFAULT_BRANCH: "trunk" };
  expect(defaultBranchOf({ ...io, env }, clone)).toBe("trunk");
});
