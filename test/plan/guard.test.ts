// The exact limits of each guard, and what allows it.
import { describe, expect, test } from "vitest";
import type { AllowEntry } from "../../src/guard.js";
import { GUARDS } from "../../src/guard.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import type { Inputs } from "../../src/plan/inputs.js";
import { makePlan } from "../../src/plan/plan.js";
import { applied, inputs, lastOf, NEVER, seen, want } from "./inputs.js";

function guarded(more: Partial<Inputs>): string[] {
  return makePlan(inputs(more)).guards.map(({ name, path }) =>
    path ? `${name} ${path.join(".")}` : name,
  );
}

const advanced = (properties: JsonObject) => seen({ portalConfigProperties: properties });
const letters = (text: string) => text.split("");

describe("disable-notice", () => {
  const off = [want("informationalBanner.enabled", false)];

  test("blocks switching off an enabled banner or notice", () => {
    expect(
      guarded({ desired: off, live: seen({ informationalBanner: { enabled: true } }) }),
    ).toEqual(["disable-notice informationalBanner.enabled"]);
    const desired = [want("anonymousAccessNotice.enabled", false)];
    const last = lastOf([applied("anonymousAccessNotice.enabled", true)]);
    expect(guarded({ desired, last, live: NEVER })).toEqual([
      "disable-notice anonymousAccessNotice.enabled",
    ]);
  });

  test("allows one that is off, absent, switched on or released", () => {
    expect(guarded({ desired: off })).toEqual([]);
    expect(
      guarded({ desired: off, live: seen({ informationalBanner: { enabled: false } }) }),
    ).toEqual([]);
    const live = seen({ informationalBanner: { enabled: true } });
    expect(guarded({ desired: [want("informationalBanner.text", "")], live })).toEqual([]);
    const last = lastOf([applied("informationalBanner.enabled", true)]);
    expect(guarded({ last, live })).toEqual([]);
  });

  test("blocks if an apply of unknown outcome may have switched it on", () => {
    const last = lastOf([applied("informationalBanner.enabled", false)], {
      informationalBanner: { enabled: true },
    });
    expect(guarded({ desired: off, last, live: NEVER })).toEqual([
      "disable-notice informationalBanner.enabled",
    ]);
  });
});

describe("disconnect", () => {
  const proxy = "portalConfigProperties.configurePortalPlatformOnlineEnv";
  const tab = "portalConfigProperties.portalPlatformOnlineConfigEnabled";

  test.each<[string, Partial<Inputs>]>([
    [
      "an address becomes false",
      {
        desired: [want(proxy, false)],
        live: advanced({ configurePortalAGOEnv: "www.example.com" }),
      },
    ],
    [
      "false becomes an address",
      {
        desired: [want(proxy, "www.example.com")],
        live: advanced({ configurePortalPlatformOnlineEnv: false }),
      },
    ],
    ["what was never set becomes false", { desired: [want(tab, false)] }],
    [
      "the default is put back",
      {
        desired: [want(tab, true, "default")],
        live: advanced({ portalPlatformOnlineConfigEnabled: false }),
      },
    ],
  ])("blocks: %s", (_, more) => {
    expect(guarded(more)).toHaveLength(1);
    expect(guarded(more)[0]).toMatch(/^disconnect /);
  });

  test("allows another address, and the stock value", () => {
    const live = advanced({ configurePortalAGOEnv: "www.example.com" });
    expect(guarded({ desired: [want(proxy, "proxy.example.com")], live })).toEqual([]);
    expect(guarded({ desired: [want(tab, true)] })).toEqual([]);
  });
});

describe("shrink-list", () => {
  const path = "portalConfigProperties.showInAppLauncher";
  const shrinks = (before: string, after: string) =>
    guarded({
      desired: [want(path, letters(after))],
      live: advanced({ showInAppLauncher: letters(before) }),
    }).length > 0;

  test.each([
    ["abcde", "ab", true],
    ["abcdef", "abc", false],
    ["abc", "", true],
    ["ab", "", false],
    ["abcd", "a", true],
    ["abcd", "xyzw", true],
    ["abcd", "dcba", false],
    ["aaaa", "a", true],
    ["abcd", "abxyz", false],
  ])("%j → %j: %s", (before, after, stops) => {
    expect(shrinks(before, after)).toBe(stops);
  });
});

describe("wide-change", () => {
  const names = [
    "anonymousAccessNotice.title",
    "anonymousAccessNotice.text",
    "authenticatedAccessNotice.title",
    "authenticatedAccessNotice.text",
    "informationalBanner.text",
    "informationalBanner.bgColor",
    "informationalBanner.fontColor",
    "portalConfigProperties.surveyUrl",
  ];
  const changing = (of: number, changed: number, more: Partial<Inputs> = {}) =>
    guarded({
      desired: names.map((name, at) => want(name, at < changed ? "new" : "old")),
      last: lastOf(names.slice(0, of).map((name) => applied(name, "old"))),
      live: NEVER,
      allow: { names: [], entries: [] },
      ...more,
    }).includes("wide-change");

  test("blocks changes to more than half of at least eight settings", () => {
    expect(changing(8, 5)).toBe(true);
    expect(changing(8, 4)).toBe(false);
    expect(changing(7, 7)).toBe(false);
  });

  test("does not count released settings", () => {
    expect(changing(8, 5, { desired: [want("blockBetaApps", true)] })).toBe(false);
  });
});

