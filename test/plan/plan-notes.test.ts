// The notes of a plan, and of single changes.
import { describe, expect, test } from "vitest";
import type { Inputs } from "../../src/plan/inputs.js";
import { makePlan } from "../../src/plan/plan.js";
import { applied, inputs, lastOf, NEVER, seen, want } from "./inputs.js";

const advanced = (name: string) => `portalConfigProperties.${name}`;

function codesOf(more: Partial<Inputs>): string[] {
  return makePlan(inputs(more)).notes.map(({ code }) => code);
}

describe("a portal without a version", () => {
  const desired = [want("blockBetaApps", true)];

  test("is not compared with the target, and a note says why", () => {
    const { notes, guards } = makePlan(inputs({ desired }));
    expect(guards).toEqual([]);
    expect(notes).toEqual([
      {
        path: null,
        code: "untold-version",
        message: "The portal does not show its version. Check that it is 11.5.",
      },
    ]);
  });

  test("gets no note if nothing is sent or nothing was read", () => {
    expect(codesOf({ desired, live: seen({ blockBetaApps: true }) })).toEqual([]);
    expect(codesOf({ desired, live: NEVER })).toEqual([]);
  });

  test("differs from an unlisted release", () => {
    expect(codesOf({ desired, live: seen({}, "11.5") })).toEqual([]);
    const live = { ...seen({}), unlistedRelease: "2026.1" };
    expect(codesOf({ desired, live })).toEqual(["unlisted-release"]);
  });
});

test("adds a note on how to begin to a file without settings", () => {
  expect(codesOf({})).toEqual(["nothing-managed"]);
  expect(codesOf({ desired: [want("blockBetaApps", false)], live: NEVER })).toEqual([]);
});

test("names deprecated properties once a plan, and marks each change", () => {
  const desired = [
    want(advanced("tokenExpiration"), 30),
    want(advanced("httpsDomains"), ["a.example.com"]),
    want(advanced("showCreateDashboard"), false),
  ];
  const target = { asked: "12.1", known: "12.1" } as const;
  const { notes, changes } = makePlan(inputs({ desired, target, live: seen({}, "12.1") }));
  expect(notes).toEqual([
    {
      path: null,
      code: "deprecated",
      message: 'Deprecated since 12.1: "httpsDomains", "tokenExpiration".',
    },
  ]);
  const marked = changes.filter(({ notes: own }) => own.some(({ code }) => code === "deprecated"));
  expect(marked).toHaveLength(2);
  expect(codesOf({ desired, live: seen({}, "11.5") })).toEqual([]);
});

describe("a property that the portal shows in both spellings", () => {
  const BOTH = { searchPlatformOnlineEnabled: false, searchArcGISOnlineEnabled: true };
  const live = seen({ portalConfigProperties: BOTH }, "11.5");
  const desired = [want(advanced("searchArcGISOnlineEnabled"), false)];

  test("is sent in one, and a note names the other", () => {
    const { request, changes, notes } = makePlan(inputs({ desired, live }));
    expect(request?.settings).toEqual({
      portalConfigProperties: { searchArcGISOnlineEnabled: false },
    });
    expect(notes).toEqual([]);
    const [note, ...more] = changes[0]?.notes ?? [];
    expect(more).toEqual([]);
    expect(note?.code).toBe("two-spellings");
    expect(note?.message).toMatch(
      /with different values\. The request sends "searchArcGISOnlineEnabled" and leaves out "searchPlatformOnlineEnabled"\./,
    );
  });

  test("adds a note to the plan if only its neighbours change", () => {
    const kept = [want(advanced("searchArcGISOnlineEnabled"), true)];
    const last = lastOf([applied(advanced("searchArcGISOnlineEnabled"), true)]);
    expect(codesOf({ desired: kept, live, last })).toEqual([]);
    const more = [...kept, want(advanced("showCreateDashboard"), false)];
    const { notes } = makePlan(inputs({ desired: more, live, last }));
    expect(notes).toMatchObject([
      { path: ["portalConfigProperties", "searchArcGISOnlineEnabled"], code: "two-spellings" },
    ]);
  });

  test("is sent in both if the file does not set it, without a note", () => {
    const others = [want(advanced("showCreateDashboard"), false)];
    const { request, notes } = makePlan(inputs({ desired: others, live }));
    expect(request?.settings).toMatchObject({ portalConfigProperties: BOTH });
    expect(notes).toEqual([]);
  });
});
