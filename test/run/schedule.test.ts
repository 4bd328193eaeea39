// A file with a window, and what becomes of it: plans saved before a boundary, hand changes, holds, other files, every report.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { headFor, openPlace, type Place } from "./place.js";

const FROM_MS = Date.parse("2026-06-15T16:00:00Z");
const UNTIL_MS = Date.parse("2026-06-15T20:00:00Z");
const MINUTE_MS = 60_000;
const BEFORE = { startMs: FROM_MS - 60 * MINUTE_MS };
const OPEN = { startMs: FROM_MS + 60 * MINUTE_MS };
const AFTER = { startMs: UNTIL_MS + 60 * MINUTE_MS };

const SETTINGS = `settings:
  informationalBanner: { text: "", enabled: false, bgColor: "#b30000", fontColor: white }
  blockBetaApps: true
`;
const SCHEDULE = `timeZone: Europe/Vienna
schedule:
  maintenance:
    from: 2026-06-15T18:00
    until: 2026-06-15T22:00
    settings:
      informationalBanner:
        text: Read-only until 22:00. # for tonight
        enabled: true
`;
const QUIET = { text: "", enabled: false, bgColor: "#b30000", fontColor: "white" };
const SHOWN = { ...QUIET, text: "Read-only until 22:00.", enabled: true };

async function openScheduled(rest = SETTINGS + SCHEDULE): Promise<Place> {
  const place = await openPlace();
  place.write(rest);
  expect(await place.run("apply --yes", BEFORE)).toMatchObject({ exit: 0 });
  return place;
}

function byHand({ sandbox }: Place, changed: JsonObject): void {
  sandbox.change("self", { ...sandbox.settings(), ...changed });
}

const bannerOf = (place: Place) => place.sandbox.settings()["informationalBanner"];

interface Told {
  readonly portals: readonly {
    readonly applicable: boolean;
    readonly reason: { readonly code: string } | null;
    readonly schedule: JsonObject | null;
    readonly changes: readonly {
      readonly path: string;
      readonly cause: string;
      readonly window?: JsonObject;
    }[];
    readonly guards: readonly { readonly name: string; readonly openedBy: JsonObject | null }[];
  }[];
}

async function told(place: Place, words: string, more: object) {
  const { stdout } = await place.run(`${words} --output json`, more);
  const [portal] = (JSON.parse(stdout) as Told).portals;
  if (!portal) throw new Error(stdout);
  return portal;
}

describe("a saved plan", () => {
  test("is refused after a boundary, and applied before it", async () => {
    const place = await openScheduled();
    place.write(SETTINGS.replace("blockBetaApps: true", "blockBetaApps: false") + SCHEDULE);
    await place.run("plan --save plan.json", BEFORE);
    const { exit, stdout } = await place.run("apply plan.json --yes", OPEN);
    expect(exit).toBe(5);
    expect(stdout).toContain('The plan for "portal" is stale: a window opened or closed.');
    expect(place.updates()).toHaveLength(1);
    await place.run("plan --save plan.json", OPEN);
    const later = { startMs: UNTIL_MS - MINUTE_MS };
    expect(await place.run("apply plan.json --yes", later)).toMatchObject({ exit: 0 });
    expect(bannerOf(place)).toEqual(SHOWN);
  });

  test("is refused when its window is over, or when another one opened", async () => {
    const place = await openScheduled();
    await place.run("plan --save none.json", BEFORE);
    await place.run("plan --save open.json", OPEN);
    for (const [words, more] of [
      ["apply none.json --yes", OPEN],
      ["apply open.json --yes", AFTER],
    ] as const) {
      const { exit, stdout } = await place.run(words, more);
      expect([words, exit]).toEqual([words, 5]);
      expect(stdout).toContain('The plan for "portal" is stale: a window opened or closed.');
    }
    expect(place.updates()).toHaveLength(1);
    // What was carried out is done, and may be asked for again.
    await place.run("plan --save open.json", OPEN);
    for (const more of [OPEN, OPEN]) {
      expect(await place.run("apply open.json --yes", more)).toMatchObject({ exit: 0 });
    }
  });

  test("has the same bytes for the same moment", async () => {
    const place = await openScheduled();
    for (const name of ["one.json", "other.json"]) await place.run(`plan --save ${name}`, OPEN);
    expect(place.read("one.json")).toBe(place.read("other.json"));
  });
});