describe("older-portal", () => {
  const desired = [want("blockBetaApps", true)];
  test.each([
    ["11.4", true],
    ["11.5.0", false],
    ["11.5.1", false],
    ["12.0", false],
    ["10.9.1", true],
    [undefined, false],
  ])("%s below the target 11.5: %s", (version, stops) => {
    expect(guarded({ desired, live: seen({}, version) }).includes("older-portal")).toBe(stops);
  });

  test("reports a newer portal in a note", () => {
    const { notes, guards } = makePlan(inputs({ desired, live: seen({}, "12.0") }));
    expect(notes.map(({ code }) => code)).toEqual(["newer-portal"]);
    expect(guards).toEqual([]);
  });

  test("reports an unlisted release in a note", () => {
    const live = { ...seen({}), unlistedRelease: "9.2" };
    const { notes, guards } = makePlan(inputs({ desired, live }));
    expect(notes).toMatchObject([{ path: null, code: "unlisted-release" }]);
    expect(notes[0]?.message).toContain('"9.2"');
    expect(guards).toEqual([]);
    expect(makePlan(inputs({ desired, live: { kind: "unread", why: "never" } })).notes).toEqual([]);
  });

  test("does not trigger without a request", () => {
    expect(guarded({ desired, live: seen({ blockBetaApps: true }, "10.9") })).toEqual([]);
  });
});

describe("overwrite-drift", () => {
  const text = "informationalBanner.text";
  /** Sent, shown afterwards, shown now, wanted. */
  const guard = (
    [sent, shown, now, wanted]: readonly [Json, Json, Json, Json],
    more: Partial<Inputs> = {},
  ) =>
    makePlan(
      inputs({
        desired: [want(text, wanted)],
        last: lastOf([applied(text, sent, shown)]),
        live: seen(now === null ? {} : { informationalBanner: { text: now } }),
        ...more,
      }),
    ).guards[0];

  test.each<[string, readonly [Json, Json, Json, Json], boolean]>([
    ["another value", ["A", "A", "B", "A"], true],
    ["another value, and the file a new one", ["A", "A", "B", "C"], true],
    ["no value", ["A", "A", null, "A"], true],
    ["the verified value", ["A", "A", "A", "C"], false],
    ["what the portal made of it", ["A ", "A", "A", "C"], false],
    ["what was sent, only later", ["A", "Old", "A", "C"], false],
    ["what the file wants too", ["A", "A", "B", "B"], false],
  ])("the portal shows %s: %j stops %s", (_, values, stops) => {
    expect(guard(values)?.name).toBe(stops ? "overwrite-drift" : undefined);
  });

  test("ignores settings that were never applied or are no longer managed", () => {
    expect(guard(["A", "A", "B", "A"], { last: lastOf([]) })).toBeUndefined();
    expect(guard(["A", "A", "B", "A"], { desired: [] })).toBeUndefined();
  });

  test("ignores values that an apply of unknown outcome would have sent", () => {
    const pending = { informationalBanner: { text: "B" } };
    const last = lastOf([applied(text, "A")], pending);
    expect(guard(["A", "A", "B", "C"], { last })).toBeUndefined();
    expect(guard(["A", "A", "X", "C"], { last })?.name).toBe("overwrite-drift");
  });

  test("does not trigger for a portal that was not read", () => {
    const last = lastOf([applied(text, "A")], { informationalBanner: { text: "B" } });
    expect(guard(["A", "A", "B", "C"], { last, live: NEVER })).toBeUndefined();
  });

  test("is allowed by `drift: restore`, but the command line has priority", () => {
    const drift = "restore";
    const by = (names: readonly "overwrite-drift"[]) =>
      guard(["A", "A", "B", "A"], { allow: { entries: [], names, drift } })?.openedBy;
    expect(by([])).toEqual({ by: "drift" });
    expect(by(["overwrite-drift"])).toEqual({ by: "command-line" });
  });

  test("offers a pull if both the file and the portal have a value", () => {
    const [values, unset] = [["A", "A", "B", "A"] as const, ["A", "A", null, "A"] as const];
    expect(guard(values)?.canPull).toBe(true);
    expect(guard(unset)?.canPull).toBeUndefined();
    const desired = [{ ...want(text, "A"), place: null }];
    expect(guard(values, { desired })?.canPull).toBeUndefined();
  });
});

test.each([
  [60, 90, true],
  [90, 60, false],
  [undefined, 121, true],
  [undefined, 90, false],
])("token-lifetime from %s to %s: blocks %s", (before, after, stops) => {
  const desired = [want("portalConfigProperties.tokenExpiration", after)];
  const live = advanced(before === undefined ? {} : { tokenExpiration: before });
  expect(guarded({ desired, live }).join().startsWith("token-lifetime")).toBe(stops);
});

