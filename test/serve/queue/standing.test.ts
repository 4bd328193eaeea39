// lintel queue: how a queue stands, what is tried again, and that nothing is begun once it is drained; and what serve, worker and their files are told that cannot work with one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../../../src/serve/news/event.js";
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { openDrains } from "../../../src/serve/news/queue-news.js";
import { Registry } from "prom-client";
import { metricsText } from "../../../src/serve/dashboard/prometheus.js";
import { drain, openQueueMetrics } from "../../../src/serve/queue/standing.js";
import { tick } from "../../../src/serve/queue/tick.js";
import { openPresence } from "../../../src/serve/queue/presence.js";
import { claim } from "../../../src/serve/queue/portals.js";
import { openSharedBoard } from "../../../src/serve/shared-board.js";
import { call, ioFor } from "../../run/call.js";
import { folderOf } from "../../support/run.js";
import { publish, queuePlace } from "./queue-place.js";

function folder(): string {
  const made = folderOf();
  onTestFinished(() => made.remove());
  return made.path;
}

const KEY = "k".repeat(32);
const HOSTS = "postgres://127.0.0.1:*,gis.example.com,accounts.example.com";

test("status tells pools, portals that failed and what is missing; retry makes those due that failed, or that are named; drained, nothing is given out", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 3, { a: "1", b: "1" });
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const run = (...words: readonly string[]) => call(["queue", ...words], { cwd: folder(), env });
  const status = await run("status", "-o", "json");
  expect(JSON.parse(status.stdout)).toMatchObject({
    exitCode: 0,
    revision: { number: 3 },
    draining: false,
    pools: [
      {
        name: "default",
        portals: 2,
        waiting: 2,
        underWay: 0,
        late: 0,
        failed: 0,
        stopped: 0,
        held: 0,
      },
    ],
    processes: [],
    unsent: [],
  });
  expect((await run("status")).stdout).toContain('No worker is there for the pool "default".');

  await queue.link.ask("UPDATE portal SET queued = NULL, due = now() + interval '1 day'");
  await queue.link.ask("UPDATE known SET status = 'invalid' WHERE key = 'b'");
  expect((await run("retry")).stdout).toBe("1 portal will be looked at now.\n");
  const dueNow = "SELECT key FROM portal WHERE due <= now()";
  expect(await queue.link.ask(dueNow)).toEqual([{ key: "b" }]);
  expect((await run("retry", "a")).exit).toBe(0);
  expect(await queue.link.ask(`${dueNow} ORDER BY key`)).toEqual([{ key: "a" }, { key: "b" }]);
  const unknown = await run("retry", "c");
  expect([unknown.exit, unknown.stderr]).toEqual([64, expect.stringContaining('no portal "c"')]);

  expect((await run("drain")).stdout).toContain("No job is running");
  const claiming = { pool: "default", process: 1, most: 9 };
  const given = () => queue.link.together((ask) => claim(ask, queue.boss, claiming));
  await queue.link.ask("UPDATE portal SET queued = now()");
  expect(await given()).toEqual([]);
  expect((await run("resume")).exit).toBe(0);
  expect(await given()).toHaveLength(2);
});

