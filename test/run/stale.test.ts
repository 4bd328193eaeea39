// Saved plans: carried out on what they were made from, on nothing else; and whatever was done meanwhile counts as done.
import { describe, expect, test } from "vitest";
import { digest } from "../../src/lib/digest.js";
import type { Json } from "../../src/lib/json.js";
import { call } from "./call.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

const PORTAL = { informationalBanner: { text: "Old", enabled: true }, blockBetaApps: false };
const WANTED = "settings: { informationalBanner: { text: New } }\n";

async function planned(): Promise<Place> {
  const place = await openPlace({}, PORTAL);
  place.write("settings: { aiAssistantsEnabled: true }\n");
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  place.write(WANTED);
  expect(await place.run("plan --save plan.json")).toMatchObject({ exit: 0 });
  return place;
}

const MEANWHILE: readonly (readonly [what: string, why: RegExp, change: (place: Place) => void])[] =
  [
    [
      "the file wants another value",
      /the file changed/,
      (place) => place.write(WANTED.replace("New", "Newer")),
    ],
    [
      "the file wants one thing more",
      /the file changed/,
      (place) => place.write(WANTED.replace(" }\n", ", blockBetaApps: true }\n")),
    ],
    [
      "the target is another version",
      /the file changed/,
      (place) => place.write(WANTED, { head: headFor(place).replace("12.1", "12.0") }),
    ],
    [
      "changes were applied",
      /changes were applied/,
      (place) => {
        const state = place.state();
        const [entry] = state?.history ?? [];
        if (!state || !entry) throw new Error("nothing was applied");
        const serial = state.serial + 1;
        place.plant({ ...state, serial, history: [...state.history, { ...entry, number: 2 }] });
      },
    ],
    [
      "the state was begun anew",
      /changes were applied/,
      (place) => {
        const state = place.state();
        if (state) place.plant({ ...state, lineage: "another" });
      },
    ],
    [
      "the portal shows another text",
      /the portal changed/,
      ({ sandbox }) =>
        sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } }),
    ],
    [
      "the portal shows another value of a setting that the file does not name",
      /the portal changed/,
      ({ sandbox }) => sandbox.change("self", { ...sandbox.settings(), blockBetaApps: true }),
    ],
  ];

describe("a saved plan is refused once", () => {
  test.each(MEANWHILE)("%s", async (_, why, change) => {
    const place = await planned();
    const updates = place.updates().length;
    change(place);
    const portal = place.sandbox.settings();
    const state = place.state();
    const ran = await place.run("apply plan.json");
    expect(ran.exit).toBe(5);
    expect(ran.stdout + ran.stderr).toMatch(why);
    expect(place.updates()).toHaveLength(updates);
    expect(place.sandbox.settings()).toEqual(portal);
    expect(place.state()).toEqual(state);
  });

  test("its request was edited", async () => {
    const place = await planned();
    const updates = place.updates().length;
    const text = place.read("plan.json").replaceAll('"New"', '"Mine"');
    place.write(text, { name: "plan.json", head: "" });
    for (const words of ["apply plan.json", "plan --load plan.json"]) {
      const ran = await place.run(words);
      expect(ran.exit).toBe(5);
      expect(ran.stdout + ran.stderr).toContain("is damaged, or was edited by hand");
    }
    // A digest is easily made again, and what is sent is still what the file wants.
    const {
      lintelPlan,
      digest: _old,
      ...rest
    } = JSON.parse(text) as Readonly<Record<string, Json>>;
    const forged = JSON.stringify({ lintelPlan, digest: digest(rest), ...rest });
    place.write(forged, { name: "plan.json", head: "" });
    expect((await place.run("plan --load plan.json")).stdout).toContain("Mine");
    expect(await place.run("apply plan.json")).toMatchObject({ exit: 5 });
    expect(place.updates()).toHaveLength(updates);
  });
});

test("refuses a saved plan if another file was applied instead", async () => {
  const place = await planned();
  place.write(WANTED.replace("New", "Newer"));
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  const ran = await place.run("apply plan.json");
  expect(ran.exit).toBe(5);
  expect(ran.stdout + ran.stderr).toMatch(/the file changed/);
});

