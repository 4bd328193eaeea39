// What a request carries: everything that is known, spelled as the portal does, and nothing that was not asked for.
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
  test("as the portal spells it, whatever the file writes", () => {
    const live = advanced({ portalAGOConfigEnabled: true });
    expect(sent({ desired: [want(tab, false)], live: seen(live) })).toEqual(
      advanced({ portalAGOConfigEnabled: false }),
    );
  });

  test("as the file writes it where the portal shows neither, or both", () => {
    const written = advanced({ portalAGOConfigEnabled: false });
    expect(sent({ desired: [want(alsoTab, false)] })).toEqual(written);
    const live = advanced({
      portalPlatformOnlineConfigEnabled: true,
      portalAGOConfigEnabled: true,
    });
    expect(sent({ desired: [want(alsoTab, false)], live: seen(live) })).toEqual(written);
  });

  test.each(catalog.spellings)("as the vendor spells it beside $also", ({ property, also }) => {
    const live = seen(advanced({ [also]: false }));
    const desired = catalog.spellings.map((each) =>
      want(`portalConfigProperties.${each.property}`, each.property !== property),
    );
    const names = Object.keys((sent({ desired, live }) as JsonObject)["portalConfigProperties"]!);
    expect(names.toSorted()).toEqual(catalog.spellings.map((each) => each.also).toSorted());
  });

  test("as the file writes it where the portal is never read, though the state spells it otherwise", () => {
    const last = lastOf([applied(tab, true)]);
    expect(sent({ desired: [want(alsoTab, false)], last, live: NEVER })).toEqual(
      advanced({ portalAGOConfigEnabled: false }),
    );
  });

  test("and a file that changes the spelling changes nothing", () => {
    const last = lastOf([applied(tab, true)]);
    const live = seen(advanced({ portalAGOConfigEnabled: true }));
    expect(makePlan(inputs({ desired: [want(alsoTab, true)], last, live })).changes).toEqual([]);
  });
});

describe("the request carries", () => {
  const desired = [want("blockBetaApps", true)];

  test("each object whole, with properties that the reference does not list and those that are null", () => {
    const banner = { text: "old", later: { a: [1] }, bgColor: null };
    const live = seen({ informationalBanner: banner });
    expect(sent({ desired: [want("informationalBanner.text", "new")], live })).toEqual({
      informationalBanner: { ...banner, text: "new" },
    });
  });

  test("no parameter that was never set, even where the portal says null", () => {
    const live = seen({ informationalBanner: null, portalConfigProperties: null });
    const back = want("portalConfigProperties.showCreateDashboard", true, "default");
    expect(sent({ desired: [...desired, back], live })).toEqual({ blockBetaApps: true });
  });

  test("no parameter that the reference does not list and the file does not name", () => {
    const live = seen({ helperServices: {}, culture: "en", newThing: { a: 1, b: 2 } });
    expect(sent({ desired, live })).toEqual({ blockBetaApps: true });
    expect(sent({ desired: [want("newThing.a", 3)], live })).toEqual({ newThing: { a: 3, b: 2 } });
  });

  test("none that the portal's deployment or version does not know", () => {
    const settings = advanced({ showCreateDashboard: false });
    expect(sent({ desired, live: seen(settings) })).toHaveProperty("portalConfigProperties");
    for (const more of [
      { deployment: "hosted-online", live: seen(settings) },
      { live: seen(settings, "10.9.1") },
    ] as const) {
      expect(sent({ desired, ...more })).toEqual({ blockBetaApps: true });
    }
  });

  test("the parameters in the order of the reference, then the others", () => {
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

describe("there is no request", () => {
  const desired = [want("blockBetaApps", true)];
  test.each<[string, Partial<Inputs>, string]>([
    [
      "over an anonymous view",
      { live: { kind: "read", view: "anonymous", settings: {} } },
      "anonymous-view",
    ],
    ["after a failed read", { live: { kind: "unread", why: "failed" } }, "not-read"],
    ["where nobody asked", { live: { kind: "unread", why: "not-asked" } }, "not-read"],
    ["without the state", { options: { send: "all", compareWith: "live" } }, "no-state"],
    [
      "for a part, where nobody can see what became of the last apply",
      {
        live: NEVER,
        last: lastOf([], { blockBetaApps: false }),
        options: { send: "all", compareWith: "live-and-last", paths: [["blockBetaApps"]] },
      },
      "not-whole",
    ],
    ["against the state alone", { options: { send: "all", compareWith: "last" } }, "not-read"],
  ])("%s, and the plan says why", (_, more, code) => {
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
])("a plan says what it was compared with: %#", (more, expected) => {
  expect(makePlan(inputs(more)).comparedWith).toBe(expected);
});

test("without the state, what the portal shows already is no change: nothing could take note of it", () => {
  const given = inputs({
    desired: [want("blockBetaApps", true)],
    live: seen({ blockBetaApps: true }),
  });
  expect(makePlan(given).changes.map(({ action }) => action)).toEqual(["adopt"]);
  const options = { send: "all", compareWith: "live" } as const;
  expect(makePlan({ ...given, options }).changes).toEqual([]);
});
