// lintel queue: status, retry, drain and resume; and what people see of a database that others have written to.
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../../../src/serve/events/event.js";

import { metricsText } from "../../../src/serve/dashboard/prometheus.js";
import { openProcess, type Facts } from "../../../src/serve/queue/processes.js";
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { queueMetrics } from "../../../src/serve/queue/status.js";
import { openSharedSnapshots } from "../../../src/serve/shared-snapshots.js";
import { call } from "../../run/call.js";
import { folderOf } from "../../support/run.js";
import { list, queuePlace, type QueuePlace } from "./queue-place.js";

const HOSTS = "postgres://127.0.0.1:*,gis.example.com,accounts.example.com";

function folder(): string {
  const made = folderOf();
  onTestFinished(() => made.remove());
  return made.path;
}

const running =
  ({ address }: Pick<QueuePlace, "address">) =>
  (...words: readonly string[]) =>
    call(["queue", ...words], {
      cwd: folder(),
      env: { LINTEL_QUEUE: address, LINTEL_ALLOWED_HOSTS: HOSTS },
    });

const WORKER: Facts = {
  role: "worker",
  host: "one",
  pid: 1,
  version: "1.0.0",
  pools: ["default"],
  apply: ["files"],
  policies: null,
  commit: "a".repeat(40),
};

test("status shows pools and missing processes; retry makes portals due; drain stops new jobs", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  const run = running(place);
  expect((await run("status")).stdout).toContain("No portals are listed yet.");
  await list(database, "c".repeat(40), ["a", "b"]);
  const status = JSON.parse((await run("status", "-o", "json")).stdout) as object;
  const counts = { waiting: 2, underWay: 0, late: 0, failed: 0, blocked: 0, held: 0 };
  expect(status).toMatchObject({
    commit: "c".repeat(40),
    draining: false,
    pools: [{ name: "default", portals: 2, ...counts }],
    processes: [],
    warnings: [],
    dead: [],
    unsent: [],
  });
  const text = (await run("status")).stdout;
  expect(text).toContain('No worker is running for the pool "default".');
  expect(text).toContain("No `serve` process is running");

  await database.query("UPDATE SCHEMA.portal SET due = now() + interval '1 day'");
  expect((await run("retry")).stdout).toContain("Nothing to retry");
  await database.query("UPDATE SCHEMA.known SET status = 'unreachable' WHERE key = 'b'");
  expect((await run("retry")).stdout).toBe("1 portal will be checked within a minute.\n");
  expect((await run("retry", "a")).exit).toBe(0);
  const unknown = await run("retry", "c");
  expect([unknown.exit, unknown.stderr]).toEqual([64, expect.stringContaining('no portal "c"')]);
  expect((await run("retry", "nothing-like-it")).stderr).toContain("It has a, b.");

  expect((await run("drain")).stdout).toContain("No job is running");
  expect((await run("retry", "a")).stdout).toBe(
    "1 portal will be checked once the queue is resumed:\n  lintel queue resume\n",
  );
  expect((await run("status")).stdout).toContain("No new job starts.");
  expect((await run("resume")).exit).toBe(0);
  const resumed = { draining: false, commit: "c".repeat(40) };
  expect(JSON.parse((await run("status", "-o", "json")).stdout)).toMatchObject(resumed);
  expect((await run("relist")).stdout).toContain("Forgot cccccccccc.");
  expect(JSON.parse((await run("status", "-o", "json")).stdout)).toMatchObject({ commit: null });
});

test("status and metrics show a stuck worker, and how the workers of a pool differ", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "a".repeat(40), ["a"]);
  await openProcess(database).refresh(WORKER);
  const other = { host: "two", version: "1.1.0", apply: [], policies: "b".repeat(64) };
  const stuck = { ...WORKER, ...other, commit: "b".repeat(40), stuck: "git cannot fetch" };
  await openProcess(database).refresh(stuck);
  const { stdout } = await running(place)("status");
  expect(stdout).toContain("takes no jobs: git cannot fetch");
  for (const what of ["versions: 1.0.0 (one process 1); 1.1.0", "policies", "permissions"])
    expect(stdout).toContain(`The workers of the pool "default" have different ${what}`);
  const metrics = await metricsText(
    new Registry(),
    await queueMetrics(database, { sleep: () => new Promise(() => {}) }),
  );
  expect(metrics).toContain("lintel_queue_stuck_processes 1\n");
  expect(metrics).toContain("lintel_queue_differences 3\n");
  expect(metrics).toContain('lintel_queue_processes{role="worker"} 2\n');
});