test("status counts what failed, is stopped or held, and tells why a serve publishes nothing newer, for as long as that is so", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 1, { a: "1", b: "1", c: "1", d: "1", e: "1" });
  const statuses = { a: "invalid", b: "unreachable", c: "pending", d: "held", e: "held" };
  for (const [key, status] of Object.entries(statuses)) {
    await queue.link.ask("UPDATE known SET status = $2 WHERE key = $1", [key, status]);
  }
  await queue.link.ask(
    "UPDATE known SET known = jsonb_set(known::jsonb, '{seen,failure}', '{}')::text WHERE key = 'c'",
  );
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const run = (...words: readonly string[]) =>
    call(["queue", "status", ...words], { cwd: folder(), env });
  expect((await run()).stdout).toContain("No serve is there: nothing newer is published");
  const { io } = ioFor({ cwd: "/" });
  const facts = { role: "serve", host: "a", pid: 1, version: "1" } as const;
  const { link, sessions } = queue;
  const presence = await openPresence({ io, link, sessions, facts, run: "a test", who: "a" });
  await presence.assure();
  await presence.note({ withheld: "the checkout lags behind" });
  const withheld = await run();
  expect(withheld.stdout).toContain("  publishes nothing newer: the checkout lags behind\n");
  expect(withheld.stdout).not.toContain("No serve is there");
  expect(JSON.parse((await run("-o", "json")).stdout)).toMatchObject({
    pools: [{ failed: 2, stopped: 1, held: 2 }],
    processes: [{ role: "serve", withheld: "the checkout lags behind" }],
  });
  await presence.note({ withheld: undefined });
  expect(JSON.parse((await run("-o", "json")).stdout)).toMatchObject({
    processes: [{ role: "serve", withheld: null }],
  });
});

test("what somebody has made unreadable of a portal stops neither page nor command, and is as if nothing were known", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 1, { a: "1", b: "1", c: "1" });
  await queue.link.ask("UPDATE known SET known = 'nonsense' WHERE key = 'a'");
  await queue.link.ask("UPDATE known SET known = '{}' WHERE key = 'b'");
  const shared = openSharedBoard(queue.link);
  await shared.read();
  expect(shared.board.portals().map(({ key }) => key)).toEqual(["c"]);
  await queue.link.ask("UPDATE portal SET queued = NULL");
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const ran = await call(["queue", "retry", "a", "b"], { cwd: folder(), env });
  expect(ran.stdout).toBe("2 portals will be looked at now.\n");
});

test("nor does what somebody has made unreadable of what is to be told, or of a process: the rest is told", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 1, { a: "1" });
  const store = openQueueStore(queue.link);
  await store.register(["ops"]);
  const [known] = (await store.snapshots()).values();
  if (!known) throw new TypeError("published");
  const portal = { name: "a", url: "https://a.example.com", id: "self" };
  const event = (id: string) => ({
    id,
    kind: "failed",
    key: "a",
    timeMs: 0,
    message: id,
    about: { portal, file: "a.yaml" },
  });
  await store.record("a", known, ["1", "2", "3"].map(event) as unknown as Event[]);
  await queue.link.ask("UPDATE event SET event = 'nonsense' WHERE id = '1'");
  await queue.link.ask("UPDATE event SET event = 'null' WHERE id = '2'");
  const ids = (events: readonly Event[]) => events.map(({ id }) => id);
  expect(ids(await store.pending("ops", 2))).toEqual([]);
  expect(ids(await store.pending("ops", 2))).toEqual(["3"]);
  const { io } = ioFor({ cwd: "/" });
  const facts = { role: "worker", host: "a", pid: 1, version: "1" } as const;
  const { link, sessions } = queue;
  await (await openPresence({ io, link, sessions, facts, run: "a test", who: "a" })).assure();
  await queue.link.ask("UPDATE process SET facts = 'nonsense'");
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const ran = await call(["queue", "status"], { cwd: folder(), env });
  expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining("worker on unknown")]);
});

test("whoever asks for figures is told soon that the database does not answer, and all of them when it does again", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 1, { a: "1" });
  const metrics = openQueueMetrics(queue.link, { sleep: async () => {} });
  let [isLocked, free] = [() => {}, () => {}];
  const locked = new Promise<void>((done) => (isLocked = done));
  const freed = new Promise<void>((done) => (free = done));
  const holding = place.admin(async (ask) => {
    await ask("BEGIN");
    await ask(`LOCK ${place.schema}.queue`);
    isLocked();
    await freed;
    await ask("COMMIT");
  });
  await locked;
  expect(await metricsText(new Registry(), await metrics())).toContain("lintel_queue_up 0\n");
  free();
  await holding;
  const patient = openQueueMetrics(queue.link, { sleep: () => new Promise(() => {}) });
  const text = await metricsText(new Registry(), await patient());
  expect(text).toContain("lintel_queue_up 1\n");
  expect(text).toContain('lintel_queue_waiting{pool="default"} 1\n');
  expect(text).toContain("lintel_queue_drained 0\n");
});

