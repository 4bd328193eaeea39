// A state that is tried: each step says what works, and nothing of it stays.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JOURNAL } from "../state/samples.js";
import { openPlace, type Place } from "./place.js";

const BANNER = "settings: { informationalBanner: { text: Hello, enabled: true } }\n";

interface Told {
  readonly portals: readonly {
    readonly exitCode: number;
    readonly steps: readonly { readonly name: string; readonly status: string }[];
  }[];
}

async function stepsOf(place: Place, words = "state check"): Promise<string[][]> {
  const { stdout } = await place.run(`${words} --output json`);
  const { portals } = JSON.parse(stdout) as Told;
  return portals.map(({ steps }) => steps.map(({ name, status }) => `${name} ${status}`));
}

const ALL_WELL = ["place ok", "read ok", "lock ok", "write ok", "unlock ok"];

async function applied(): Promise<Place> {
  const place = await openPlace();
  place.write(BANNER);
  expect(await place.run("apply --yes")).toMatchObject({ exit: 0 });
  return place;
}

test("all is tried, and what stands there stays but for its serial", async () => {
  const place = await applied();
  await place.run("plan --save plan.json");
  const before = place.state();
  const tried = await place.run("state check");
  expect(tried).toMatchObject({ exit: 0, stderr: "" });
  expect(tried.stdout).toMatch(
    /^ {2}ok {7}write {3}What stood there was written once more, as serial 3;/m,
  );
  expect(tried.stdout).toMatch(/\n {2}The state can be used\.\n$/);
  expect(place.state()).toEqual({ ...before, serial: 3 });
  expect((await place.run("state show")).stdout).toMatch(/\nlock +free\n/);
  // A plan that was saved before is as good as it was.
  expect(await place.run("apply plan.json")).toMatchObject({ exit: 0 });
});

test("before the first apply nothing is written, and it is said that nothing was proven", async () => {
  const place = await openPlace();
  place.write(BANNER);
  expect(await stepsOf(place)).toEqual([
    ["place ok", "read ok", "lock ok", "write warning", "unlock ok"],
  ]);
  expect(place.state()).toBeUndefined();
});

test("many at once, and at another place than the files say", async () => {
  const place = await openPlace({ portals: 2 });
  const { portalUrl, signInUrl } = place.sandbox;
  for (const id of ["self", "portal-1"]) {
    const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
    place.write(BANNER, { name: `portals/${id}.yaml`, head });
  }
  await place.run("apply portals --yes");
  expect(await stepsOf(place, "state check portals")).toEqual([ALL_WELL, ALL_WELL]);
  const elsewhere = await stepsOf(place, "state check portals file:../new");
  expect(elsewhere.map((steps) => steps[3])).toEqual(["write warning", "write warning"]);
});

test("what is wrong is told at its step, with what to do, and the rest is left alone", async () => {
  const place = await applied();
  const state = place.state();
  if (!state) throw new Error("nothing was applied");
  place.plant({ ...state, journal: JOURNAL });
  expect(await stepsOf(place)).toEqual([
    ["place ok", "read warning", "lock ok", "write warning", "unlock ok"],
  ]);
  expect(place.state()?.serial).toBe(state.serial);

  place.plant(state);
  await place.run("state move file:states");
  const moved = await place.run("state check");
  expect(moved).toMatchObject({ exit: 3 });
  expect(moved.stdout).toMatch(/^ {2}failed {3}read .*was moved to "file:states"/m);
  expect(moved.stdout).toMatch(/^ {2}skipped {2}lock /m);
  expect(moved.stdout).toMatch(/\n {2}1 step failed\.\n$/);

  place.write("state: file:damaged\n");
  mkdirSync(join(place.folder.path, "damaged"));
  writeFileSync(join(place.folder.path, "damaged", `${state.portal.key}.json`), "<<<<<<< ours\n");
  expect((await place.run("state check")).exit).toBe(1);
});

test("in a pipeline a place that ends with the runner is refused before it is touched", async () => {
  const place = await openPlace();
  place.write(BANNER);
  const refused = await place.run("state check", { env: { CI: "true" } });
  expect(refused).toMatchObject({ exit: 3 });
  expect(refused.stdout).toMatch(/^ {2}failed {3}place /m);
});

test("the doctor tells who holds the lock, and what stands in the way", async () => {
  const place = await applied();
  const finding = async () => {
    const { stdout } = await place.run("doctor");
    return /^(ok|warning|failed) +state +(.*)$/m.exec(stdout)?.slice(1).join(": ");
  };
  expect(await finding()).toMatch(
    /^ok: Lintel can write to the folder ".*\.lintel"\. Last apply: /,
  );
  const state = place.state();
  if (!state) throw new Error("nothing was applied");
  place.plant({ ...state, journal: JOURNAL });
  expect(await finding()).toBe("warning: The outcome of the last apply is unknown.");
  place.plant(state);
  await place.run("state move file:states");
  expect(await finding()).toMatch(/^failed: .*was moved to "file:states"/);
  expect(await place.run("doctor")).toMatchObject({ exit: 3 });
});
