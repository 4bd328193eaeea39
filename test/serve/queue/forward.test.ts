// Workers never put an older text back, whoever applies by hand and whatever becomes of the branch.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN } from "../../support/run.js";
import { git, openMachines, until } from "./machines.js";

type Machines = Awaited<ReturnType<typeof openMachines>>;

/** As a person does it, right after a merge. */
async function applyByHand({ begin }: Machines, allow = "overwrite-drift"): Promise<void> {
  const applied = begin("apply", "portals", "--yes", "--allow", allow);
  expect(await applied.ended()).toBe(0);
}

/** The texts that a portal received, in their order. */
function received({ updates }: Machines, id: string): readonly number[] {
  return updates.filter((each) => each.id === id).map(({ text }) => Number(text.slice(5)));
}

async function statusOf({ begin }: Machines): Promise<string> {
  const asked = begin("queue", "status");
  await asked.ended();
  return asked.said();
}

test("an apply by hand right after a merge is never undone", async () => {
  const machines = await openMachines(8);
  const { begin, want, ids, shown } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "10s");
  const workers = [1, 2].map(() => begin("worker", "--apply", "schedule,drift,files"));
  await until(() => ids.every((id) => shown(id) === "text-1"));
  for (const nth of [2, 3, 4]) {
    // `serve` lists the commit before the person applies it, meanwhile, or later.
    want(`text-${nth}`, nth === 2 ? "pulled" : "pushed");
    const applied = applyByHand(machines);
    if (nth === 3) machines.pull();
    serve.child.kill("SIGHUP");
    await machines.ask("UPDATE portal SET due = now()");
    await applied;
  }
  machines.pull();
  await until(async () =>
    (await statusOf(machines)).includes(machines.git("rev-parse", "HEAD").slice(0, 10)),
  );
  await until(() => ids.every((id) => shown(id) === "text-4"));
  for (const { child } of [serve, ...workers]) child.kill("SIGTERM");
  await Promise.all([serve, ...workers].map((each) => each.ended()));
  for (const id of ids) {
    const texts = received(machines, id);
    expect(texts).toEqual(texts.toSorted((one, other) => one - other));
  }
});

test("a portal applied from a commit that is not pushed is left alone", async () => {
  const machines = await openMachines(1);
  const { begin, want, shown } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "10s");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  want("text-2", "local");
  await applyByHand(machines);
  // The worker meets the state of a commit that it cannot fetch, and tries again.
  const jobs = () =>
    machines.rows(`SELECT data FROM lintel_jobs.job WHERE data ? 'waitingSinceMs'`);
  await until(async () => {
    await machines.ask("UPDATE portal SET due = now()");
    return (await jobs()).length > 0;
  });
  expect(shown("portal-1")).toBe("text-2");
  machines.git("push", "--quiet", "origin", "main");
  want("text-3");
  serve.child.kill("SIGHUP");
  await until(() => shown("portal-1") === "text-3");
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
  expect(received(machines, "portal-1")).toEqual([1, 2, 3]);
});

test("stops a portal after a force-push until it is applied from the new history", async () => {
  const machines = await openMachines(1);
  const { begin, want, shown, rows } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "10s");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  want("text-2");
  serve.child.kill("SIGHUP");
  await until(() => shown("portal-1") === "text-2");
  machines.git("reset", "--quiet", "--hard", "HEAD~1");
  want("text-3", "local");
  machines.git("push", "--quiet", "--force", "origin", "main");
  machines.pull();
  serve.child.kill("SIGHUP");
  const blocked = async () => {
    const [row] = await rows("SELECT known FROM lintel.known WHERE status = 'blocked'");
    return String(row?.["known"]).includes("history-rewritten");
  };
  await until(blocked);
  expect(worker.said()).toContain("blocked: History rewritten: the portal was last applied from");
  expect(worker.said()).toContain("lintel apply portals/portal-1.yaml");
  expect(shown("portal-1")).toBe("text-2");
  await applyByHand(machines, "overwrite-drift,older-checkout");
  await machines.ask("UPDATE portal SET due = now()");
  await until(async () => !(await blocked()));
  expect(shown("portal-1")).toBe("text-3");
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
});

test("after a force-push a portal that has all that it should stays in sync", async () => {
  const machines = await openMachines(1);
  const { begin, want, shown, rows } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "10s");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-1");
  machines.git("commit", "--quiet", "--amend", "-m", "another message");
  machines.git("push", "--quiet", "--force", "origin", "main");
  machines.pull();
  serve.child.kill("SIGHUP");
  const commit = machines.git("rev-parse", "HEAD");
  await until(() => serve.said().includes(`Workers check ${commit.slice(0, 10)}`));
  const [before] = await rows("SELECT looked FROM lintel.known");
  await machines.ask("UPDATE portal SET due = now()");
  const now = async () => (await rows("SELECT looked, status FROM lintel.known"))[0];
  await until(async () => Number((await now())?.["looked"]) > Number(before?.["looked"]));
  expect((await now())?.["status"]).toBe("in-sync");
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
});

