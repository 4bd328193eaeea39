// What is published of a repository: whole, forward only, by one at a time; and nothing that no commit holds.
import { expect, test } from "vitest";
import { keyOf, openQueue, openRepository } from "./queue.js";

test("a portal's file is read elsewhere as it is read here, with its base, its texts, its policies and its variables", async () => {
  const queue = await openQueue();
  const repository = openRepository();
  const serve = await queue.openMachine().serve({
    cwd: repository.path,
    env: { LINTEL_VAR_TEAM: "Ana", LINTEL_VAR_OTHER: "not used", LINTEL_BEID: "secret-1" },
    poolOf: ({ name }) => (name === "portal-2" ? "inside" : undefined),
  });
  expect(await serve.look()).toMatchObject({
    is: "published",
    number: 1,
    commit: repository.git("rev-parse", "HEAD"),
    changed: [keyOf(1), keyOf(2)],
    gone: [],
  });
  const unpack = await queue.openMachine().work({ env: { LINTEL_VAR_TEAM: "somebody else" } });
  const { bundle, io, file, revision } = await unpack(keyOf(2));
  expect([revision, file, bundle.pool]).toEqual([1, "portals/2.yaml", "inside"]);
  expect(bundle.files.map(([name]) => name)).toEqual([
    "_base.yaml",
    "policy/banner.yaml",
    "portals/2.yaml",
    "texts/banner.txt",
  ]);
  expect(bundle.variables).toEqual({ LINTEL_VAR_TEAM: "Ana" });
  expect(io.env["LINTEL_VAR_TEAM"]).toBe("Ana");
  const [{ whole } = { whole: "" }] = await queue.ask<{ whole: string }>(
    `SELECT string_agg(convert_from(bytes, 'UTF8'), '') AS whole FROM ${queue.schema}.part`,
  );
  expect(whole).toContain("Welcome");
  expect(whole).not.toMatch(/secret-1|not used/);
});
