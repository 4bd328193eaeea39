// What workers do is told to the webhooks of whoever publishes, by one of several; and portals go to the pools that lintel.yaml says.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { idsIn, openPosts } from "../posts.js";
import { openMachines, until } from "./machines.js";

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
  // Whom to tell is known before anything happens.
  await until(async () => {
    const [row] = await machines
      .rows("SELECT count(*)::int AS count FROM lintel.receiver")
      .catch(() => []);
    return row?.["count"] === 1;
  });
  const worker = begin("worker", "--pool", "north", "--apply", "files");
  await until(() => ids.every((id) => shown(id) === "text-1"));
  await until(() => idsIn(posts.posts).length === ids.length);
  for (const { child } of [...serving, worker]) child.kill("SIGTERM");
  expect(await Promise.all([...serving, worker].map((each) => each.ended()))).toEqual([0, 0, 0]);
  expect(new Set(idsIn(posts.posts)).size).toBe(ids.length);
  const left = await machines.rows("SELECT count(*)::int AS count FROM lintel.unsent");
  expect(left).toEqual([{ count: 0 }]);
});
