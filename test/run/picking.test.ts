// What a call picks: portals by name or by share, settings by path. What is left out is said, waits, and is no drift.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "./call.js";
import { openFleet, statuses, updatesOf } from "./fleet.js";
import { headFor, openPlace, type Place } from "./place.js";

const OLD = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const NEW =
  "settings: { informationalBanner: { text: New, enabled: true }, blockBetaApps: true }\n";

interface Told {
  readonly changes: readonly { readonly path: string; readonly action: string }[];
  readonly changesLeftOut: number;
}

async function planned(place: Place, words = "plan"): Promise<Told> {
  const { stdout } = await place.run(`${words} -o json`);
  const [portal] = (JSON.parse(stdout) as { portals: Told[] }).portals;
  if (!portal) throw new TypeError("no portal was planned");
  return portal;
}

const pathsOf = ({ changes }: Told) => changes.map(({ path }) => path).toSorted();

describe("--path", () => {
  async function openWith(head?: (place: Place) => string): Promise<Place> {
    const place = await openPlace({}, OLD);
    place.write(NEW, head && { head: head(place) });
    return place;
  }

  test("applies and records selected settings; the rest waits and is not drift", async () => {
    const place = await openWith();
    const part = await planned(place, "plan --path informationalBanner");
    expect(pathsOf(part)).toEqual(["informationalBanner.enabled", "informationalBanner.text"]);
    expect(part.changesLeftOut).toBe(1);
    const { exit, stdout } = await place.run("apply --yes --path informationalBanner");
    expect(exit).toBe(0);
    expect(stdout).toContain("1 more change is left out by --path.");
    expect(place.sandbox.settings()).toMatchObject({
      informationalBanner: { text: "New" },
      blockBetaApps: false,
    });
    const managed = place.state()?.leaves.map(({ path }) => path.join("."));
    expect(managed?.toSorted()).toEqual([
      "informationalBanner.enabled",
      "informationalBanner.text",
    ]);
    expect((await place.run("drift")).exit).toBe(0);
    expect(pathsOf(await planned(place))).toEqual(["blockBetaApps"]);
    expect((await place.run("apply --yes")).exit).toBe(0);
    expect(place.sandbox.settings()).toMatchObject({ blockBetaApps: true });
    expect((await planned(place)).changes).toEqual([]);
  });

  test("keeps what is known of other managed settings, with drift", async () => {
    const place = await openWith();
    expect((await place.run("apply --yes")).exit).toBe(0);
    const before = place.state()?.leaves.find(({ path }) => path[0] === "blockBetaApps");
    place.sandbox.change("self", { ...place.sandbox.settings(), blockBetaApps: false });
    place.write(NEW.replace("New", "Newer"));
    expect((await place.run("apply --yes --path informationalBanner.text")).exit).toBe(0);
    const update = place.updates().at(-1);
    // Whole objects, as the portal shows them, with what was picked on top.
    expect(new URLSearchParams(update?.body).get("blockBetaApps")).toBe("false");
    const after = place.state()?.leaves.find(({ path }) => path[0] === "blockBetaApps");
    expect(after).toEqual(before);
    expect((await place.run("drift")).exit).toBe(2);
    const kept = await place.run("drift --path informationalBanner");
    expect(kept.exit).toBe(0);
    expect(kept.stdout).toContain("1 more changed setting is left out by --path.");
  });

  test("releases a removed line only if it is selected", async () => {
    const place = await openWith();
    expect((await place.run("apply --yes")).exit).toBe(0);
    place.write("settings: {}\n");
    const part = await planned(place, "plan --path blockBetaApps");
    expect(part.changes).toMatchObject([{ path: "blockBetaApps", action: "release" }]);
    expect(part.changesLeftOut).toBe(2);
    expect((await place.run("apply --yes --path blockBetaApps")).exit).toBe(0);
    expect(place.state()?.leaves.map(({ path }) => path[0])).toEqual([
      "informationalBanner",
      "informationalBanner",
    ]);
    expect((await planned(place)).changes).toHaveLength(2);
  });

  test("a saved plan keeps the selection", async () => {
    const place = await openWith();
    expect((await place.run("plan --path informationalBanner --save plan.json")).exit).toBe(0);
    const wrong = await place.run("apply plan.json --path blockBetaApps");
    expect(wrong.exit).toBe(64);
    // The rest of the file is no part of what was confirmed.
    place.write(NEW.replace("blockBetaApps: true", "blockBetaApps: false"));
    expect((await place.run("apply plan.json")).exit).toBe(0);
    expect(place.sandbox.settings()).toMatchObject({
      informationalBanner: { text: "New" },
      blockBetaApps: false,
    });
    expect((await place.run("apply plan.json")).exit).toBe(0);
    expect(place.updates()).toHaveLength(1);
  });

  test("sends the selection over the last apply to a portal that is never read", async () => {
    const never = (place: Place) => headFor(place, ", read: never");
    const place = await openWith(never);
    const first = await place.run("apply --yes --path informationalBanner --allow unread-portal");
    expect(first.exit).toBe(0);
    expect(new URLSearchParams(place.updates().at(-1)?.body).has("blockBetaApps")).toBe(false);
    place.write(NEW.replace("enabled: true", "enabled: false"), { head: never(place) });
    const words = "apply --yes --path informationalBanner.enabled --allow disable-notice";
    expect((await place.run(words)).exit).toBe(0);
    const banner = new URLSearchParams(place.updates().at(-1)?.body).get("informationalBanner");
    expect(JSON.parse(banner ?? "")).toEqual({ text: "New", enabled: false });
    expect(pathsOf(await planned(place))).toEqual(["blockBetaApps"]);
  });

  test("a rollback restores and holds the selection", async () => {
    const place = await openWith();
    expect((await place.run("apply --yes")).exit).toBe(0);
    const { exit, stdout } = await place.run("rollback --yes --path blockBetaApps");
    expect({ exit, stdout }).toMatchObject({ exit: 0 });
    expect(place.sandbox.settings()).toMatchObject({
      informationalBanner: { text: "New" },
      blockBetaApps: false,
    });
    expect(place.state()?.hold?.wants).toEqual([{ path: ["blockBetaApps"], value: false }]);
    // What it holds back is the file as a whole, whatever is picked of it.
    expect((await place.run("apply --yes --path informationalBanner")).exit).toBe(0);
    place.write(NEW.replace("New", "Newer"));
    expect((await place.run("apply --yes --path informationalBanner")).exit).toBe(7);
  });

  test("a pull writes the selection, and counts other differences", async () => {
    const place = await openWith();
    const { stdout } = await place.run("pull --path blockBetaApps");
    expect(stdout).toContain("1 more value is left out by --path.");
    expect(place.read("portal.yaml")).toContain("text: New");
    expect(place.read("portal.yaml")).toContain("blockBetaApps: false");
  });

  test.each(["plan", "apply --yes", "drift", "pull", "rollback --yes"])(
    "%s knows no setting that neither the reference nor a file has",
    async (command) => {
      const place = await openWith();
      const slip = await place.run(`${command} --path informationalBaner`);
      expect(slip.exit).toBe(64);
      expect(slip.stderr).toContain('"informationalBaner" is no setting.');
      expect(slip.stderr).toContain('Did you mean "informationalBanner"');
      expect(place.updates()).toHaveLength(0);
    },
  );

  test("one of many files must have the setting", async () => {
    const fleet = await openFleet(2, "{ blockBetaApps: true }", call);
    const path = join(fleet.folder, "portals/portal-2.yaml");
    const own = "allowUnknown: [somethingNew]\nsettings: { somethingNew: 1, ";
    writeFileSync(path, readFileSync(path, "utf8").replace("settings: { ", own));
    const ran = await fleet.told(["plan", "portals", "--path", "somethingNew"]);
    expect(statuses(ran)).toEqual({ "portal-1": "unchanged", "portal-2": "changes" });
    expect(ran.summary["changesLeftOut"]).toBe(2);
  });
});