describe("a plan as of another time", () => {
  test("shows the changes of that time, and can be neither applied nor saved", async () => {
    const place = await openScheduled();
    const { applicable, reason, schedule, changes } = await told(
      place,
      "plan --at 2026-06-15T16:00Z",
      BEFORE,
    );
    expect({ applicable, code: reason?.code }).toEqual({ applicable: false, code: "as-of" });
    expect(schedule).toMatchObject({ open: [{ name: "maintenance" }] });
    expect(changes.map(({ path }) => path)).toEqual([
      "informationalBanner.text",
      "informationalBanner.enabled",
    ]);
    expect((await told(place, "plan --at 2h", BEFORE)).changes).toHaveLength(2);
    expect((await told(place, "plan --at 2026-06-15T21:59+02:00", AFTER)).changes).toHaveLength(2);
    const saved = await place.run("plan --at 2h --save plan.json", BEFORE);
    expect(saved).toMatchObject({ exit: 64, stdout: "" });
    expect(await place.run("apply --at 2h --yes", BEFORE)).toMatchObject({ exit: 64 });
    expect(await place.run("plan --at noon", BEFORE)).toMatchObject({ exit: 64 });
  });
});

describe("every command shows the open windows and the next one", () => {
  test("as JSON, with the cause of each change", async () => {
    const place = await openScheduled();
    const { schedule, changes } = await told(place, "plan", OPEN);
    expect(schedule).toEqual({
      open: [{ name: "maintenance", from: "2026-06-15T16:00:00Z", until: "2026-06-15T20:00:00Z" }],
      next: { time: "2026-06-15T20:00:00Z", opens: [], closes: ["maintenance"] },
    });
    const window = { name: "maintenance", is: "open", since: "2026-06-15T16:00:00Z" };
    expect(changes.map((each) => [each.cause, each.window])).toEqual([
      ["schedule", window],
      ["schedule", window],
    ]);
    expect((await told(place, "status", BEFORE)).schedule).toMatchObject({
      open: [],
      next: { opens: ["maintenance"] },
    });
    const plain = await openPlace();
    plain.write(SETTINGS);
    expect((await told(plain, "plan", OPEN)).schedule).toBeNull();
  });

  test("as text, Markdown and a page", async () => {
    const place = await openScheduled();
    const said = "The window “maintenance” opened".replace(/[“”]/g, '"');
    const { stdout } = await place.run("plan --output text --output markdown=p.md", OPEN);
    await place.run("plan --output html=p.html", OPEN);
    for (const text of [stdout, place.read("p.md"), place.read("p.html").replace(/&quot;/g, '"')]) {
      expect(text).toContain(`${said} at 2026-06-15 18:00 Europe/Vienna: 2 changes.`);
      expect(text).toContain('Open: "maintenance" until 2026-06-15 22:00 Europe/Vienna.');
    }
    const status = (await place.run("status", BEFORE)).stdout;
    expect(status).toMatch(
      /schedule +No window is open\. Next, "maintenance" opens at 2026-06-15 18:00 Europe\/Vienna\./,
    );
    expect((await place.run("status", AFTER)).stdout).toMatch(
      /schedule +No window is open, and none is to come\./,
    );
  });

  test("the history names the window, and the guards that it opened", async () => {
    const place = await openScheduled();
    await place.run("apply --yes", OPEN);
    await place.run("apply --yes", AFTER);
    const { stdout } = await place.run("history", AFTER);
    expect(stdout).toContain('(the window "maintenance" opened)');
    expect(stdout).toContain('(the window "maintenance" closed)');
    expect(stdout).toContain(
      'guard disable-notice allowed by a window, for informationalBanner.enabled: "maintenance" closed',
    );
  });
});

