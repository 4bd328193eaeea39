// Which portals are due, and which jobs they get.
import { expect, test } from "vitest";
import {
  insertDueJobs,
  retryPortals,
  setDead,
  setNextDue,
  tick,
} from "../../../src/serve/queue/portals.js";
import { setDraining } from "../../../src/serve/queue/status.js";
import type { QueueDatabase } from "../../../src/serve/queue/database.js";
import { openProcess } from "../../../src/serve/queue/processes.js";
import { list, listAfter, queuePlace } from "./queue-place.js";

const jobsIn = ({ query, at }: QueueDatabase) =>
  query<{ key: string; state: string }>(
    `SELECT singleton_key AS key, state::text FROM ${at.jobs}.job WHERE name LIKE 'portals-%' ORDER BY 1, 2`,
  );

test("gives a due portal one job, however often it is due", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a", "b"]);
  expect(await insertDueJobs(database, jobs)).toBe(2);
  expect(await insertDueJobs(database, jobs)).toBe(0);
  expect(await retryPortals(database.query, ["a"])).toBe(1);
  expect(await insertDueJobs(database, jobs)).toBe(1);
  expect(await jobsIn(database)).toEqual([
    { key: "a", state: "created" },
    { key: "b", state: "created" },
  ]);
});

test("two processes that list at once: one wins", async () => {
  const place = await queuePlace();
  const [one, other] = [await place.open(), await place.open()];
  await list(one.database, "1", ["a"]);
  const both = await Promise.all([
    listAfter(one.database, "1", "2", ["a"]),
    listAfter(other.database, "1", "3", ["a"]),
  ]);
  expect(both.filter(Boolean)).toHaveLength(1);
});

test("a portal that was listed again during its check is due at once", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  await insertDueJobs(database, jobs);
  await list(database, "2", ["a"]);
  const next = { dueMs: Date.now() + 60_000, isBoundary: false };
  await setNextDue(database.query, { key: "a", commit: "1" }, next);
  expect(await database.query("SELECT key FROM SCHEMA.portal WHERE due <= now()")).toEqual([
    { key: "a" },
  ]);
  await setNextDue(database.query, { key: "a", commit: "2" }, next);
  expect(await database.query("SELECT key FROM SCHEMA.portal WHERE due <= now()")).toEqual([]);
});

test("a portal whose file is invalid is never due", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a", "b"]);
  await database.query("UPDATE SCHEMA.portal SET due = 'infinity' WHERE key = 'a'");
  expect(await retryPortals(database.query, ["a"])).toBe(0);
  await setDead(database.query, ["a"]);
  expect(await insertDueJobs(database, jobs)).toBe(1);
});

test("a drained queue gets no jobs", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  await setDraining(database.query, true);
  await tick(database, jobs);
  expect(await jobsIn(database)).toEqual([]);
  await setDraining(database.query, false);
  await tick(database, jobs);
  expect(await jobsIn(database)).toEqual([{ key: "a", state: "created" }]);
});

test("a job that was given up makes its portal due again, and is counted until a check succeeds", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a"]);
  await insertDueJobs(database, jobs);
  // As after three workers that were killed: pg-boss moves the job to the dead letters.
  await database.query(
    `INSERT INTO ${database.at.jobs}.job (name, data) VALUES ('dead-portals', '{"key":"a","commit":"1"}')`,
  );
  await tick(database, jobs);
  const dead = () => database.query("SELECT key FROM SCHEMA.portal WHERE dead IS NOT NULL");
  expect(await dead()).toEqual([{ key: "a" }]);
  await setNextDue(database.query, { key: "a", commit: "1" }, { dueMs: 0, isBoundary: false });
  expect(await dead()).toEqual([]);
});

test("a job whose worker is gone is tried again before it expires", async () => {
  const { database, jobs } = await (await queuePlace()).open();
  await list(database, "1", ["a", "b", "c"]);
  await insertDueJobs(database, jobs);
  const facts = { role: "worker", host: "one", pid: 1, version: "1.0.0" } as const;
  const [gone, alive] = [openProcess(database), openProcess(database)];
  await gone.refresh({ ...facts, doing: ["a"] });
  await alive.refresh({ ...facts, doing: ["b"] });
  const begun = (ago: string, ...keys: string[]) =>
    database.query(
      `UPDATE ${database.at.jobs}.job SET state = 'active', started_on = now() - $1::interval
       WHERE singleton_key = ANY($2::text[])`,
      [ago, keys],
    );
  await begun("1 minute", "a", "b");
  // Begun since the last refresh of whichever process it is.
  await begun("1 second", "c");
  await database.query(
    "UPDATE SCHEMA.process SET seen = now() - interval '31 seconds' WHERE id = $1",
    [gone.id],
  );
  await tick(database, jobs);
  expect(await jobsIn(database)).toEqual([
    { key: "a", state: "retry" },
    { key: "b", state: "active" },
    { key: "c", state: "active" },
  ]);
});
