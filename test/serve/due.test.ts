// When a portal's turn comes, by whichever clock it was set: as data.
import { expect, test } from "vitest";
import { comingMs, type TimedWindow } from "../../src/serve/due.js";
import { openFleet } from "../../src/serve/fleet.js";
import { afterFailureMs, nextTurnMs } from "../../src/serve/turn.js";
import { knownOf } from "./events/contract.js";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test.each([
  [NOW - 1, NOW - 1],
  [NOW, NOW],
  [NOW + 5 * MINUTE, NOW + 5 * MINUTE],
  [NOW + 5 * MINUTE + 1, NOW],
  [NOW + 400 * DAY, NOW],
])("a moment at %i that is at most five minutes ahead comes at %i", (atMs, expected) => {
  expect(comingMs(atMs, NOW, 5 * MINUTE)).toBe(expected);
});

const AHEAD = [-DAY, -1, 0, 1, MINUTE, 10 * MINUTE, 14 * MINUTE, DAY, 400 * DAY];
const EVERY = [10_000, 15 * MINUTE, DAY];
const FAILURES = [0, 1, 4, 30];
const cases = AHEAD.flatMap((aheadMs) =>
  EVERY.flatMap((everyMs) => FAILURES.map((failures) => [aheadMs, everyMs, failures] as const)),
);

const WINDOW: TimedWindow = { name: "night", fromMs: NOW + 300 * DAY, untilMs: NOW + 301 * DAY };

/** A portal that was looked at now, by a clock that is ahead; the fleet is asked by one that is right. */
function openPast(aheadMs: number, everyMs: number, failures: number) {
  const file = "north.yaml";
  const key = "north";
  const portal = { name: "north", url: "https://north.example.com/rest", id: "self" };
  const followed = { file, key, portal, windows: [WINDOW], marks: new Map() };
  const fleet = openFleet(everyMs);
  const lookedMs = NOW + aheadMs;
  fleet.take(new Map([[file, followed]]), lookedMs, true);
  const kept = fleet.portals.get(file);
  if (!kept) throw new Error("the file is not taken");
  const turnMs =
    failures > 0
      ? lookedMs + afterFailureMs(key, failures, everyMs)
      : nextTurnMs(key, everyMs, lookedMs);
  fleet.looked(kept, { ...knownOf(key), lookedMs, turnMs, failures }, followed);
  return { fleet, kept, turnMs };
}

test.each(cases)(
  "of a clock that was %i ms ahead, every %i ms, after %i failures: nothing waits longer than ever",
  (aheadMs, everyMs, failures) => {
    const { fleet, kept, turnMs } = openPast(aheadMs, everyMs, failures);
    const backOffMs = failures > 0 ? afterFailureMs("north", failures, everyMs) : 0;
    const longestMs = NOW + Math.max(everyMs, MINUTE) + backOffMs;
    expect(fleet.nextMs(NOW)).toBeLessThanOrEqual(longestMs);
    // It has its turn where it would wait longer, and only there.
    expect(fleet.due(NOW)).toBe(turnMs <= NOW || turnMs > longestMs ? kept : undefined);
    // What files or a disk made wait, too.
    fleet.delay(kept, NOW + aheadMs + MINUTE, NOW + aheadMs);
    expect(fleet.nextMs(NOW)).toBeLessThanOrEqual(longestMs);
  },
);

function followedOf(name: string, windows: readonly TimedWindow[] = []) {
  const portal = { name, url: `https://${name}.example.com/rest`, id: "self" };
  return { file: `${name}.yaml`, key: name, portal, windows, marks: new Map() };
}

const filesOf = (all: readonly ReturnType<typeof followedOf>[]) =>
  new Map(all.map((each) => [each.file, each]));

/** The portals in the order of their turns, each checked when its turn comes. */
function turnsOf(fleet: ReturnType<typeof openFleet>, fromMs: number): string[] {
  const names: string[] = [];
  for (let nowMs = fromMs; nowMs < Infinity; nowMs = fleet.nextMs(nowMs)) {
    for (let kept = fleet.due(nowMs); kept; kept = fleet.due(nowMs)) {
      names.push(kept.followed.key);
      fleet.begin(kept, nowMs);
    }
  }
  return names;
}

test("after a start, portals that were checked longest ago come first", () => {
  const names = ["a", "b", "c", "d"];
  const checked: Record<string, number> = { a: 3, b: 1, d: 2 };
  const fleet = openFleet(15 * MINUTE);
  fleet.remember(
    new Map(
      Object.entries(checked).map(([name, ms]) => [name, { ...knownOf(name), lookedMs: ms }]),
    ),
  );
  fleet.take(filesOf(names.map((name) => followedOf(name))), NOW, true);
  expect(turnsOf(fleet, NOW)).toEqual(["c", "b", "d", "a"]);
});

test("a window that opens comes before portals that wait longer", () => {
  const fleet = openFleet(15 * MINUTE);
  const window = { name: "night", fromMs: NOW + MINUTE, untilMs: NOW + 2 * MINUTE };
  fleet.take(
    filesOf([followedOf("late"), followedOf("other"), followedOf("timed", [window])]),
    NOW,
    true,
  );
  const afterwards = turnsOf(fleet, NOW + MINUTE);
  expect(afterwards).toEqual(["timed", "late", "other"]);
});

test("a portal of a file that is gone has no turn, and one that is new has it at once", () => {
  const fleet = openFleet(15 * MINUTE);
  const [north, south] = [followedOf("north"), followedOf("south")];
  fleet.take(filesOf([north]), NOW, true);
  fleet.take(filesOf([south]), NOW, false);
  expect(turnsOf(fleet, NOW)).toEqual(["south"]);
});
