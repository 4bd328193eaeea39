// What somebody with access to the database left in it stops no portal for good.
import { expect, test, vi } from "vitest";
import { openSharedLimiter } from "../../../src/serve/queue/limit.js";
import { insertDueJobs, tick } from "../../../src/serve/queue/portals.js";
import { openProcess, runningProcesses } from "../../../src/serve/queue/processes.js";
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { eventIn, factsIn, knownOf } from "../../../src/serve/queue/shapes.js";
import { eventOf, knownOf as recordOf } from "../events/contract.js";
import { ioFor } from "../../run/call.js";
import { list, queuePlace } from "./queue-place.js";

const RECORD = recordOf("a");
const { snapshot, reported } = RECORD;
const DEEP = "[".repeat(20_000) + "]".repeat(20_000);

test.each([
  ["no JSON", "{"],
  ["null", "null"],
  ["a list", "[]"],
  ["no keys", { snapshot: {}, reported: {} }],
  ["no times", { ...RECORD, checkedMs: null }],
  ["a status of its own", { ...RECORD, snapshot: { ...snapshot, status: "fine" } }],
  ["changes that are none", { ...RECORD, snapshot: { ...snapshot, waiting: [5] } }],
  ["half of a failure", { ...RECORD, snapshot: { ...snapshot, failure: { code: "away" } } }],
  ["reports that are none", { ...RECORD, reported: { ...reported, failure: 5 } }],
])("a record with %s is as if nothing were known", (_, value) => {
  expect(knownOf(JSON.stringify(RECORD))).toEqual(RECORD);
  expect(knownOf(typeof value === "string" ? value : JSON.stringify(value))).toBeUndefined();
});

test.each(["pools", "apply", "doing", "policies", "commit", "stuck", "host"])(
  "facts of a process with a number as %s are none",
  (name) => {
    const facts = { role: "worker", host: "vm", pid: 1, version: "1", pools: ["default"] };
    expect(factsIn(JSON.stringify(facts))).toEqual(facts);
    expect(factsIn(JSON.stringify({ ...facts, [name]: 5 }))).toBeUndefined();
  },
);

test("skips an event without a time, and sends the next one", async () => {
  const { database } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  const store = openQueueStore(database);
  await store.register(["ops"]);
  const [broken, whole] = [eventOf("1", "a"), eventOf("2", "a")];
  await store.record("a", RECORD, [broken, whole]);
  const { timeMs: _, ...rest } = broken;
  expect(eventIn(JSON.stringify(rest))).toBeUndefined();
  await database.query("UPDATE SCHEMA.event SET event = $1 WHERE id = $2", [
    JSON.stringify(rest),
    broken.id,
  ]);
  expect((await store.pending("ops", 10)).map(({ id }) => id)).toEqual([whole.id]);
  expect(await database.query("SELECT FROM SCHEMA.unsent")).toHaveLength(1);
});

test.each(["Infinity", "NaN"])("a record that was checked at %s is replaced", async (looked) => {
  const { database } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  await database.query(`UPDATE SCHEMA.known SET looked = '${looked}'`);
  await openQueueStore(database).record("a", RECORD, []);
  expect(await database.query("SELECT looked FROM SCHEMA.known")).toEqual([
    { looked: RECORD.checkedMs },
  ]);
});

test("a process that claims to send for ever, or to run in the future, does not", async () => {
  const { database } = await (await queuePlace()).open();
  await database.query("UPDATE SCHEMA.queue SET sender = 'nobody', sender_until = 'infinity'");
  const own = openProcess(database);
  expect(await own.isSender()).toBe(true);
  await own.refresh({ role: "worker", host: "vm", pid: 1, version: "1" });
  await database.query("UPDATE SCHEMA.process SET seen = now() + interval '1 year'");
  expect(await runningProcesses(database.query)).toEqual([]);
});

test("jobs that were delayed for ever keep no others away", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  const { query, at } = database;
  await list(database, "1", ["a"]);
  await insertDueJobs(database, jobs);
  await query(`UPDATE ${at.jobs}.job SET start_after = 'infinity'`);
  await query(
    `INSERT INTO ${at.jobs}.job (name, policy, start_after, keep_until) VALUES ('tick', 'short', 'infinity', 'infinity')`,
  );
  await query(`DELETE FROM ${at.jobs}.schedule`);
  await jobs.repair(database);
  expect(await query(`SELECT name FROM ${at.jobs}.job`)).toEqual([]);
  expect(await query(`SELECT name FROM ${at.jobs}.schedule`)).toEqual([{ name: "tick" }]);
  await query("UPDATE SCHEMA.portal SET due = now()");
  expect(await insertDueJobs(database, jobs)).toBe(1);
  // A dead letter without data stops no tick.
  await query(`INSERT INTO ${at.jobs}.job (name, data) VALUES ('dead-portals', 'null')`);
  await tick(database, jobs);
});

test.each([
  ["half a failure in a row", { failures: 0.5 }],
  ["more failures than a column holds", { failures: 2 ** 31 }],
  ["what is nested too deeply to be written again", { more: "DEEP" }],
])("a record with %s is as if nothing were known", (_, more) => {
  const text = JSON.stringify({ ...RECORD, ...more }).replace('"DEEP"', DEEP);
  expect(knownOf(text)).toBeUndefined();
});

test.each([
  "null",
  "5",
  '{"calls": null}',
  '{"calls": {}, "closedUntilMs": 8e15, "promisedMs": 1e300}',
])("a sign-in service with %s as its calls takes calls", async (facts) => {
  const { database } = await (await queuePlace()).open();
  const io = ioFor({ cwd: "/" }).io;
  const limiter = openSharedLimiter({ io, database, callTimeoutMs: 1_000 });
  const pace = limiter.pace({ url: "https://a.example.com", written: "" }, "token", {
    calls: 60,
    seconds: 60,
  });
  await pace.wait();
  await database.query("UPDATE SCHEMA.pace SET facts = $1", [facts]);
  await pace.wait();
});

test("a server that takes no writes for a while, such as a standby, is waited for", async () => {
  const role = `standby_${process.pid}`;
  const place = await queuePlace(role);
  await place.admin(async (ask) => {
    await ask(`CREATE ROLE ${role} LOGIN`);
    await ask(`GRANT CREATE ON DATABASE lintel TO ${role}`);
  });
  const lost: string[] = [];
  const { database } = await place.open((message) => lost.push(message));
  const become = (sql: string) =>
    place.admin(async (ask) => {
      await ask(`ALTER ROLE ${role} ${sql}`);
      await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [
        role,
      ]);
    });
  await become("SET default_transaction_read_only = on");
  const listed = list(database, "1", ["a"]);
  await vi.waitFor(() => expect(lost.join()).toContain("read-only transaction"));
  await become("RESET default_transaction_read_only");
  expect(await listed).toBe(true);
});

test("tables of jobs that were dropped are made again at the next start", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "1", ["a"]);
  await place.admin((ask) => ask(`DROP SCHEMA ${database.at.jobs} CASCADE`));
  const { jobs } = await place.open();
  expect(await insertDueJobs(database, jobs)).toBe(1);
});