test("status names the portals that failed or are blocked, the first ten of each", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  const keys = Array.from({ length: 12 }, (_, at) => `p${at + 10}`);
  await list(database, "1", [...keys, "q"]);
  await database.query("UPDATE SCHEMA.known SET status = 'unreachable' WHERE key <> 'q'");
  await database.query("UPDATE SCHEMA.known SET status = 'blocked' WHERE key = 'q'");
  const run = running(place);
  const { stdout } = await run("status");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `Failed: ${keys.slice(0, 10).join(", ")} and 2 more portals.`,
  );
  expect(stdout).toContain("Blocked: q.");
  expect(JSON.parse((await run("status", "-o", "json")).stdout)).toMatchObject({
    failedPortals: keys.slice(0, 10),
    blockedPortals: ["q"],
    pools: [{ failed: 12, blocked: 1 }],
  });
});

test("a portal no longer waits for an --apply that all workers of its pool have", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "1", ["a"]);
  await database.query(
    `UPDATE SCHEMA.known SET status = 'pending',
       known = jsonb_set(known::jsonb, '{snapshot,needs}', '["files"]')::text`,
  );
  const [able, lacking] = [openProcess(database), openProcess(database)];
  await able.refresh(WORKER);
  await lacking.refresh({ ...WORKER, apply: [] });
  const run = running(place);
  const text = async () => (await run("status")).stdout.replaceAll(/\s+/g, " ");
  expect(await text()).toContain(
    'wait for "--apply files", which not every worker'.replace("wait", "waits"),
  );
  await lacking.end();
  expect(await text()).not.toContain("which not every worker");
});

test("a process that no longer refreshes its row is gone, and another one sends the events", async () => {
  const { database } = await (await queuePlace()).open();
  const [one, other] = [openProcess(database), openProcess(database)];
  expect([await one.isSender(), await other.isSender()]).toEqual([true, false]);
  await database.query("UPDATE SCHEMA.queue SET sender_until = now() - interval '1 second'");
  expect([await other.isSender(), await one.isSender()]).toEqual([true, false]);
});

test("unreadable rows stop neither page nor command", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "1", ["a", "b", "c"]);
  await database.query("UPDATE SCHEMA.known SET known = 'nonsense' WHERE key = 'a'");
  await database.query("UPDATE SCHEMA.known SET known = '{}' WHERE key = 'b'");
  await openProcess(database).refresh(WORKER);
  await database.query("UPDATE SCHEMA.process SET facts = 'nonsense'");
  const shared = openSharedSnapshots(database);
  await shared.read();
  expect(shared.snapshots.portals().map(({ key }) => key)).toEqual(["c"]);
  const run = running(place);
  expect((await run("retry", "a", "b")).stdout).toBe(
    "2 portals will be checked within a minute.\n",
  );
  expect((await run("status")).exit).toBe(0);
});

test("unreadable events are skipped", async () => {
  const { database } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  const store = openQueueStore(database);
  await store.register(["ops"]);
  const [known] = (await store.records()).values();
  if (!known) throw new TypeError("listed");
  const portal = { name: "a", url: "https://a.example.com", id: "self" };
  const event = (id: string) => ({
    id,
    kind: "failed",
    key: "a",
    timeMs: 0,
    message: id,
    isProblem: true,
    about: { portal, file: "a.yaml" },
  });
  await store.record("a", known, ["1", "2", "3"].map(event) as unknown as Event[]);
  await database.query("UPDATE SCHEMA.event SET event = 'nonsense' WHERE id = '1'");
  await database.query("UPDATE SCHEMA.event SET event = 'null' WHERE id = '2'");
  const ids = (events: readonly Event[]) => events.map(({ id }) => id);
  expect(ids(await store.pending("ops", 2))).toEqual([]);
  expect(ids(await store.pending("ops", 2))).toEqual(["3"]);
});

test("metrics say that the database does not answer", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "1", ["a"]);
  const locked = place.admin(async (ask) => {
    await ask("BEGIN");
    await ask(`LOCK ${place.schema}.queue`);
    const figures = await queueMetrics(database, { sleep: async () => {} });
    const text = await metricsText(new Registry(), figures);
    await ask("COMMIT");
    return text;
  });
  expect(await locked).toMatch(/lintel_queue_up 0\n/);
});

test("a role without rights is refused with what to grant; a newer version's tables are refused", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  const guest = { address: place.address.replace("lintel@", "guest@") };
  const ran = await running(guest)("status");
  expect([ran.exit, ran.stderr]).toEqual([1, expect.stringContaining("GRANT")]);
  await database.query("UPDATE SCHEMA.queue_version SET version = 99");
  const newer = await running(place)("status");
  expect([newer.exit, newer.stderr]).toEqual([1, expect.stringContaining("another version")]);
});
