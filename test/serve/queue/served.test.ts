// Two `serve` of one queue: each shows a page, one sends events, and pools keep workers apart.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { idsIn, openPosts } from "../posts.js";
import { openMachines, pageOf, until } from "./machines.js";

interface Shown {
  readonly name: string;
  readonly pool?: string;
  readonly lastApply?: number | null;
}

async function portalsOn(page: string): Promise<readonly Shown[]> {
  const answer = await fetch(`${page}/api/portals`);
  return ((await answer.json()) as { readonly portals: readonly Shown[] }).portals;
}

test("both pages show what the workers of each pool do; each event is sent once, though a serve is killed", async () => {
  const machines = await openMachines(4);
  const posts = await openPosts();
  onTestFinished(() => posts.close());
  const { begin, ids, want, shown, checkout } = machines;
  want("text-1");
  writeFileSync(
    join(checkout, "lintel.yaml"),
    [
      "files: portals",
      "every: 1h",
      'pools: { north: ["portal-1", "portal-2"] }',
      `notify: [{ name: posts, url: "${posts.url}", events: [applied] }]`,
      "",
    ].join("\n"),
  );
  const first = begin("serve", "--port", "0");
  const page = await pageOf(first);
  const second = begin("serve", "--port", "0");
  const secondPage = await pageOf(second);

  const worker = begin("worker", "--apply", "files", "--pool", "north");
  const [north, others] = [ids.slice(0, 2), ids.slice(2)];
  const isApplied = (of: string, names: readonly string[]) => async () => {
    const all = await portalsOn(of);
    return names.every((name) => all.some((each) => each.name === name && each.lastApply === 1));
  };
  for (const each of [page, secondPage]) await until(isApplied(each, north));
  expect(others.map(shown)).not.toContain("text-1");
  expect((await portalsOn(secondPage)).map(({ name, pool }) => [name, pool])).toEqual(
    expect.arrayContaining([
      ["portal-1", "north"],
      ["portal-3", "default"],
    ]),
  );

  const other = begin("worker", "--apply", "files");
  await until(isApplied(secondPage, ids));
  const metrics = await (await fetch(`${secondPage}/metrics`)).text();
  expect(metrics).toMatch(/^lintel_portals\{status="in-sync"\} 4$/m);
  expect(metrics).toMatch(/^lintel_queue_processes\{role="serve"\} 2$/m);
  // Either process reads the state of a portal.
  const [one = ""] = (await portalsOn(secondPage)).map(({ name }) => name);
  const document = await (await fetch(`${secondPage}/api/portals/${one}`)).json();
  expect(JSON.stringify(document)).toContain("text-1");

  expect(first.child.kill("SIGKILL")).toBe(true);
  want("text-2");
  second.child.kill("SIGHUP");
  await until(() => ids.every((id) => shown(id) === "text-2"));
  await until(() => idsIn(posts.posts).length >= 2 * ids.length);
  expect(new Set(idsIn(posts.posts)).size).toBe(2 * ids.length);
  for (const { child } of [second, worker, other]) child.kill("SIGTERM");
  expect(await Promise.all([second, worker, other].map((each) => each.ended()))).toEqual([0, 0, 0]);
});
