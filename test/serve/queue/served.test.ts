// Two processes that serve one queue, each with a page: what the workers of each pool do is on both, and the second goes on where the first is killed. A worker takes no portal of another pool.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMachines, until, type Machine } from "./machines.js";

const PORTALS = 4;

interface Shown {
  readonly name: string;
  readonly status: string;
  readonly pool?: string;
}

async function pageOf(machine: Machine): Promise<string> {
  const found = () => /The page is at (\S+)\//.exec(machine.said())?.[1];
  await until(() => found() !== undefined);
  return found() ?? "";
}

async function portalsOn(page: string): Promise<readonly Shown[]> {
  const answer = await fetch(`${page}/api/portals`);
  return ((await answer.json()) as { readonly portals: readonly Shown[] }).portals;
}

test("both pages show what the workers of each pool do, and what one published the other goes on with", async () => {
  const machines = await openMachines(PORTALS);
  const { begin, ids, want, shown, folder } = machines;
  writeFileSync(
    join(folder, "lintel.yaml"),
    'files: portals\nevery: 1h\npools: { north: ["portal-1", "portal-2"] }\n',
  );
  want("text-1");
  const first = begin("serve", "--port", "0");
  const page = await pageOf(first);
  const second = begin("serve", "--port", "0");
  const secondPage = await pageOf(second);

  // Nobody works for the others yet.
  const worker = begin("worker", "--apply", "files", "--pool", "north");
  const isShown = (of: string, status: string, among: readonly string[]) => async () => {
    const now = (await portalsOn(of)).filter((each) => among.includes(each.name));
    return now.length === among.length && now.every((each) => each.status === status);
  };
  const north = ["portal-1", "portal-2"];
  for (const each of [page, secondPage]) await until(isShown(each, "in-sync", north));
  const rest = ids.filter((id) => !north.includes(id));
  expect(await portalsOn(secondPage)).toEqual(
    expect.arrayContaining(
      rest.map((name) => expect.objectContaining({ name, status: "unknown", pool: "default" })),
    ),
  );
  expect(rest.map(shown)).not.toContain("text-1");

  const other = begin("worker", "--apply", "files");
  await until(isShown(secondPage, "in-sync", ids));
  const metrics = await (await fetch(`${secondPage}/metrics`)).text();
  expect(metrics).toMatch(/^lintel_portals\{status="in-sync"\} 4$/m);
  expect(metrics).toMatch(/^lintel_queue_processes\{role="serve"\} 2$/m);
  expect(metrics).not.toContain("lintel_looks_total");
  // The state of a portal is read by whichever process is asked.
  const [one = ""] = (await portalsOn(secondPage)).map(({ name }) => name);
  const document = await (await fetch(`${secondPage}/api/portals/${one}`)).json();
  expect(JSON.stringify(document)).toContain("text-1");

  expect(first.child.kill("SIGKILL")).toBe(true);
  want("text-2");
  second.child.kill("SIGHUP");
  await until(() => ids.every((id) => shown(id) === "text-2"));

  for (const { child } of [second, worker, other]) child.kill("SIGTERM");
  expect(await Promise.all([second, worker, other].map((each) => each.ended()))).toEqual([0, 0, 0]);
});

test("a worker refuses a portal that somebody moved to its pool in the database", async () => {
  const machines = await openMachines(2);
  const { begin, want, shown, folder, ask, updates } = machines;
  writeFileSync(
    join(folder, "lintel.yaml"),
    'files: portals\nevery: 1h\npools: { north: ["portal-1"] }\n',
  );
  want("text-1");
  const serve = begin("serve");
  await until(() => /2 portals/.test(serve.said()));
  const move = (pool: string) =>
    ask(`UPDATE portal SET pool = '${pool}', queued = NULL WHERE key LIKE '%-1'`);
  await move("default");
  const worker = begin("worker", "--apply", "files");
  const refused = /was published for the pool "north", .* a worker of "default"/;
  await until(() => refused.test(worker.said()) || shown("portal-1") === "text-1");
  await until(() => shown("portal-2") === "text-1");
  expect(worker.said()).toMatch(refused);
  expect(updates.map(({ id }) => id)).toEqual(["portal-2"]);

  await move("north");
  const north = begin("worker", "--apply", "files", "--pool", "north");
  await until(() => shown("portal-1") === "text-1");
  for (const { child } of [serve, worker, north]) child.kill("SIGTERM");
  expect(await Promise.all([serve, worker, north].map((each) => each.ended()))).toEqual([0, 0, 0]);
});