test("a worker reports which --apply it lacks, and how to apply blocked changes", async () => {
  const machines = await openMachines(2);
  const { begin, want, shown, sandbox, ids } = machines;
  want("text-1");
  const serve = begin("serve", "portals", "--every", "10s");
  const weak = begin("worker", "--apply", "schedule");
  const waits = '2 portals of the pool "default" wait for "--apply files", which no worker of the';
  await until(async () => (await statusOf(machines)).includes(waits));
  expect(ids.map(shown)).not.toContain("text-1");
  weak.child.kill("SIGTERM");
  expect(await weak.ended()).toBe(0);
  const worker = begin("worker", "--apply", "files");
  await machines.ask("UPDATE portal SET due = now()");
  // Not before the apply has read back what the portal shows.
  const inSync = () => machines.rows("SELECT key FROM lintel.known WHERE status = 'in-sync'");
  await until(async () => (await inSync()).length === ids.length);
  expect(ids.map(shown)).toEqual(["text-1", "text-1"]);
  const banner = { text: "by hand", enabled: true };
  sandbox.change("portal-1", { ...sandbox.settings("portal-1"), informationalBanner: banner });
  want("text-2");
  serve.child.kill("SIGHUP");
  const advice = "lintel apply portals/portal-1.yaml --allow overwrite-drift";
  await until(() => worker.said().includes(advice));
  expect(shown("portal-1")).toBe("by hand");
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker].map((each) => each.ended()))).toEqual([0, 0]);
});

test("a worker with a stale or unreachable repository takes no jobs, and reports why", async () => {
  const machines = await openMachines(2);
  const { begin, beginAs, want, ids, shown, folder, origin } = machines;
  want("text-1");
  const mirror = join(folder, "mirror.git");
  git(folder, "clone", "--quiet", "--mirror", origin, mirror);
  const serve = begin("serve", "portals", "--every", "10s");
  const lagging = beginAs({ LINTEL_REPOSITORY: mirror }, "worker", "--apply", "files");
  const lost = beginAs(
    { LINTEL_REPOSITORY: join(folder, "nowhere") },
    "worker",
    "--apply",
    "files",
  );
  await until(() => ids.every((id) => shown(id) === "text-1"));
  await until(() => lost.said().includes("git cannot fetch"));
  const commit = want("text-2").slice(0, 10);
  serve.child.kill("SIGHUP");
  await until(() => lagging.said().includes(`The commit ${commit} is not on the branch "main"`));
  await until(async () => {
    const status = await statusOf(machines);
    return (
      status.includes("takes no jobs: git cannot fetch") &&
      status.includes(`takes no jobs: The commit ${commit}`)
    );
  });
  expect(ids.map(shown)).toEqual(["text-1", "text-1"]);
  // What the last check found says nothing of the new commit.
  const statuses = (await machines.rows("SELECT status FROM lintel.known")).map(
    ({ status }) => status,
  );
  expect(statuses).toEqual(["unknown", "unknown"]);
  const up = begin("worker", "--apply", "files");
  await until(() => ids.every((id) => shown(id) === "text-2"));
  const all = [serve, lagging, lost, up];
  for (const { child } of all) child.kill("SIGTERM");
  expect(await Promise.all(all.map((each) => each.ended()))).toEqual([0, 0, 0, 0]);
});

test("a checkout that lags behind is not listed", async () => {
  const machines = await openMachines(1);
  const { begin, want, shown, folder, origin, env } = machines;
  want("text-1");
  const old = join(folder, "old");
  git(folder, "clone", "--quiet", origin, old);
  want("text-2");
  const serve = begin("serve", "portals");
  const worker = begin("worker", "--apply", "files");
  await until(() => shown("portal-1") === "text-2");
  const said: string[] = [];
  const second = spawn(process.execPath, [BIN, "serve", "portals"], { cwd: old, env });
  second.stdout.setEncoding("utf8").on("data", (text: string) => said.push(text));
  await until(() => said.join("").includes("which this checkout does not have"));
  const status = await statusOf(machines);
  expect(status).toContain("lists no newer commit");
  for (const child of [serve.child, worker.child, second]) child.kill("SIGTERM");
  await Promise.all([serve.ended(), worker.ended()]);
  expect(received(machines, "portal-1")).toEqual([2]);
});

test("a row that names a file outside of the repository is not read", async () => {
  const machines = await openMachines(1);
  const { begin, want, folder, ask } = machines;
  want("text-1");
  writeFileSync(join(folder, "secret.yaml"), 'targetVersion: "12.1"\n');
  const serve = begin("serve", "portals", "--every", "10s");
  await until(() => serve.said().includes("Workers check"));
  await ask("UPDATE portal SET file = '../../../../../secret.yaml'");
  const worker = begin("worker", "--apply", "files");
  await until(() => worker.said().includes("the file is about another one"));
  expect(machines.updates).toEqual([]);
  for (const { child } of [serve, worker]) child.kill("SIGTERM");
  await Promise.all([serve, worker].map((each) => each.ended()));
});
