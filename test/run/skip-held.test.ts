// With --skip-held, portals on hold are skipped and do not fail a run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet, statuses, updatesOf } from "./fleet.js";

const [BEFORE, AFTER] = ["{ blockBetaApps: false }", "{ blockBetaApps: true }"];
const NOWHERE = "http://127.0.0.1:1/portal/sharing/rest";

/** One is held by hand and down, one by a rollback; two are free. */
async function openHeld() {
  const fleet = await openFleet(4, BEFORE, call);
  const names = ["portal-1", "portal-2", "portal-3", "portal-4"];
  expect((await fleet.run(["apply", "portals", "--yes"])).exit).toBe(0);
  for (const name of names) fleet.write(name, { settings: AFTER });
  const file = (name: string) => `portals/${name}.yaml`;
  expect((await fleet.run(["apply", file("portal-2"), "--yes"])).exit).toBe(0);
  expect((await fleet.run(["rollback", file("portal-2"), "--yes"])).exit).toBe(0);
  fleet.write("portal-1", { settings: AFTER, url: NOWHERE });
  const held = await fleet.run(["hold", file("portal-1"), "--why", "Database migration"]);
  expect(held.exit).toBe(0);
  return fleet;
}

/** The same as without --skip-held. */
const HOLDS = [
  { why: "Database migration", isByHand: true },
  { why: "rollback to apply 1", isByHand: false, isAgreed: false },
  null,
  null,
];

const SKIPPED = { "portal-1": "not-begun", "portal-2": "not-begun" };

test("plan shows and saves the other portals", async () => {
  const fleet = await openHeld();
  const words = ["plan", "portals", "--skip-held", "--save", "plan.json"];
  const told = await fleet.told([...words, "-o", "markdown=plan.md", "-o", "html=plan.html"]);
  expect(told.exitCode).toBe(0);
  expect(statuses(told)).toEqual({ ...SKIPPED, "portal-3": "changes", "portal-4": "changes" });
  expect(told.portals).toMatchObject(HOLDS.map((hold) => ({ hold })));
  expect(told.text).toMatch(
    /skipped: The portal is held by \S+ since .*: Database migration\. \[not-begun\]/,
  );
  expect(told.text).toContain("lintel unhold portals/portal-1.yaml");
  expect(told.text).toMatch(
    /skipped: The portal is on hold since .* by \S+: rollback to apply 1\./,
  );
  expect(told.text).toContain("4 portals: 2 with changes, 2 skipped. 2 to set.");
  for (const name of ["plan.md", "plan.html"]) {
    const report = readFileSync(join(fleet.folder, name), "utf8");
    expect(report).toContain("Skipped");
    expect(report).toContain("Database migration");
  }
  const applied = await fleet.told(["apply", "plan.json"]);
  expect(statuses(applied)).toEqual({ "portal-3": "applied", "portal-4": "applied" });
});

test("apply continues with the others, canary included", async () => {
  const fleet = await openHeld();
  expect((await fleet.run(["apply", "portals/portal-2.yaml", "--yes"])).exit).toBe(7);
  const before = updatesOf(fleet.sandbox).length;
  const told = await fleet.told(["apply", "portals", "--yes", "--skip-held", "--canary", "1"]);
  expect(told.exitCode).toBe(0);
  expect(statuses(told)).toEqual({ ...SKIPPED, "portal-3": "applied", "portal-4": "applied" });
  expect(told.portals).toMatchObject(HOLDS.map((hold) => ({ hold })));
  expect(updatesOf(fleet.sandbox).slice(before)).toEqual(["portal-3", "portal-4"]);
  expect(told.summary).toMatchObject({ failed: 0, guarded: 0 });
});

test("keeps the status of other failures, and ends a hold that the file agrees with", async () => {
  const fleet = await openHeld();
  fleet.write("portal-2", { settings: BEFORE });
  fleet.write("portal-3", { settings: AFTER, url: NOWHERE });
  const told = await fleet.told(["apply", "portals", "--yes", "--skip-held"]);
  expect(told.exitCode).toBe(4);
  expect(statuses(told)).toEqual({
    "portal-1": "not-begun",
    "portal-2": "unchanged",
    "portal-3": "not-reachable",
    "portal-4": "applied",
  });
});

test("succeeds if all portals are on hold", async () => {
  const fleet = await openHeld();
  const words = ["portals/portal-1.yaml", "--skip-held"];
  expect((await fleet.run(["plan", ...words, "--detailed-exitcode"])).exit).toBe(0);
  expect((await fleet.run(["plan", ...words, "--save", "plan.json"])).exit).toBe(0);
  const { exit, stdout } = await fleet.run(["apply", "plan.json"]);
  expect([exit, stdout]).toEqual([0, "0 portals.\n"]);
  expect((await fleet.run(["apply", ...words, "--yes"])).exit).toBe(0);
});
