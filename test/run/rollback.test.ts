// A first apply on a portal that is in use, rolled back: the portal as it was, and applies held back until a person says otherwise.
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Ran } from "../support/run.js";
import { sitDown } from "../support/terminal.js";
import { openPlace, type Place } from "./place.js";

const BEFORE = {
  informationalBanner: { text: "Old", bgColor: "black", fontColor: "white", enabled: true },
  blockBetaApps: true,
  portalConfigProperties: { tokenExpiration: 60, surveyUrl: "https://survey.example.com" },
};

const WANTED = `settings:
  informationalBanner: { text: New, enabled: false }
  blockBetaApps: false
  portalConfigProperties: { tokenExpiration: 30, longTokenExpiration: 600 }
  authenticatedAccessNotice: { title: Notice, text: Please read., buttons: okOnly, enabled: true }
`;

async function applied(): Promise<Place> {
  const place = await openPlace({}, BEFORE);
  place.write(WANTED);
  expect(await place.run("apply --yes --allow disable-notice")).toMatchObject({ exit: 0 });
  return place;
}

interface ShownPortal {
  readonly status: string;
  readonly hold: { readonly since: string; readonly isAgreed: boolean } | null;
}

const portalsOf = ({ stdout }: Ran) =>
  (JSON.parse(stdout) as { readonly portals: readonly ShownPortal[] }).portals;

const ROLLBACK = "rollback --yes --allow token-lifetime --allow disable-notice --allow wide-change";

describe("a rollback of the first apply", () => {
  test("names the guards that block it, and changes nothing without them", async () => {
    const place = await applied();
    const portal = place.sandbox.settings();
    const serial = place.state()?.serial;
    const ran = await place.run("rollback --yes --allow disable-notice --allow wide-change");
    expect(ran.exit).toBe(7);
    expect(ran.stdout + ran.stderr).toContain("See: lintel explain token-lifetime");
    // The file is not to be applied, which has other guards.
    expect(ran.stdout + ran.stderr).not.toMatch(/\bappl(?:y|ies)\b/i);
    expect(place.sandbox.settings()).toEqual(portal);
    expect(place.state()?.serial).toBe(serial);
  });

  test("asks a question that fits 80 columns", async () => {
    const place = await applied();
    const sitting = sitDown(place.folder.path, place.env, ["no"]);
    const stdout = { ...sitting.io.stdout, columns: 80 };
    expect(await main(["rollback"], { ...sitting.io, stdout })).toBe(1);
    const [question = ""] = sitting.asked;
    expect(question.replaceAll("\n", " ")).toMatch(
      /^Roll the portal back .*, and put it on hold\? Yes also allows the guards? .*\. \(yes or no\) $/,
    );
    expect(Math.max(...question.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("records the guards that the prompt allowed, with their settings", async () => {
    const place = await applied();
    const { io, asked } = sitDown(place.folder.path, place.env, ["yes"]);
    expect([
      await main(["rollback", "--allow", "disable-notice"], io),
      asked.join("").replace(/\s+/g, " "),
    ]).toEqual([
      0,
      expect.stringContaining('Yes also allows the guards "wide-change", "token-lifetime".'),
    ]);
    const guards = place.state()?.history.find(({ kind }) => kind === "rollback")?.guards ?? [];
    const ways = guards.map(({ guard, how }) => `${guard}: ${how}`);
    expect([...new Set(ways)].toSorted()).toEqual([
      "disable-notice: --allow",
      "token-lifetime: prompt",
      "wide-change: prompt",
    ]);
    const told = await place.run("history");
    expect(told.stdout).toContain(
      "  guard token-lifetime allowed at the prompt, for portalConfigProperties.tokenExpiration\n",
    );
    expect(told.stdout).toContain("  guard disable-notice allowed by --allow, for ");
  });

  test("restores the portal, and switches off a notice without an earlier value", async () => {
    const place = await applied();
    expect(await place.run(ROLLBACK)).toMatchObject({ exit: 0 });
    const { authenticatedAccessNotice, ...others } = place.sandbox.settings();
    const { portalConfigProperties, ...rest } = others;
    expect({ portalConfigProperties, ...rest }).toMatchObject(BEFORE);
    expect(rest).toEqual({
      informationalBanner: BEFORE.informationalBanner,
      blockBetaApps: true,
    });
    expect(authenticatedAccessNotice).toMatchObject({ enabled: false });
  });

  test("blocks the next apply, which shows how to end the hold", async () => {
    const place = await applied();
    const [rolledBack] = portalsOf(await place.run(`${ROLLBACK} -o json`));
    expect(rolledBack).toMatchObject({ status: "applied", hold: { isAgreed: false } });
    expect(rolledBack?.hold?.since).toBe(place.state()?.hold?.since);
    const [again] = portalsOf(await place.run("rollback --yes -o json"));
    expect(again).toMatchObject({ status: "unchanged", hold: rolledBack?.hold });
    const portal = place.sandbox.settings();
    const updates = place.updates().length;
    const held = await place.run("apply --yes --allow disable-notice --allow token-lifetime");
    expect(held.exit).toBe(7);
    expect(held.stdout + held.stderr).toContain("lintel unhold portal.yaml");
    expect(place.updates()).toHaveLength(updates);
    expect(place.sandbox.settings()).toEqual(portal);

    expect(await place.run("unhold portal.yaml")).toMatchObject({ exit: 0 });
    const lifted = await place.run("apply --yes --allow disable-notice --allow token-lifetime");
    expect(lifted).toMatchObject({ exit: 0 });
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
    const kinds = place.state()?.history.map(({ kind }) => kind);
    expect(kinds).toEqual(["apply", "rollback", "hold", "unhold", "apply"]);
  });

  test("ends when the file agrees with the portal", async () => {
    const place = await applied();
    await place.run(ROLLBACK);
    place.write("settings: { informationalBanner: { text: Old, enabled: true } }\n");
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
    expect(place.state()?.hold).toBeUndefined();
  });
});

test("to an apply goes to what it left, without later drift", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: true } });
  const texts = ["One", "Two", "Three"];
  for (const text of texts) {
    place.write(`settings: { informationalBanner: { text: ${text} } }\n`);
    const ran = await place.run("apply --yes --allow overwrite-drift");
    expect(ran).toMatchObject({ exit: 0 });
    if (text === "One") {
      place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
    }
  }
  const [first] = place.state()?.history ?? [];
  expect(await place.run(`rollback --to ${first?.number} --yes`)).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "One" } });
  // The last entry is that rollback, and to undo it is not meant by "back".
  const updates = place.updates().length;
  const again = await place.run("rollback --yes");
  expect(again).toMatchObject({ exit: 0 });
  expect(again.stderr).toContain("already rolled back");
  expect(place.updates()).toHaveLength(updates);
  // Nor is it once the hold is lifted.
  expect(await place.run("unhold portal.yaml")).toMatchObject({ exit: 0 });
  const lifted = await place.run("rollback --yes");
  expect(lifted.exit).toBe(64);
  expect(lifted.stderr).toContain("a rollback cannot be undone");
  expect(place.updates()).toHaveLength(updates);
  expect(await place.run("rollback --to 0 --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Zero" } });
});

