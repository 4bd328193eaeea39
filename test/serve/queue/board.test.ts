// What any process of a queue records → on the board of each that shows a page: what changed, and nothing else; who is gone is gone.
import { expect, test } from "vitest";
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { openSharedBoard } from "../../../src/serve/shared-board.js";
import { knownOf } from "../events/contract.js";
import { publish, queuePlace } from "./queue-place.js";

test("the board takes over what others record, keeps what stays the same, and lets go of who is gone", async () => {
  const place = await queuePlace();
  const [one, other] = [await place.open(), await place.open("nothing")];
  const shared = openSharedBoard(other.link);
  const { board } = shared;
  let rings = 0;
  board.changed(() => void rings++);
  await publish(one, 1, { a: "1", b: "1" });
  await shared.read();
  expect(board.portals().map(({ key, status }) => [key, status])).toEqual([
    ["a", "unknown"],
    ["b", "unknown"],
  ]);
  const [, before] = board.portals();
  const known = knownOf("a");
  const drifted = { ...known, seen: { ...known.seen, status: "drifted" as const } };
  await openQueueStore(one.link).record("a", drifted, []);
  await shared.read();
  expect(board.portals().map(({ status }) => status)).toEqual(["drifted", "unknown"]);
  expect(board.portals()[1]).toBe(before);
  const ringsBefore = rings;
  await shared.read();
  expect(rings).toBe(ringsBefore);
  await publish(one, 2, { b: "1" });
  await shared.read();
  expect(board.portals().map(({ key }) => key)).toEqual(["b"]);
});

test("what was begun before the board looked, and is recorded after, is not missed", async () => {
  const place = await queuePlace();
  const [one, other, third] = [
    await place.open(),
    await place.open("nothing"),
    await place.open("nothing"),
  ];
  await publish(one, 1, { a: "1", b: "1" });
  const shared = openSharedBoard(other.link);
  const { board } = shared;
  const store = openQueueStore(one.link);
  const failed = (key: string) => {
    const known = knownOf(key);
    return { ...known, seen: { ...known.seen, status: "invalid" as const } };
  };
  // Its number is lower than that of what is committed before it.
  await third.link.together(async (ask) => {
    await ask("UPDATE known SET status = status, changed = pg_current_xact_id() WHERE key = 'a'");
    await store.record("b", failed("b"), []);
    await shared.read();
    await ask("UPDATE known SET known = $1 WHERE key = 'a'", [JSON.stringify(failed("a"))]);
  });
  expect(board.portals().map(({ status }) => status)).toEqual(["unknown", "invalid"]);
  await shared.read();
  expect(board.portals().map(({ status }) => status)).toEqual(["invalid", "invalid"]);
});
