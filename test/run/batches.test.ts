// Canaries: some portals go first, and the others only where these show the change; or none goes on after a failure.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBatches, type BatchedPortal } from "../../src/apply/batches.js";
import { call } from "./call.js";
import { openFleet, statuses, updatesOf, type Fleet } from "./fleet.js";

const SETTINGS = "{ blockBetaApps: true }";
const APPLY = ["apply", "portals", "--yes", "--concurrency", "1"];

const refuse = ({ sandbox }: Fleet, name: string) =>
  sandbox.faults.push({
    kind: "error-json",
    match: new RegExp(`POST .*/portals/${name}/settings/update`),
  });

describe("--canary", () => {
  test("applies the rest if the canaries show the change", async () => {
    const fleet = await openFleet(5, SETTINGS, call);
    const { exit, stderr } = await fleet.run([...APPLY, "--canary", "2"]);
    expect(exit).toBe(0);
    expect(stderr).toContain("The first 2 portals show the change. Continuing with 3 more.");
    expect(updatesOf(fleet.sandbox)).toEqual([1, 2, 3, 4, 5].map((at) => `portal-${at}`));
  });

  test("selects canaries by a pattern", async () => {
    const fleet = await openFleet(3, SETTINGS, call);
    const { exit, stderr } = await fleet.run([...APPLY, "--canary", "*-3"]);
    expect(exit).toBe(0);
    expect(stderr).toContain("The first portal shows the change. Continuing with 2 more.");
    expect(updatesOf(fleet.sandbox)).toEqual(["portal-3", "portal-1", "portal-2"]);
  });

  test("refuses a pattern that matches no portal", async () => {
    const fleet = await openFleet(2, SETTINGS, call);
    const { exit, stderr } = await fleet.run([...APPLY, "--canary", "staging-*"]);
    expect(exit).toBe(64);
    expect(stderr).toContain('No portal is called "staging-*".');
    expect(updatesOf(fleet.sandbox)).toEqual([]);
  });

  test("starts nothing else if the canary is on hold", async () => {
    const fleet = await openFleet(3, SETTINGS, call);
    const hold = ["hold", "portals/portal-2.yaml", "--why", "Migration"];
    expect((await fleet.run(hold)).exit).toBe(0);
    const ran = await fleet.run([...APPLY, "--canary", "portal-2", "--skip-held"]);
    expect(ran.stdout + ran.stderr).toContain("the canary was not verified");
    expect(updatesOf(fleet.sandbox)).toEqual([]);
  });

  test("skips the rest after a failed canary, with its exit status", async () => {
    const fleet = await openFleet(5, SETTINGS, call);
    refuse(fleet, "portal-2");
    const ran = await fleet.told([...APPLY, "--canary", "2"]);
    expect(statuses(ran)).toEqual({
      "portal-1": "applied",
      "portal-2": "portal-refused",
      "portal-3": "not-begun",
      "portal-4": "not-begun",
      "portal-5": "not-begun",
    });
    expect(ran.exitCode).toBe(4);
    expect(ran.portals.map(({ status, exitCode }) => [status, exitCode]).slice(2)).toEqual(
      Array.from({ length: 3 }, () => ["skipped", 0]),
    );
    expect(ran.text).toContain('Skipped: the canary was not verified: "portal-2". [not-begun]');
    expect(ran.text.match(/\[not-begun\]/g)).toHaveLength(1);
    expect(ran.text).toContain("5 portals: 1 applied, 3 skipped, 1 failed.");
    expect(updatesOf(fleet.sandbox)).toEqual(["portal-1", "portal-2"]);
    // What was applied has nothing to do, so that the first are the next ones.
    const again = await fleet.told([...APPLY, "--canary", "2"]);
    expect(again.exitCode).toBe(0);
    expect(updatesOf(fleet.sandbox).slice(2)).toEqual([2, 3, 4, 5].map((at) => `portal-${at}`));
  });

  test.each([
    [
      "is broken",
      (fleet: Fleet) => fleet.write("portal-1", { settings: "{ blockBetaApp: true }" }),
    ],
    ["took it otherwise", takeOtherwise],
    ["is never read", neverRead],
  ])("does not count a canary that %s", async (_, change) => {
    const fleet = await openFleet(4, SETTINGS, call);
    change(fleet);
    const words = [...APPLY, "--canary", "1", "--allow", "unread-portal"];
    const ran = await fleet.told(words);
    const { "portal-1": _first, ...rest } = statuses(ran);
    expect(new Set(Object.values(rest))).toEqual(new Set(["not-begun"]));
  });

  test("applies a saved plan with canaries", async () => {
    const fleet = await openFleet(3, SETTINGS, call);
    expect((await fleet.run(["plan", "portals", "--save", "plan.json"])).exit).toBe(0);
    refuse(fleet, "portal-1");
    const ran = await fleet.told(["apply", "plan.json", "--canary", "1"]);
    expect(Object.values(statuses(ran))).toEqual(["portal-refused", "not-begun", "not-begun"]);
    expect((await fleet.told(["apply", "plan.json"])).exitCode).toBe(0);
  });
});