test("names author, settings and a working command for a stale plan", async () => {
  const place = await openPlace({}, PORTAL);
  const run = (...words: readonly string[]) =>
    call(words, { cwd: place.folder.path, env: place.env });
  const name = "gis $(touch pwned) 'a'; b/self.yaml";
  const write = (text: string) => place.write(`settings: { ${text} }\n`, { name });
  write("informationalBanner: { text: New }, blockBetaApps: true");
  const given = ["--only", "self*", "--path", "informationalBanner", "--allow", "wide-change"];
  const made = await run("plan", name, "--save", "my plan.json", ...given);
  expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining("'my plan.json'")]);
  write("informationalBanner: { text: Newer }, blockBetaApps: true");
  expect(await run("apply", name, "--yes")).toMatchObject({ exit: 0 });
  write("informationalBanner: { text: New }, blockBetaApps: true");
  const stale = await run("apply", "my plan.json");
  expect(stale.exit).toBe(5);
  expect(stale.stdout).toMatch(/changes were applied by .+ as api-user, \d{4}-/);
  expect(stale.stdout).toContain('The plans differ in "informationalBanner.text". ');
  const [, again = ""] = /^ +lintel (plan .*)$/m.exec(stale.stdout) ?? [];
  const words = [...again.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, "$1$2"),
  );
  expect(words).toEqual(["plan", name, ...given, "--save", "my plan.json"]);
  expect(await run(...words)).toMatchObject({ exit: 0 });
  expect(await run("apply", "my plan.json")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
});

test("applies a saved plan after changes of order and comments only", async () => {
  const place = await planned();
  place.write(`# Agreed on Monday.\n${WANTED}`);
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
});

test("sends and writes nothing for a plan without changes", async () => {
  const place = await planned();
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
  const [state, updates] = [place.state(), place.updates().length];
  expect(await place.run("plan --save again.json")).toMatchObject({ exit: 0 });
  for (const words of ["apply --yes", "apply plan.json", "apply again.json"]) {
    const { exit, stderr } = await place.run(words);
    expect(exit).toBe(0);
    const said = /This plan was already applied to "portal": \d{4}-\d\d-\d\d \d\d:\d\d UTC by \w+/;
    if (words === "apply plan.json") expect(stderr).toMatch(said);
    else expect(stderr).not.toContain("already applied");
    expect(place.state()).toEqual(state);
    expect(place.updates()).toHaveLength(updates);
  }
});

test("applies the remaining portals of a saved plan", async () => {
  const place = await openPlace({ portals: 2 }, PORTAL);
  const ids = ["self", "portal-1", "portal-2"];
  for (const id of ids) {
    place.write(WANTED, { name: `portals/${id}.yaml`, head: headFor(place, `, id: ${id}`) });
  }
  expect(await place.run("plan --save plan.json")).toMatchObject({ exit: 0 });
  expect(await place.run("apply portals/portal-1.yaml --yes")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(1);
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
  expect(place.updates()).toHaveLength(3);
  for (const id of ids) {
    expect(place.sandbox.settings(id)).toMatchObject({ informationalBanner: { text: "New" } });
  }
  expect((await place.run("plan --detailed-exitcode")).exit).toBe(0);
});

test("refuses one stale portal of a saved plan, and applies the others", async () => {
  const place = await openPlace({ portals: 2 }, PORTAL);
  for (const id of ["self", "portal-1", "portal-2"]) {
    place.write(WANTED, { name: `portals/${id}.yaml`, head: headFor(place, `, id: ${id}`) });
  }
  await place.run("plan --save plan.json");
  place.sandbox.change("portal-1", { informationalBanner: { text: "By hand" } });
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 5 });
  expect(place.sandbox.settings("portal-1")).toEqual({ informationalBanner: { text: "By hand" } });
  expect(place.sandbox.settings("portal-2")).toMatchObject({
    informationalBanner: { text: "New" },
  });
});

test("applies a saved plan again after a refused update", async () => {
  const place = await planned();
  place.sandbox.faults.push({ kind: "error-json", match: isUpdate });
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 4 });
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "New" } });
});

test("neither saves nor applies a plan without a sign-in", async () => {
  const place = await planned();
  const nobody = { env: { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined } };
  expect(await place.run("plan --save seen.json", nobody)).toMatchObject({
    exit: 1,
    stdout: expect.stringContaining("did not sign in"),
    stderr: expect.stringContaining("was not saved: the plan for"),
  });
  expect(await place.run("apply seen.json")).toMatchObject({ exit: 3 });
  const updates = place.updates().length;
  expect(await place.run("apply plan.json", nobody)).toMatchObject({ exit: 4 });
  expect(place.updates()).toHaveLength(updates);
});

test("--save replaces a saved plan, and no other file", async () => {
  const place = await planned();
  expect(await place.run("plan --save plan.json")).toMatchObject({ exit: 0 });
  const file = place.read("portal.yaml");
  expect(await place.run("plan --save portal.yaml")).toMatchObject({ exit: 1 });
  expect(await place.run("plan --output json=portal.yaml")).toMatchObject({ exit: 64 });
  expect(place.read("portal.yaml")).toBe(file);
});

test("fails an apply without credentials, even without changes", async () => {
  const place = await planned();
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
  place.sandbox.change("self", { ...place.sandbox.settings(), blockBetaApps: true });
  const nobody = { env: { LINTEL_BEID: undefined, LINTEL_WEB_SERVICES_KEY: undefined } };
  expect(await place.run("apply --yes", nobody)).toMatchObject({ exit: 4 });
});