describe("--only", () => {
  test("selects portals by name, counts others, and suggests corrections", async () => {
    const fleet = await openFleet(12, "{ blockBetaApps: true }", call);
    const applied = await fleet.told(["apply", "portals", "--yes", "--only", "portal-1*"]);
    expect(Object.keys(statuses(applied))).toEqual([
      "portal-1",
      "portal-10",
      "portal-11",
      "portal-12",
    ]);
    expect(applied.text).toContain("8 portals are left out by --only.");
    expect(applied).toMatchObject({ portalsLeftOut: 8 });
    expect(updatesOf(fleet.sandbox)).toHaveLength(4);
    const two = ["--only", "portal-2", "--only", "portal-3"];
    expect((await fleet.told(["status", "portals", ...two])).portals).toHaveLength(2);
    const slip = await fleet.run(["plan", "portals", "--only", "portal-2", "--only", "potral-3"]);
    expect(slip.exit).toBe(64);
    expect(slip.stderr).toContain('No portal is called "potral-3".');
    expect(slip.stderr).toContain('Did you mean "portal-3"');
    const none = await fleet.run(["plan", "portals", "--only", "south-*"]);
    expect(none.stderr).toContain("They are called portal-1, portal-2,");
    expect(none.exit).toBe(64);
  });

  test("reports missing files, and works for validate and hold", async () => {
    const fleet = await openFleet(2, "{ blockBetaApps: true }", call);
    for (const command of ["plan", "validate"]) {
      const ran = await fleet.run([command, "portals", "typo.yaml", "--only", "portal-1"]);
      expect([command, ran.exit]).toEqual([command, 3]);
      expect(ran.stdout).toContain("[file-not-found]");
    }
    const missing = await fleet.run(["plan", "nowhere", "--only", "portal-1"]);
    expect(missing.exit).toBe(3);
    expect(missing.stdout).toContain("[file-not-found]");
    const held = await fleet.run(["hold", "portals", "--only", "portal-*", "--until", "4h"]);
    expect(held.stderr).toContain("lintel hold portals --only 'portal-*' --until 4h --why ");
    for (const words of ["hold --why Move", "unhold"]) {
      const { stdout } = await fleet.run([...words.split(" "), "portals", "--only", "portal-2"]);
      expect(stdout).toMatch(/^portal-2 +\S.*\n {2}\S[^]*\n1 portal is left out by --only\.\n$/);
    }
  });
});
