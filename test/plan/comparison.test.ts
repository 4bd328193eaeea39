// Comparing a saved plan with a new one names the inputs that changed.
import { expect, test } from "vitest";
import { changedEnds, digestOfPlan } from "../../src/plan/binding.js";
import type { Inputs } from "../../src/plan/inputs.js";
import { isNothingToDo, makePlan, type Plan } from "../../src/plan/plan.js";
import { applied, inputs, lastOf, seen, want } from "./inputs.js";

const given = inputs({
  desired: [want("informationalBanner.text", "new"), want("informationalBanner.enabled", false)],
  last: lastOf([applied("informationalBanner.text", "old")]),
  live: seen({ informationalBanner: { text: "old", enabled: true }, culture: "en" }),
});
const saved = JSON.parse(JSON.stringify(makePlan(given))) as Plan;
const compared = (more: Partial<Inputs>) => changedEnds(saved, makePlan({ ...given, ...more }));

test("gives an equal plan for the same inputs", () => {
  expect(compared({})).toEqual([]);
  expect(digestOfPlan(makePlan(given))).toBe(digestOfPlan(saved));
});

test("a moved line makes no plan stale", () => {
  const desired = given.desired.map((leaf) => ({
    ...leaf,
    place: leaf.place && { ...leaf.place, line: leaf.place.line + 1 },
  }));
  expect(compared({ desired })).toEqual([]);
});

test("unlisted live values make no plan stale", () => {
  expect(
    compared({
      live: seen({ informationalBanner: { text: "old", enabled: true }, culture: "de" }),
    }),
  ).toEqual([]);
});

test("a new serial alone makes no plan stale", () => {
  const last = lastOf([...(given.last?.leaves ?? [])]);
  expect(compared({ last: { ...last, serial: last.serial + 2 } })).toEqual([]);
});

test("another day makes no plan stale, even if an allow entry expired", () => {
  const allow = {
    names: ["disable-notice"],
    entries: [{ guard: "disable-notice", until: "2026-06-15", reason: "Over" }],
  } as const;
  const before = makePlan({ ...given, allow });
  expect(changedEnds(before, makePlan({ ...given, allow, today: "2026-06-16" }))).toEqual([]);
});

test.each<[string, Partial<Inputs>, string[]]>([
  ["the tool", { toolVersion: "0.2.0" }, ["tool"]],
  ["the portal", { portal: { ...given.portal, id: "other" } }, ["portal"]],
  [
    "another apply",
    {
      last: {
        ...lastOf([...(given.last?.leaves ?? [])]),
        applied: { number: 8, time: "2026-06-15T10:00:00Z", by: "ada" },
      },
    },
    ["state"],
  ],
  [
    "a hold, which raises the serial",
    { last: { ...lastOf([...(given.last?.leaves ?? [])]), serial: 8 } },
    [],
  ],
  [
    "the live portal, in what would be sent over",
    {
      live: seen({ informationalBanner: { text: "old", enabled: true, bgColor: "red" } }),
    },
    ["live", "content"],
  ],
  [
    "the file",
    { desired: [want("informationalBanner.text", "newer"), ...given.desired.slice(1)] },
    ["desired", "content"],
  ],
  ["a guard", { allow: { names: ["disable-notice"], entries: [] } }, ["guards", "content"]],
])("%s", (_, more, ends) => {
  expect(compared(more)).toEqual(ends);
});

test("a saved plan that was edited is not equal", () => {
  const changes = saved.changes.map((change) => ({ ...change, after: "harmless" }));
  expect(changedEnds({ ...saved, changes }, makePlan(given))).toEqual(["content"]);
});

test("a plan without changes has nothing to do, unless a journal is open", () => {
  const settled = {
    desired: [want("blockBetaApps", true)],
    live: seen({ blockBetaApps: true }),
  };
  const leaves = [applied("blockBetaApps", true)];
  expect(isNothingToDo(makePlan(inputs({ ...settled, last: lastOf(leaves) })))).toBe(true);
  expect(isNothingToDo(makePlan(inputs({ ...settled, last: lastOf(leaves, {}) })))).toBe(false);
});
