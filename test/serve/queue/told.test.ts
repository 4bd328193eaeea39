// What workers do is told to the webhooks of whoever publishes, by one of several; and portals go to the pools that lintel.yaml says.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { idsIn, openPosts } from "../posts.js";
import { openMachines, until } from "./machines.js";

// What comes more than a second later may be told a minute later.
test("one of two that serve tells what a pool's worker has done, each thing once", async () => {
  const machines = await openMachines(2);
  const posts = await openPosts();
  onTestFinished(() => posts.close());
  const { ids, begin, want, shown } = machines;
  writeFileSync(
    join(machines.folder, "lintel.yaml"),
    `files: [portals]\npools: { north: ["*"] }\nnotify: [{ name: posts, url: "${posts.url}", events: [applied] }]\n`,
  );
  want("text-1");
  const serving = [begin("serve", "--every", "10s"), begin("serve", "--every", "10s")];
  const worker = begin("worker", "--pool", "north", "--apply", "files");
  await until(() => ids.every((id) => shown(id) === "text-1"));
  await until(() => idsIn(posts.posts).length === ids.length);
  for (const { child } of [...serving, worker]) child.kill("SIGTERM");
  expect(await Promise.all([...serving, worker].map((each) => each.ended()))).toEqual([0, 0, 0]);
  expect(new Set(idsIn(posts.posts)).size).toBe(ids.length);
  const left = await machines.rows("SELECT count(*)::int AS count FROM lintel.unsent");
  expect(left).toEqual([{ count: 0 }]);
});

test("what was wrong or done the moment it was published first is told, too", async () => {
  const machines = await openMachines(1);
  const posts = await openPosts();
  onTestFinished(() => posts.close());
  const { folder, begin, want, rows } = machines;
  writeFileSync(
    join(folder, "lintel.yaml"),
    `files: [portals]\nnotify: [{ name: posts, url: "${posts.url}" }]\n`,
  );
  writeFileSync(join(folder, "portals/wrong.yaml"), 'targetVersion: "12.1"\nextnds: x\n');
  want("text-1");
  const worker = begin("worker", "--apply", "files");
  const serve = begin("serve");
  await until(() => posts.posts.some(({ events }) => events[0]?.event === "failed"));
  // What comes to pass within the minute after that waits to be told.
  const told = new Set(idsIn(posts.posts));
  await until(async () => {
    const waiting = await rows("SELECT id FROM lintel.unsent JOIN lintel.event USING (number)");
    for (const { id } of waiting) told.add(String(id));
    return told.size > 1;
  });
  expect(await rows("SELECT count(*)::int AS count FROM lintel.event")).toEqual([{ count: 2 }]);
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
});
