// The contents of a request: whole objects in the portal's spelling, and nothing that was not asked for.
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/catalog/catalog.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { Inputs } from "../../src/plan/inputs.js";
import { makePlan } from "../../src/plan/plan.js";
import { applied, inputs, lastOf, NEVER, seen, want } from "./inputs.js";

const sent = (more: Partial<Inputs>) => makePlan(inputs(more)).request?.settings;
const advanced = (properties: JsonObject) => ({ portalConfigProperties: properties });

const tab = "portalConfigProperties.portalPlatformOnlineConfigEnabled";
const alsoTab = "portalConfigProperties.portalAGOConfigEnabled";

describe("a property with two spellings is sent once", () => {
  test("in the portal's spelling, even if the file uses the other", () => {
    const live = advanced({ portalAGOConfigEnabled: true });
    expect(sent({ desired: [want(tab, false)], live: seen(live) })).toEqual(
      advanced({ portalAGOConfigEnabled: false }),
    );
  });

  test("in the file's spelling if the portal shows neither or both", () => {
    const written = advanced({ portalAGOConfigEnabled: false });
    expect(sent({ desired: [want(alsoTab, false)] })).toEqual(written);
    const live = advanced({
      portalPlatformOnlineConfigEnabled: true,
      portalAGOConfigEnabled: true,
    });
    expect(sent({ desired: [want(alsoTab, false)], live: seen(live) })).toEqual(written);
  });

  test.each(catalog.spellings)("in the vendor's spelling beside $also", ({ property, also }) => {
    const live = seen(advanced({ [also]: false }));
    const desired = catalog.spellings.map((each) =>
      want(`portalConfigProperties.${each.property}`, each.property !== property),
    );
    const names = Object.keys((sent({ desired, live }) as JsonObject)["portalConfigProperties"]!);
    expect(names.toSorted()).toEqual(catalog.spellings.map((each) => each.also).toSorted());
  });

  test("in the file's spelling if the portal is never read, even if the state has the other", () => {
    const last = lastOf([applied(tab, true)]);
    expect(sent({ desired: [want(alsoTab, false)], last, live: NEVER })).toEqual(
      advanced({ portalAGOConfigEnabled: false }),
    );
  });

  test("and a changed spelling in the file is no change", () => {
    const last = lastOf([applied(tab, true)]);
    const live = seen(advanced({ portalAGOConfigEnabled: true }));
    expect(makePlan(inputs({ desired: [want(alsoTab, true)], last, live })).changes).toEqual([]);
  });
});

describe("a request contains", () => {
  const desired = [want("blockBetaApps", true)];

  test("whole objects, with unlisted and null properties", () => {
    const banner = { text: "old", later: { a: [1] }, bgColor: null };
    const live = seen({ informationalBanner: banner });
    expect(sent({ desired: [want("informationalBanner.text", "new")], live })).toEqual({
      informationalBanner: { ...banner, text: "new" },
    });
  });

  test("no parameter that was never set, even if the portal shows null", () => {
    const live = seen({ informationalBanner: null, portalConfigProperties: null });
    const back = want("portalConfigProperties.showCreateDashboard", true, "default");
    expect(sent({ desired: [...desired, back], live })).toEqual({ blockBetaApps: true });
  });

  test("no unlisted parameter that the file does not contain", () => {
    const live = seen({ helperServices: {}, culture: "en", newThing: { a: 1, b: 2 } });
    expect(sent({ desired, live })).toEqual({ blockBetaApps: true });
    expect(sent({ desired: [want("newThing.a", 3)], live })).toEqual({ newThing: { a: 3, b: 2 } });
  });

  test("no parameter unknown to the deployment or version", () => {
    const settings = advanced({ showCreateDashboard: false });
    expect(sent({ desired, live: seen(settings) })).toHaveProperty("portalConfigProperties");
    for (const more of [
      { deployment: "hosted-online", live: seen(settings) },
      { live: seen(settings, "10.9.1") },
    ] as const) {
      expect(sent({ desired, ...more })).toEqual({ blockBetaApps: true });
    }
  });

  test("parameters in the order of the reference, then the others", () => {
    const leaves = ["zeta.a", "aiAssistantsEnabled", "alpha.a", "anonymousAccessNotice.text"];
    const { request } = makePlan(inputs({ desired: leaves.map((path) => want(path, true)) }));
    expect(request?.parameters).toEqual([
      "anonymousAccessNotice",
      "aiAssistantsEnabled",
      "alpha",
      "zeta",
    ]);
  });
});

describe("makes no request", () => {
  const desired = [want("blockBetaApps", true)];
  test.each<[string, Partial<Inputs>, string]>([
    [
      "for an anonymous view",
      { live: { kind: "read", view: "anonymous", settings: {} } },
      "anonymous-view",
    ],
    ["after a failed read", { live: { kind: "unread", why: "failed" } }, "not-read"],
    ["if the portal was not asked", { live: { kind: "unread", why: "not-asked" } }, "not-read"],
    ["without the state", { options: { send: "all", compareWith: "live" } }, "no-state"],
    [
      "for a part, if the outcome of the last apply is unknown",
      {
        live: NEVER,
        last: lastOf([], { blockBetaApps: false }),
        options: { send: "all", compareWith: "live-and-last", paths: [["blockBetaApps"]] },
      },
      "not-whole",
    ],
    ["against the state alone", { options: { send: "all", compareWith: "last" } }, "not-read"],
  ])("%s, and the plan gives the reason", (_, more, code) => {
    const plan = makePlan(inputs({ desired, ...more }));
    expect(plan.changes).toHaveLength(1);
    expect(plan).toMatchObject({ applicable: false, reason: { code }, request: null });
  });
});

test.each<[Partial<Inputs>, string]>([
  [{ live: seen({}), last: lastOf([]) }, "live-and-last"],
  [{ live: seen({}) }, "live"],
  [{ live: seen({}), last: lastOf([]), options: { send: "all", compareWith: "live" } }, "live"],
  [{ live: NEVER, last: lastOf([]) }, "last"],
  [{ live: seen({}), last: lastOf([]), options: { send: "all", compareWith: "last" } }, "last"],
  [{ live: NEVER }, "nothing"],
])("names what a plan was compared with: %#", (more, expected) => {
  expect(makePlan(inputs(more)).comparedWith).toBe(expected);
});

test("makes no change for values that the portal already shows if there is no state", () => {
  const given = inputs({
    desired: [want("blockBetaApps", true)],
    live: seen({ blockBetaApps: true }),
  });
  expect(makePlan(given).changes.map(({ action }) => action)).toEqual(["adopt"]);
  const options = { send: "all", compareWith: "live" } as const;
  expect(makePlan({ ...given, options }).changes).toEqual([]);
});