describe("a boundary allows guards", () => {
  test("not for file changes at the same time", async () => {
    const place = await openScheduled();
    await place.run("apply --yes", OPEN);
    // The banner is switched off for good by a hand in the file, before the window ends.
    place.write(SETTINGS);
    const { exit, stdout } = await place.run("apply --yes", OPEN);
    expect([exit, stdout.includes("disable-notice")]).toEqual([7, true]);
    const { changes } = await told(place, "plan", OPEN);
    expect(new Set(changes.map(({ cause }) => cause))).toEqual(new Set(["file"]));
  });

  test("and never the one for changes by hand, which survive the window", async () => {
    const place = await openScheduled();
    await place.run("apply --yes", OPEN);
    const text = "Down until further notice.";
    byHand(place, { informationalBanner: { ...SHOWN, text } });
    const { exit, stdout } = await place.run("apply --yes", AFTER);
    expect(exit).toBe(7);
    expect(stdout).toContain("overwrite-drift");
    expect(bannerOf(place)).toEqual({ ...SHOWN, text });
    const { changes, guards } = await told(place, "plan", AFTER);
    expect(changes.map(({ cause }) => cause)).toEqual(["schedule", "schedule"]);
    expect(guards.map(({ name, openedBy }) => [name, openedBy?.["by"] ?? null])).toEqual([
      ["disable-notice", "schedule"],
      ["overwrite-drift", null],
    ]);
  });

  test("a change by hand outside of a window is drift", async () => {
    const place = await openScheduled();
    await place.run("apply --yes", OPEN);
    byHand(place, { blockBetaApps: false });
    const { changes } = await told(place, "plan", OPEN);
    expect(changes).toMatchObject([{ path: "blockBetaApps", cause: "drift" }]);
  });
});

test("sends nothing for a window during a hold, and the current values afterwards", async () => {
  const place = await openScheduled();
  await place.run("hold --why Moving", BEFORE);
  expect(await place.run("apply --yes", OPEN)).toMatchObject({ exit: 7 });
  expect(bannerOf(place)).toEqual(QUIET);
  await place.run("unhold", OPEN);
  expect(await place.run("apply --yes", OPEN)).toMatchObject({ exit: 0 });
  expect(bannerOf(place)).toEqual(SHOWN);
});

test("applies windows to a portal that is never read", async () => {
  const place = await openPlace();
  place.write(SETTINGS + SCHEDULE, { head: headFor(place, ", read: never") });
  const first = await place.run("apply --yes --allow unread-portal", BEFORE);
  expect([first.exit, first.exit === 0 ? "" : first.stdout]).toEqual([0, ""]);
  expect(await place.run("apply --yes", OPEN)).toMatchObject({ exit: 0 });
  expect(bannerOf(place)).toEqual(SHOWN);
  expect(await place.run("apply --yes", AFTER)).toMatchObject({ exit: 0 });
  expect(bannerOf(place)).toEqual(QUIET);
});

