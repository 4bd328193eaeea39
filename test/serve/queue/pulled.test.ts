// A checkout that serve cannot move forward for the workers of a queue: what was published goes on, and people are told what does not.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMachines, until } from "./machines.js";

test("where the checkout has commits of its own, workers go on with what is published, which is told with the way out", async () => {
  const { folder, begin, want, ids, shown } = await openMachines(1);
  want("text-1");
  const git = (line: string, cwd = folder) =>
    execFileSync("git", line.split(" "), { cwd, encoding: "utf8", stdio: "pipe" });
  const as = "-c user.name=Ana -c user.email=ana@example.org";
  git("init -q -b main .");
  git("add portals");
  git(`${as} commit -q -m begin`);
  git("init -q --bare -b main origin");
  git(`remote add origin ${join(folder, "origin")}`);
  git("push -q -u origin main");
  // What somebody else has merged there, and what was committed here alone.
  git(`${as} commit -q --allow-empty -m merged`);
  git("push -q origin main");
  git("reset -q --hard HEAD~1");
  git(`${as} commit -q --allow-empty -m own`);
  const serve = begin("serve", "portals", "--pull");
  const worker = begin("worker", "--apply", "files");
  await until(() => ids.every((id) => shown(id) === "text-1"));
  const status = async () => {
    const asked = begin("queue", "status");
    await asked.ended();
    return asked.said();
  };
  await until(async () => (await status()).includes("nothing newer: the checkout has commits"));
  want("text-2");
  serve.child.kill("SIGHUP");
  await until(async () => (await status()).includes("_base.yaml is not as in the commit"));
  expect(serve.said()).toContain("Nothing newer is published");
  expect(ids.map(shown)).toEqual(["text-1"]);
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
  expect(serve.said()).toContain(
    "Workers go on with what was published, and nothing newer than this checkout is published from here until it can be moved.",
  );
  expect(serve.said()).toContain("git reset --keep @{upstream}");
  expect(serve.said()).not.toContain("no drift is restored");
});
