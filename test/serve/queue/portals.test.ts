// The rows of a queue's portals: due, queued, claimed by one process alone, put back when it dies, and due again as soon as there is something newer.
import { expect, test } from "vitest";
import { claim, endClaim, type Claimed } from "../../../src/serve/queue/portals.js";
import { openPresence } from "../../../src/serve/queue/presence.js";
import type { Queue } from "../../../src/serve/queue/queue.js";
import { tick } from "../../../src/serve/queue/tick.js";
import { ioFor } from "../../run/call.js";
import { publish, queuePlace } from "./queue-place.js";

async function presenceOf({ link, sessions }: Queue) {
  const { io } = ioFor({ cwd: "/" });
  const facts = { role: "worker", host: "a", pid: 1, version: "1" } as const;
  const presence = await openPresence({ io, link, sessions, facts, run: "a test", who: "a" });
  await presence.assure();
  return presence;
}

const inDays = { nextMs: Date.now() + 1e9, isBoundary: false, isPutOff: false, journal: null };

async function claimAll({ link, boss }: Queue, process: number, most = 100): Promise<Claimed[]> {
  return [...(await link.together((ask) => claim(ask, boss, { pool: "default", process, most })))];
}

const keysOf = (claimed: readonly Claimed[]) => claimed.map(({ key }) => key).toSorted();

test("what is published is queued at once, and given to one process alone; ended, it comes again when its next turn is", async () => {
  const place = await queuePlace();
  const [one, other] = [await place.open(), await place.open("nothing")];
  const [first, second] = [await presenceOf(one), await presenceOf(other)];
  await publish(one, 1, { a: "1", b: "1", c: "1" });
  const mine = await claimAll(one, first.number, 2);
  const theirs = await claimAll(other, second.number);
  expect(keysOf([...mine, ...theirs])).toEqual(["a", "b", "c"]);
  expect(mine).toHaveLength(2);
  for (const each of [...mine, ...theirs]) {
    expect(await endClaim(one.link.ask, each, inDays)).toBe(true);
    await one.boss.end(one.link.ask, each.pool, each.job, undefined);
  }
  await tick(one);
  expect(await claimAll(one, first.number)).toEqual([]);
  await one.link.ask("UPDATE portal SET due = now() WHERE key = 'b'");
  await tick(one);
  expect(keysOf(await claimAll(one, first.number))).toEqual(["b"]);
});

test("what a process had that is gone is put back by the next look of any other, and what it says later counts for nothing", async () => {
  const place = await queuePlace();
  const [one, other] = [await place.open(), await place.open("nothing")];
  const [first, second] = [await presenceOf(one), await presenceOf(other)];
  await publish(one, 1, { a: "1", b: "1" });
  const [lost] = await claimAll(one, first.number, 1);
  await tick(other);
  expect(keysOf(await claimAll(other, second.number))).toHaveLength(1);
  await place.admin((ask) =>
    ask(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1",
      [first.number],
    ),
  );
  while ((await other.link.ask("SELECT FROM alive")).length > 1) await new Promise(setImmediate);
  await tick(other);
  const again = await claimAll(other, second.number);
  expect(keysOf(again)).toEqual([lost?.key]);
  expect(lost && (await endClaim(one.link.ask, lost, inDays))).toBe(false);
  // It is one of them again, under the number that it had.
  await first.assure();
  expect(await one.link.ask("SELECT FROM alive")).toHaveLength(2);
});

test("a portal of which something newer is published while somebody looks at it is due again at once; one that is gone is nobody's", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  const { number } = await presenceOf(queue);
  await publish(queue, 1, { a: "1", b: "1", c: "1" });
  const claimed = await claimAll(queue, number);
  await publish(queue, 2, { a: "2", b: "1" });
  const ends = await Promise.all(claimed.map((each) => endClaim(queue.link.ask, each, inDays)));
  expect(ends.filter(Boolean)).toHaveLength(2);
  await tick(queue);
  expect(keysOf(await claimAll(queue, number))).toEqual(["a"]);
  expect(await queue.link.ask("SELECT key FROM known ORDER BY key")).toEqual([
    { key: "a" },
    { key: "b" },
  ]);
});

test("however many are due at once, some hundred of a pool stand in the queue, its boundaries before the others and not behind them", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  const { number } = await presenceOf(queue);
  const names = Array.from({ length: 1_300 }, (_, at) => `p${String(at).padStart(4, "0")}`);
  await publish(queue, 1, Object.fromEntries(names.map((name) => [name, "1"])));
  const queued = async () => {
    const rows = await queue.link.ask<{ boundary: boolean; portals: number; jobs: number }>(
      `SELECT is_boundary AS boundary, count(*)::int AS portals,
         (SELECT count(*)::int FROM ${queue.jobs}.job WHERE state = 'created') AS jobs
       FROM portal WHERE queued IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    return rows.map(({ boundary, portals, jobs }) => [boundary, portals, jobs]);
  };
  expect(await queued()).toEqual([[false, 500, 500]]);
  await tick(queue);
  expect(await queued()).toEqual([[false, 500, 500]]);
  await queue.link.ask("UPDATE portal SET is_boundary = true WHERE key >= 'p1297'");
  await tick(queue);
  expect(await queued()).toEqual([
    [false, 500, 503],
    [true, 3, 503],
  ]);
  expect(keysOf(await claimAll(queue, number, 3))).toEqual(["p1297", "p1298", "p1299"]);
  await claimAll(queue, number, 200);
  await tick(queue);
  expect(await queued()).toEqual([[false, 500, 500]]);
});

test("a pool whose queue is full keeps none of another pool out of its own", async () => {
  const place = await queuePlace();
  const queue = await place.open();
  const names = Array.from({ length: 600 }, (_, at) => `p${at}`);
  await publish(queue, 1, Object.fromEntries(names.map((name) => [name, "1"])));
  await queue.boss.prepare(["north"]);
  await queue.link.ask("UPDATE portal SET pool = 'north' WHERE queued IS NULL");
  await tick(queue);
  expect(
    await queue.link.ask(
      "SELECT pool, count(*)::int AS portals FROM portal WHERE queued IS NOT NULL GROUP BY 1 ORDER BY 1",
    ),
  ).toEqual([
    { pool: "default", portals: 500 },
    { pool: "north", portals: 100 },
  ]);
});

test("two that serve a new queue at the same moment both begin", async () => {
  const place = await queuePlace();
  const opened = await place.admin(async (ask) => {
    await ask("BEGIN");
    await ask(`CREATE SCHEMA ${place.schema}_jobs AUTHORIZATION lintel`);
    const opening = place.open();
    const isWaiting = async () => {
      await ask("SELECT pg_stat_clear_snapshot()");
      return ask(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${place.schema}_jobs%'`,
      );
    };
    while ((await isWaiting()).length === 0) await new Promise(setImmediate);
    await ask("COMMIT");
    return opening;
  });
  await publish(opened, 1, { a: "1" });
});