test("undoes the last apply that sent something, not one that only tracked values", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Zero" }, blockBetaApps: true });
  for (const settings of ["text: One", "text: Two"]) {
    place.write(`settings: { informationalBanner: { ${settings} } }\n`);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  }
  place.write("settings: { informationalBanner: { text: Two }, blockBetaApps: true }\n");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(2);
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "One" } });
  const { history = [], leaves = [] } = place.state() ?? {};
  expect(history.map(({ number, kind }) => [number, kind])).toEqual([
    [1, "apply"],
    [2, "apply"],
    [3, "apply"],
    [4, "rollback"],
    [undefined, "hold"],
  ]);
  expect(leaves.map(({ path }) => path[0])).toContain("blockBetaApps");
});

test("fails if something cannot be undone", async () => {
  const place = await openPlace();
  place.write("settings: { informationalBanner: { text: Hello } }\n");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const state = place.state();
  const ran = await place.run("rollback --yes");
  expect(ran.exit).toBe(1);
  expect(ran.stdout + ran.stderr).toContain("cannot be undone");
  expect(place.state()).toEqual(state);
});

test("ignores the hold of another rollback, and names only the guard that blocks it", async () => {
  const place = await openPlace({}, { informationalBanner: { text: "Zero", enabled: false } });
  for (const text of ["One", "Two"]) {
    place.write(`settings: { informationalBanner: { text: ${text}, enabled: true } }\n`);
    expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  }
  expect(await place.run("rollback --yes")).toMatchObject({ exit: 0 });
  const { exit, stdout } = await place.run("rollback --to 0 --yes --json");
  expect([exit, JSON.parse(stdout)]).toMatchObject([7, { portals: [{ hold: null }] }]);
  expect(JSON.parse(stdout)).toMatchObject({ portals: [{ stoppedBy: ["disable-notice"] }] });
  const text = await place.run("rollback --to 0 --yes");
  expect(text.stdout).not.toContain("✗ hold");
  expect(text.stdout).not.toContain("plan and apply again");
});