describe("unread-portal", () => {
  const desired = [want("informationalBanner.text", "new"), want("blockBetaApps", true)];

  test("blocks the first apply of an object that was not read", () => {
    expect(guarded({ desired, live: NEVER })).toEqual(["unread-portal informationalBanner"]);
    const pending = { informationalBanner: { text: "new" } };
    expect(guarded({ desired, last: lastOf([], pending), live: NEVER })).toEqual([
      "unread-portal informationalBanner",
    ]);
  });

  test("blocks replacing an object that the portal shows as another type", () => {
    const live = seen({ informationalBanner: "closed" });
    expect(guarded({ desired, live })).toEqual(["unread-portal informationalBanner"]);
    expect(guarded({ desired, live: seen({ informationalBanner: {} }) })).toEqual([]);
  });

  test("blocks a request if the portal hides a value that it showed after the last apply", () => {
    const last = lastOf([applied("informationalBanner.enabled", true)]);
    const live = seen({ blockBetaApps: false });
    expect(guarded({ desired, last, live })).toEqual(["unread-portal informationalBanner"]);
  });

  test("allows the second apply, and one of a portal that was read", () => {
    const last = lastOf([applied("informationalBanner.enabled", true)]);
    expect(guarded({ desired, last, live: NEVER })).toEqual([]);
    expect(guarded({ desired })).toEqual([]);
  });
});

describe("allowing a guard", () => {
  const more = {
    desired: [
      want("informationalBanner.enabled", false),
      want("anonymousAccessNotice.enabled", false),
      want("portalConfigProperties.tokenExpiration", 240),
    ],
    live: seen({
      informationalBanner: { enabled: true },
      anonymousAccessNotice: { enabled: true },
    }),
  };
  const openWith = (
    entries: readonly AllowEntry[],
    names: readonly (typeof GUARDS)[number][] = [],
  ) =>
    makePlan(inputs({ ...more, allow: { entries, names } }))
      .guards.filter(({ isOpen }) => isOpen)
      .map(({ name, path }) => `${name} ${path?.join(".")}`);

  test("a name on the command line allows that guard everywhere, and no other", () => {
    expect(openWith([], ["disable-notice"])).toEqual([
      "disable-notice anonymousAccessNotice.enabled",
      "disable-notice informationalBanner.enabled",
    ]);
    for (const name of GUARDS) {
      expect(openWith([], [name]).every((each) => each.startsWith(name))).toBe(true);
    }
  });

  test("an entry of the file allows its path and everything below, through its last day", () => {
    const entry = {
      guard: "disable-notice",
      path: ["informationalBanner"],
      until: "2026-06-15",
      reason: "Over",
    } as const;
    const opened = ["disable-notice informationalBanner.enabled"];
    expect(openWith([entry])).toEqual(opened);
    expect(openWith([{ ...entry, path: ["informationalBanner", "enabled"] }])).toEqual(opened);
    expect(openWith([{ ...entry, path: ["informationalBanner", "text"] }])).toEqual([]);
    expect(openWith([{ ...entry, until: "2026-06-14" }])).toEqual([]);
    expect(openWith([{ ...entry, until: "2026-06-15T00:00:01Z" }])).toEqual(opened);
    expect(openWith([{ ...entry, until: "2026-06-15T00:00:00Z" }])).toEqual([]);
    // Of two, the one that stays open longer counts: a day does, to its end.
    expect(openWith([{ ...entry, until: "2026-06-14T23:00:00Z" }, entry])).toEqual(opened);
    const { path: _, ...everywhere } = entry;
    expect(openWith([everywhere])).toHaveLength(2);
  });

  test("an entry with a path does not allow a finding on the whole plan", () => {
    const desired = [want("blockBetaApps", true)];
    const older = (entry: Partial<AllowEntry>) =>
      makePlan(
        inputs({
          desired,
          live: seen({}, "11.0"),
          allow: {
            names: [],
            entries: [{ guard: "older-portal", until: "2027-01-01", reason: "Soon", ...entry }],
          },
        }),
      ).guards[0]?.isOpen;
    expect(older({})).toBe(true);
    expect(older({ path: ["blockBetaApps"] })).toBe(false);
  });

  test("the message names an expired entry", () => {
    const entries = [{ guard: "token-lifetime", until: "2026-06-14", reason: "Training" }] as const;
    const { guards } = makePlan(inputs({ ...more, allow: { entries, names: [] } }));
    expect(guards.at(-1)).toEqual({
      name: "token-lifetime",
      path: ["portalConfigProperties", "tokenExpiration"],
      message:
        '"portalConfigProperties.tokenExpiration" would grow from 120 to 240 minutes. The file allowed it until 2026-06-14, which has passed.',
      isOpen: false,
      openedBy: null,
    });
  });
});