describe("pull, while a window is open", () => {
  async function openChanged(): Promise<Place> {
    const place = await openScheduled();
    await place.run("apply --yes", OPEN);
    byHand(place, {
      informationalBanner: { ...SHOWN, text: "Read-only until 23:00." },
    });
    return place;
  }

  test("writes the window's values into the window, and keeps every other byte", async () => {
    const place = await openChanged();
    const before = place.read("portal.yaml");
    expect(await place.run("pull", OPEN)).toMatchObject({ exit: 0 });
    expect(place.read("portal.yaml")).toBe(
      before.replace("Read-only until 22:00.", "Read-only until 23:00."),
    );
    expect((await place.run("plan", OPEN)).stdout).toMatch(/^1 portal: |to track/m);
  });

  test("writes no value of a window into another file", async () => {
    const place = await openChanged();
    const { stdout } = await place.run("pull --into other.yaml --output json", OPEN);
    const { pulled } = JSON.parse(stdout) as { pulled: readonly JsonObject[] };
    const [only, ...others] = pulled;
    expect([only?.["path"], only?.["outcome"], others]).toEqual([
      "informationalBanner.text",
      "left",
      [],
    ]);
    expect(only?.["why"]).toContain('the window "maintenance" gives it now');
  });

  test("overlays a window that a base holds", async () => {
    const place = await openChanged();
    place.write(SETTINGS + SCHEDULE, { name: "_base.yaml", head: "" });
    place.write("extends: ./_base.yaml\n");
    expect(await place.run("pull", OPEN)).toMatchObject({ exit: 0 });
    expect(place.read("portal.yaml")).toContain("Read-only until 23:00.");
    expect(place.read("_base.yaml")).toBe(SETTINGS + SCHEDULE);
    const { changes } = await told(place, "plan", OPEN);
    // A window is taken note of as a whole.
    expect(changes).toMatchObject([
      { path: "informationalBanner.text", action: "adopt" },
      { path: "informationalBanner.enabled", action: "adopt" },
    ]);
  });
});

describe("windows of a base", () => {
  test("apply to each file, which can change or drop them", async () => {
    const place = await openPlace();
    place.write(SETTINGS + SCHEDULE, { name: "_base.yaml", head: "" });
    const own = "extends: ./_base.yaml\nschedule:\n  maintenance:";
    const bannerAt = async (rest: string, more: object) => {
      place.write(rest);
      const { stdout } = await place.run("plan --output json", more);
      const [portal] = (JSON.parse(stdout) as { portals: { changes: JsonObject[] }[] }).portals;
      const change = portal?.changes.find(({ path }) => path === "informationalBanner.text");
      return change?.["after"];
    };
    expect(await bannerAt("extends: ./_base.yaml\n", OPEN)).toBe("Read-only until 22:00.");
    const later = `${own} { until: 2026-06-16T06:00 }\n`;
    expect(await bannerAt(later, AFTER)).toBe("Read-only until 22:00.");
    const text = `${own} { settings: { informationalBanner: { text: Ours. } } }\n`;
    expect(await bannerAt(text, OPEN)).toBe("Ours.");
    expect(await bannerAt(`${own} !unmanaged\n`, OPEN)).toBe("");
  });
});

test("status shows open windows and the next one", async () => {
  const place = await openPlace();
  place.write(SETTINGS + SCHEDULE);
  const { stdout } = await place.run("status --offline", OPEN);
  expect(stdout).toMatch(/schedule +Open: "maintenance" until 2026-06-15 22:00 Europe\/Vienna/);
  expect((await place.run("status --offline", BEFORE)).stdout).toMatch(
    /schedule .*2026-06-15 18:00 Europe\/Vienna/,
  );
});

test("explain shows which window sets a value now, and which next", async () => {
  const place = await openPlace();
  place.write(SETTINGS + SCHEDULE);
  const explain = "explain informationalBanner.text --file portal.yaml";
  expect((await place.run(explain, BEFORE)).stdout).toMatch(
    /later +portal\.yaml:14:15 +Read-only until 22:00\. +window maintenance, from 2026-06-15 18:00 Europe\/Vienna/,
  );
  expect((await place.run(explain, OPEN)).stdout).toMatch(
    /now +portal\.yaml:14:15 .+ window maintenance, open until 2026-06-15 22:00 Europe\/Vienna/,
  );
  expect((await place.run(explain, AFTER)).stdout).not.toContain("maintenance");
});

test("a preview shows the home as of a time", async () => {
  const place = await openPlace();
  place.write(SETTINGS + SCHEDULE);
  await place.run("preview --at 2026-06-15T17:00Z --output html=then.html", BEFORE);
  expect(place.read("then.html")).toContain("Read-only until 22:00.");
  await place.run("preview --output html=now.html", BEFORE);
  expect(place.read("now.html")).not.toContain("Read-only until 22:00.");
});
