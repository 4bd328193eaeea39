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

test("where nobody has told it, or its name wants quotes, it is not known", () => {
  const server = makeServer();
  const clone = server.clone("clone");
  const head = join(clone, ".git/refs/remotes/origin/HEAD");
  writeFileSync(head, "ref: refs/remotes/origin/it's ${{ ours }}\n");
  expect(at(clone)).toBeUndefined();
  run(clone, server.env, ["remote", "set-head", "origin", "--delete"]);
  expect(at(clone)).toBeUndefined();
  expect(at(server.home)).toBeUndefined();
});
