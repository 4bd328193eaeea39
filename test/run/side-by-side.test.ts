// Several files in one run: every command goes through all of them, with one sign-in and one state folder.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStateIn } from "../support/state-files.js";
import { openFleet, signInsOf, statuses, updatesOf } from "./fleet.js";

const PORTALS = 5;
const SETTINGS = "{ blockBetaApps: true }";
const NAMES = Array.from({ length: PORTALS }, (_, at) => `portal-${at + 1}`);

function all<T>(value: T): Record<string, T> {
  return Object.fromEntries(NAMES.map((name) => [name, value]));
}

test.each([1, 3, 50])(
  "plans and applies %i portals at a time with one sign-in for each run",
  async (concurrency) => {
    const fleet = await openFleet(PORTALS, SETTINGS);
    const { sandbox, told } = fleet;
    const bound = ["portals", "--concurrency", String(concurrency)];

    const planned = await told(["plan", ...bound, "--detailed-exitcode"]);
    expect(planned.exitCode).toBe(2);
    expect(statuses(planned)).toEqual(all("changes"));
    expect(planned.portals.map(({ name }) => name)).toEqual(NAMES);
    expect(signInsOf(sandbox)).toBe(1);
    expect(updatesOf(sandbox)).toEqual([]);

    const applied = await told(["apply", ...bound, "--yes"]);
    expect(applied.exitCode).toBe(0);
    expect(statuses(applied)).toEqual(all("applied"));
    expect(signInsOf(sandbox)).toBe(2);
    expect(updatesOf(sandbox).toSorted()).toEqual(NAMES);
    for (const name of NAMES) {
      expect(sandbox.settings(name)).toMatchObject({ blockBetaApps: true });
    }

    const again = await told(["plan", ...bound, "--detailed-exitcode"]);
    expect(again.exitCode).toBe(0);
    expect(again.text).toMatch(/^No changes\./m);
    expect(statuses(again)).toEqual(all("unchanged"));
    expect(signInsOf(sandbox)).toBe(3);
  },
);

test("keeps the states of all portals in one folder, each with its history", async () => {
  const { folder, told } = await openFleet(PORTALS, SETTINGS);
  await told(["apply", "portals", "--yes"]);
  const states = join(folder, "portals/.lintel");
  const keys = readdirSync(states).filter((name) => !name.startsWith("."));
  expect(keys).toHaveLength(PORTALS);
  const ids = keys.map((key) => {
    const text = readStateIn(states, key) ?? "";
    const state = JSON.parse(text) as { portal: { id: string }; history: unknown[] };
    expect(state.history).toHaveLength(1);
    return state.portal.id;
  });
  expect(ids.toSorted()).toEqual(NAMES);
});

test("drift names only the changed portal", async () => {
  const { sandbox, told } = await openFleet(PORTALS, SETTINGS);
  await told(["apply", "portals", "--yes"]);
  sandbox.change("portal-4", { blockBetaApps: false });
  const before = signInsOf(sandbox);
  const drift = await told(["drift", "portals"]);
  expect(drift.exitCode).toBe(2);
  expect(statuses(drift)).toEqual({ ...all("unchanged"), "portal-4": "changes" });
  expect(drift.summary).toMatchObject({ portals: PORTALS, changing: 1, changes: 1, failed: 0 });
  expect(signInsOf(sandbox)).toBe(before + 1);
});

test("status shows the last apply of each portal", async () => {
  const { sandbox, told } = await openFleet(PORTALS, SETTINGS);
  await told(["apply", "portals/portal-2.yaml", "--yes"]);
  const before = signInsOf(sandbox);
  const status = await told(["status", "portals"]);
  expect(status.exitCode).toBe(2);
  expect(statuses(status)).toEqual({ ...all("changes"), "portal-2": "unchanged" });
  const applied = (status.portals as unknown as { name: string; lastApply: object | null }[])
    .filter(({ lastApply }) => lastApply)
    .map(({ name }) => name);
  expect(applied).toEqual(["portal-2"]);
  expect(signInsOf(sandbox)).toBe(before + 1);
});

test("validate works without a sign-in, and names the broken file", async () => {
  const { sandbox, write, told } = await openFleet(PORTALS, SETTINGS);
  write("portal-3", { settings: "{ blockBetaApp: true }" });
  const { exitCode, diagnostics } = await told(["validate", "portals"]);
  expect(exitCode).toBe(3);
  expect(diagnostics.map(({ code, file }) => [code, file])).toEqual([
    ["unknown-key", "portals/portal-3.yaml"],
  ]);
  expect(sandbox.requests).toEqual([]);
});

test("applies a saved plan for all portals, and completes it in a second run", async () => {
  const { sandbox, run, told } = await openFleet(PORTALS, SETTINGS);
  expect((await run(["plan", "portals", "--save", "plan.json"])).exit).toBe(0);
  sandbox.faults.push({ kind: "error-json", match: /GET .*portal-2\/settings\?/ });
  const first = await told(["apply", "plan.json"]);
  expect(statuses(first)).toEqual({ ...all("applied"), "portal-2": "portal-refused" });
  expect(first.exitCode).toBe(4);
  const second = await told(["apply", "plan.json"]);
  expect(statuses(second)).toEqual({ ...all("unchanged"), "portal-2": "applied" });
  expect(second.exitCode).toBe(0);
  expect(updatesOf(sandbox).filter((name) => name !== "portal-2")).toHaveLength(PORTALS - 1);
});

test("does not save a plan without all its portals", async () => {
  const { folder, write, run } = await openFleet(2, SETTINGS);
  write("portal-2", { settings: "{ blockBetaApp: true }" });
  const { exit, stderr } = await run(["plan", "portals", "--save", "plan.json"]);
  expect(exit).toBe(3);
  expect(stderr).toContain("The plan was not saved");
  expect(readdirSync(folder)).not.toContain("plan.json");
});
