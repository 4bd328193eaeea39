// The page of any process shows what all processes of the queue record.
import { expect, test } from "vitest";
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { openProcess } from "../../../src/serve/queue/processes.js";
import { openSharedSnapshots } from "../../../src/serve/shared-snapshots.js";
import { knownOf } from "../events/contract.js";
import { list, queuePlace } from "./queue-place.js";

test("shows what others record, keeps what stays the same, and drops what is no longer listed", async () => {
  const place = await queuePlace();
  const [one, other] = [(await place.open()).database, (await place.open()).database];
  const shared = openSharedSnapshots(other);
  const { snapshots } = shared;
  let rings = 0;
  snapshots.changed(() => void rings++);
  await list(one, "1", ["a", "b"]);
  await shared.read();
  expect(snapshots.portals().map(({ key, status }) => [key, status])).toEqual([
    ["a", "unknown"],
    ["b", "unknown"],
  ]);
  const [, before] = snapshots.portals();
  const known = knownOf("a");
  const drifted = { ...known, snapshot: { ...known.snapshot, status: "drifted" as const } };
  await openQueueStore(one).record("a", drifted, []);
  await shared.read();
  expect(snapshots.portals().map(({ status }) => status)).toEqual(["drifted", "unknown"]);
  expect(snapshots.portals()[1]).toBe(before);
  const ringsBefore = rings;
  await shared.read();
  expect(rings).toBe(ringsBefore);
  await list(one, "2", ["b"]);
  await shared.read();
  expect(snapshots.portals().map(({ key }) => key)).toEqual(["b"]);
});

test("reports why no portal is checked, or why an older commit is", async () => {
  const place = await queuePlace();
  const { database } = await place.open();
  await list(database, "1", ["a"]);
  const shared = openSharedSnapshots(database);
  let rings = 0;
  shared.snapshots.changed(() => void rings++);
  const why = async () => {
    await shared.read();
    const outage = shared.snapshots.outage?.();
    return outage && "why" in outage ? outage.why : undefined;
  };
  const [serve, one, two] = [0, 1, 2].map(() => openProcess(database));
  const worker = { role: "worker", host: "vm", pid: 1, version: "1", pools: ["default"] } as const;
  expect(await why()).toBe("No worker is running. No portal is checked.");
  await one?.refresh({ ...worker, stuck: "git cannot fetch." });
  expect(await why()).toBe("No worker takes jobs. No portal is checked. git cannot fetch.");
  const before = rings;
  await two?.refresh(worker);
  expect(await why()).toBeUndefined();
  expect(rings).toBe(before + 1);
  await serve?.refresh({ ...worker, role: "serve", stuck: "The branch was rewritten." });
  expect(await why()).toBe("Portals are checked at an older commit. The branch was rewritten.");
});

test("misses no record that was begun before a reading and committed after it", async () => {
  const place = await queuePlace();
  const [one, other, third] = [
    (await place.open()).database,
    (await place.open()).database,
    (await place.open()).database,
  ];
  await list(one, "1", ["a", "b"]);
  const shared = openSharedSnapshots(other);
  const { snapshots } = shared;
  const store = openQueueStore(one);
  const failed = (key: string) => {
    const known = knownOf(key);
    return { ...known, snapshot: { ...known.snapshot, status: "invalid" as const } };
  };
  // Its number is lower than that of what is committed before it.
  await third.transaction(async (ask) => {
    await ask(
      "UPDATE SCHEMA.known SET status = status, changed = pg_current_xact_id() WHERE key = 'a'",
    );
    await store.record("b", failed("b"), []);
    await shared.read();
    await ask("UPDATE SCHEMA.known SET known = $1 WHERE key = 'a'", [JSON.stringify(failed("a"))]);
  });
  expect(snapshots.portals().map(({ status }) => status)).toEqual(["unknown", "invalid"]);
  await shared.read();
  expect(snapshots.portals().map(({ status }) => status)).toEqual(["invalid", "invalid"]);
});