/** The portal says yes, and shows what it showed before. */
function takeOtherwise({ sandbox }: Fleet): void {
  sandbox.faults.push({
    kind: "html",
    match: ({ method, path }) => {
      if (method === "GET" && /portal-1\/settings/.test(path) && updatesOf(sandbox).length > 0) {
        sandbox.change("portal-1", { blockBetaApps: false });
      }
      return false;
    },
  });
}

function neverRead({ folder }: Fleet): void {
  const path = join(folder, "portals/portal-1.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("id: portal-1", "id: portal-1, read: never"));
}

describe("a failed update", () => {
  test("skips the portals behind it", async () => {
    const fleet = await openFleet(4, SETTINGS, call);
    refuse(fleet, "portal-2");
    const ran = await fleet.told(APPLY);
    expect(Object.values(statuses(ran))).toEqual([
      "applied",
      "portal-refused",
      "not-begun",
      "not-begun",
    ]);
    expect(ran.text).toContain('Skipped: the update of "portal-2" failed. [not-begun]');
    expect(ran.text).toContain("--keep-going");
    expect((await fleet.told(APPLY)).exitCode).toBe(0);
  });

  test("skips none with --keep-going", async () => {
    const fleet = await openFleet(3, SETTINGS, call);
    refuse(fleet, "portal-1");
    const ran = await fleet.told([...APPLY, "--keep-going"]);
    expect(Object.values(statuses(ran))).toEqual(["portal-refused", "applied", "applied"]);
  });

  test("differs from a broken file or a guard, which skip no others", async () => {
    const fleet = await openFleet(3, SETTINGS, call);
    fleet.write("portal-1", { settings: "{ blockBetaApp: true }" });
    fleet.sandbox.change("portal-2", { informationalBanner: { text: "On", enabled: true } });
    fleet.write("portal-2", { settings: "{ informationalBanner: { text: Off, enabled: false } }" });
    const ran = await fleet.told(APPLY);
    expect(Object.values(statuses(ran))).toEqual(["file-invalid", "guarded", "applied"]);
    expect(updatesOf(fleet.sandbox)).toEqual(["portal-3"]);
  });
});

test.each([
  [["--canary", "0"], /pattern of their names:\n.*--canary 1\n/],
  [["--concurrency", "0"], /such as:\n.*--concurrency 8\n/],
])("refuses %s with an example", async (words, says) => {
  const fleet = await openFleet(1, SETTINGS, call);
  const { exit, stderr } = await fleet.run([...APPLY.slice(0, 3), ...words]);
  expect(exit).toBe(64);
  expect(stderr).toMatch(says);
});

test("starts with portals that have changes", () => {
  const at = (name: string, isDone = false): BatchedPortal => ({
    name,
    isDone,
    isSkipped: false,
    hasFailed: false,
    canVerify: true,
  });
  const going = openBatches([at("a", true), at("b"), at("c", true), at("d"), at("e")], {
    canary: 2,
    keepGoing: true,
  });
  expect(going.batches).toEqual([
    [1, 3],
    [0, 2, 4],
  ]);
  going.ended(1, null);
  going.ended(3, null);
  expect(going.next()).toBe("The first 2 portals show the change. Continuing with 1 more.");
  expect(going.why()).toBeUndefined();
});
