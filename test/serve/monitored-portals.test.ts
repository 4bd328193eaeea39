// When portals are checked: in which order, and after the clock was ahead or put back.
import { expect, test } from "vitest";
import { MonitoredPortals } from "../../src/serve/monitored-portals.js";
import {
  afterFailureMs,
  comingMs,
  regularPollMs,
  type TimedWindow,
} from "../../src/serve/poll-times.js";
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

/** A portal that was checked now, by a clock that is ahead; the next check is asked for by a clock that is right. */
function openPast(aheadMs: number, everyMs: number, failures: number) {
  const file = "north.yaml";
  const key = "north";
  const portalFile = portalFileOf(key, [WINDOW]);
  const portals = new MonitoredPortals(everyMs);
  const checkedMs = NOW + aheadMs;
  portals.replaceFiles(new Map([[file, portalFile]]), checkedMs, true);
  const portal = portals.all.get(file);
  if (!portal) throw new Error("the file is not taken");
  const nextPollMs =
    failures > 0
      ? checkedMs + afterFailureMs(key, failures, everyMs)
      : regularPollMs(key, everyMs, checkedMs);
  portals.update(portal, portalFile, { ...knownOf(key), checkedMs, nextPollMs, failures });
  return { portals, portal, nextPollMs };
}

test.each(cases)(
  "of a clock that was %i ms ahead, every %i ms, after %i failures: nothing waits longer than ever",
  (aheadMs, everyMs, failures) => {
    const { portals, portal, nextPollMs } = openPast(aheadMs, everyMs, failures);
    const backOffMs = failures > 0 ? afterFailureMs("north", failures, everyMs) : 0;
    const longestMs = NOW + Math.max(everyMs, MINUTE) + backOffMs;
    expect(portals.nextMs(NOW)).toBeLessThanOrEqual(longestMs);
    // It is due now where it would wait longer, and only there.
    expect(portals.due(NOW)).toBe(nextPollMs <= NOW || nextPollMs > longestMs ? portal : undefined);
    // Also where changed files or a failed store delay it.
    portals.delay(portal, NOW + aheadMs + MINUTE, NOW + aheadMs);
    expect(portals.nextMs(NOW)).toBeLessThanOrEqual(longestMs);
  },
);

function portalFileOf(name: string, windows: readonly TimedWindow[] = []) {
  const portal = { name, url: `https://${name}.example.com/rest`, id: "self" };
  return { file: `${name}.yaml`, key: name, portal, windows, marks: new Map() };
}

const filesOf = (all: readonly ReturnType<typeof portalFileOf>[]) =>
  new Map(all.map((each) => [each.file, each]));

/** The portals in the order of their checks, each checked when it is due. */
function checksOf(portals: MonitoredPortals, fromMs: number): string[] {
  const names: string[] = [];
  for (let nowMs = fromMs; nowMs < Infinity; nowMs = portals.nextMs(nowMs)) {
    for (let portal = portals.due(nowMs); portal; portal = portals.due(nowMs)) {
      names.push(portal.portalFile.key);
      portals.beginCheck(portal, nowMs);
    }
  }
  return names;
}

test("after a start, portals that were checked longest ago come first", () => {
  const names = ["a", "b", "c", "d"];
  const checked: Record<string, number> = { a: 3, b: 1, d: 2 };
  const portals = new MonitoredPortals(15 * MINUTE);
  portals.restore(
    new Map(
      Object.entries(checked).map(([name, ms]) => [name, { ...knownOf(name), checkedMs: ms }]),
    ),
  );
  portals.replaceFiles(filesOf(names.map((name) => portalFileOf(name))), NOW, true);
  expect(checksOf(portals, NOW)).toEqual(["c", "b", "d", "a"]);
});

test("a window that opens comes before portals that wait longer", () => {
  const portals = new MonitoredPortals(15 * MINUTE);
  const window = { name: "night", fromMs: NOW + MINUTE, untilMs: NOW + 2 * MINUTE };
  portals.replaceFiles(
    filesOf([portalFileOf("late"), portalFileOf("other"), portalFileOf("timed", [window])]),
    NOW,
    true,
  );
  const afterwards = checksOf(portals, NOW + MINUTE);
  expect(afterwards).toEqual(["timed", "late", "other"]);
});

test("a portal of a file that is gone is not checked, and a new one is checked at once", () => {
  const portals = new MonitoredPortals(15 * MINUTE);
  const [north, south] = [portalFileOf("north"), portalFileOf("south")];
  portals.replaceFiles(filesOf([north]), NOW, true);
  portals.replaceFiles(filesOf([south]), NOW, false);
  expect(checksOf(portals, NOW)).toEqual(["south"]);
});