test("that a queue is drained, and that it goes on, is told once by whoever works with it; and that nobody is in a worker's pool, by its status", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  await publish(queue, 1, { a: "1" });
  const told: string[] = [];
  const drains = openDrains(({ message }) => told.push(message));
  const look = async () => drains((await tick(queue)).isDraining);
  await look();
  await drain(queue.link, true);
  await look();
  await look();
  await drain(queue.link, false);
  await look();
  expect(told).toEqual(["The queue is drained: nothing new is begun.", "The queue goes on."]);
  const { io } = ioFor({ cwd: "/" });
  const facts = { role: "worker", host: "a", pid: 1, version: "1", pools: ["nrth"] } as const;
  const { link, sessions } = queue;
  await (await openPresence({ io, link, sessions, facts, run: "a test", who: "a" })).assure();
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const { stdout } = await call(["queue", "status"], { cwd: folder(), env });
  expect(stdout).toContain('No worker is there for the pool "default".');
  expect(stdout).toContain('No portal is in the pool "nrth", which a worker is for.');
});

test("a role that may not use the queue's schemas is told what to grant, and does not wait for tables that are there", async () => {
  const place = await queuePlace();
  await place.open();
  const address = place.address.replace("lintel@", "guest@");
  const env = { LINTEL_QUEUE: address, LINTEL_ALLOWED_HOSTS: HOSTS, LINTEL_QUEUE_KEY: KEY };
  for (const words of [["queue", "status"], ["worker"]]) {
    const ran = await call(words, { cwd: folder(), env });
    expect([ran.exit, ran.stderr]).toEqual([1, expect.stringContaining("GRANT ALL ON SCHEMA")]);
  }
});

test("without a key, serve makes no tables", async () => {
  const place = await queuePlace();
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const cwd = folder();
  mkdirSync(join(cwd, "portals"));
  writeFileSync(join(cwd, "portals/a.yaml"), 'targetVersion: "12.1"\n');
  const ran = await call(["serve"], { cwd, env });
  expect([ran.exit, ran.stderr]).toEqual([64, expect.stringContaining("is not set")]);
  const schema = await place.admin((ask) =>
    ask("SELECT to_regnamespace($1) AS made", [place.schema]),
  );
  expect(schema).toEqual([{ made: null }]);
});

test.each([
  ["queue status", /has made it yet/, 1],
  ["queue stauts", /Did you mean "status"/, 64],
  ["serve --apply files", /"--apply" is for its workers to say/, 64],
])("lintel %s where that cannot be is told what to do", async (line, words, exit) => {
  const place = await queuePlace();
  const env = { LINTEL_QUEUE: place.address, LINTEL_ALLOWED_HOSTS: HOSTS };
  const cwd = folder();
  mkdirSync(join(cwd, "portals"));
  writeFileSync(join(cwd, "portals/a.yaml"), 'targetVersion: "12.1"\n');
  const ran = await call(line.split(" "), { cwd, env });
  expect([ran.exit, ran.stderr]).toEqual([exit, expect.stringMatching(words)]);
});

test("an address with a password, or of a host that is not listed, is refused before anything is sent there", async () => {
  const env = { LINTEL_ALLOWED_HOSTS: HOSTS };
  const run = (address: string) =>
    call(["queue", "status", "--queue", address], { cwd: folder(), env });
  const open = await run("postgres://lintel:hush@db.example.com/lintel");
  expect([open.exit, open.stderr]).toEqual([64, expect.stringContaining("holds a password")]);
  expect(open.stderr).not.toContain("hush");
  const strange = await run("postgres://lintel@db.example.org/lintel");
  expect([strange.exit, strange.stderr]).toEqual([4, expect.stringContaining("db.example.org")]);
});
