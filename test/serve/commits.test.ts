// The commit of a file on the dashboard, and whether the file has changes that are in no commit.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommits } from "../../src/serve/commits.js";
import { io } from "../state/places.js";
import { git } from "./queue/machines.js";
import { makeServer } from "../state/repositories.js";

test("names the newest commit of a file, and uncommitted changes of the file and of its parts", async () => {
  const server = makeServer();
  const cwd = server.clone("clone");
  const commits = openCommits({ ...io, cwd, env: server.env }, ".");
  const base = join(cwd, "_base.yaml");
  const isDirty = async () => (await commits.of("portal.yaml", [base]))?.isDirty;
  expect(await commits.of("portal.yaml")).toMatchObject({
    author: "Eve",
    subject: "by hand",
    path: "portal.yaml",
    isDirty: false,
  });
  writeFileSync(base, "x-note: new\n");
  expect(await isDirty()).toBe(true);
  git(cwd, "add", "_base.yaml");
  git(cwd, "commit", "--quiet", "-m", "in the base");
  expect(await commits.of("portal.yaml", [base, "/elsewhere/terms.txt"])).toMatchObject({
    author: "Ana",
    subject: "in the base",
    path: "portal.yaml",
    isDirty: false,
  });
  expect(await commits.of("portal.yaml")).toMatchObject({ subject: "by hand" });
  writeFileSync(base, "x-note: newer\n");
  expect((await commits.of("portal.yaml"))?.isDirty).toBe(false);
  writeFileSync(join(cwd, "portal.yaml"), "x-note: changed\n");
  expect((await commits.of("portal.yaml"))?.isDirty).toBe(true);
  expect(await openCommits({ ...io, cwd: server.home }, ".").of("portal.yaml")).toBeUndefined();
});
