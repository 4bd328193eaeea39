// A hold by hand: applies and rollbacks refuse and say who, why and until when; only its time, or a person, ends it.
import { describe, expect, test } from "vitest";
import { momentOf } from "../../src/cli/time-options.js";
import { Failure } from "../../src/failure.js";
import { openPlace, type Place } from "./place.js";

const BANNER = (text: string) =>
  `settings: { informationalBanner: { text: ${text}, enabled: true } }\n`;
const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-22T10:00:00Z");

async function openHeld(until = ""): Promise<Place> {
  const place = await openPlace({}, { informationalBanner: { text: "Old", enabled: true } });
  place.write(BANNER("One"));
  expect(await run(place, "apply --yes")).toMatchObject({ exit: 0 });
  place.write(BANNER("Two"));
  expect(await run(place, `hold --why Move${until}`)).toMatchObject({ exit: 0 });
  return place;
}

function run(place: Place, words: string, laterMs = 0) {
  return place.run(words, {
    startMs: START_MS + laterMs,
    env: { USER: "ada", LINTEL_ACTOR: "ada" },
  });
}

const kindsOf = (place: Place) => place.state()?.history.map(({ kind }) => kind);

describe("a hold by hand", () => {
  test("refuses a reason that contains a secret, without showing it", async () => {
    const place = await openPlace();
    place.write("settings: { blockBetaApps: true }\n");
    const env = { LINTEL_WEB_SERVICES_KEY: "5f1d-key-of-the-service", LINTEL_STATE_KEY_OLD: "" };
    const why = "--why=See-5f1d-key-of-the-service";
    const ran = await place.run(`hold ${why}`, { env });
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain("The reason contains the value of LINTEL_WEB_SERVICES_KEY");
    expect(ran.stdout + ran.stderr).not.toContain("5f1d");
    expect(place.state()).toBeUndefined();
    expect(await place.run(`hold ${why}`)).toMatchObject({ exit: 0 });
  });

  test("reports that it replaces the hold of a rollback", async () => {
    const place = await openPlace({}, { informationalBanner: { text: "Old", enabled: true } });
    place.write(BANNER("One"));
    for (const words of ["apply --yes", "rollback --yes"]) {
      expect(await place.run(words)).toMatchObject({ exit: 0 });
    }
    const { stdout } = await place.run("hold --why Move");
    expect(stdout).toContain("This replaces the hold of the rollback.");
    const again = await place.run("hold --why Move");
    expect(again.stdout).not.toContain("This replaces");
  });

  test("blocks apply and rollback with 7, and shows author, reason and end", async () => {
    const place = await openHeld(" --until 2026-11-22T18:00Z");
    const updates = place.updates().length;
    for (const words of ["apply --yes", "rollback --yes"]) {
      const { exit, stdout } = await run(place, words);
      expect([words, exit]).toEqual([words, 7]);
      expect(stdout.replace(/\s+/g, " ")).toMatch(
        /✗ hold .*The portal is held by .+ since 2026-11-22 10:00 UTC until 2026-11-22 18:00 UTC: Move\./,
      );
      expect(stdout).toContain("lintel unhold portal.yaml");
    }
    expect(place.updates()).toHaveLength(updates);
    const { stdout } = await run(place, "status");
    expect(stdout).toMatch(
      /hold +since 2026-11-22 10:00 UTC until 2026-11-22 18:00 UTC by .+: Move/,
    );
    expect(stdout).toMatch(
      /Wait until the hold ends, or end it now:\n +lintel unhold portal\.yaml\n/,
    );
    const document = JSON.parse((await run(place, "plan -o json")).stdout) as {
      portals: { hold: object }[];
    };
    expect(document.portals[0]?.hold).toMatchObject({
      why: "Move",
      isByHand: true,
      until: "2026-11-22T18:00:00.000Z",
      isAgreed: false,
    });
  });

  test("ends at its time, which the next apply records", async () => {
    const place = await openHeld(" --until 8h");
    // Each call begins at its hour, and takes a moment.
    const afterwards = 8 * HOUR_MS + 60_000;
    expect((await run(place, "apply --yes", 8 * HOUR_MS - 60_000)).exit).toBe(7);
    expect((await run(place, "status", afterwards)).stdout).not.toMatch(/^ +hold /m);
    expect((await run(place, "apply --yes", afterwards)).exit).toBe(0);
    expect(kindsOf(place)).toEqual(["apply", "hold", "apply", "unhold"]);
    expect(place.state()?.history.at(-1)?.why).toBe("its end had passed");
    expect(place.state()?.hold).toBeUndefined();
    const { stdout } = await run(place, "history", afterwards);
    expect(stdout).toContain("  Move\n  until 2026-11-22 18:00 UTC\n");
  });

  test("ends by unhold, not by a file that agrees with the portal", async () => {
    const place = await openHeld();
    place.write(BANNER("One"));
    expect((await run(place, "apply --yes")).exit).toBe(0);
    place.write(BANNER("Three"));
    expect((await run(place, "apply --yes")).exit).toBe(7);
    expect((await run(place, "unhold")).exit).toBe(0);
    expect((await run(place, "apply --yes")).exit).toBe(0);
    expect(kindsOf(place)).toEqual(["apply", "hold", "unhold", "apply"]);
    expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "Three" } });
  });

  test("blocks a saved plan, and is reported instead of a stale plan", async () => {
    const place = await openPlace();
    place.write(BANNER("One"));
    expect((await run(place, "plan --save plan.json")).exit).toBe(0);
    expect((await run(place, "hold --why Move")).exit).toBe(0);
    expect((await run(place, "apply plan.json")).exit).toBe(7);
  });

  test("can be replaced with another end", async () => {
    const place = await openHeld(" --until 1h");
    expect((await run(place, "hold --why Longer --until 3h")).exit).toBe(0);
    const { exit, stdout } = await run(place, "apply --yes", 2 * HOUR_MS);
    expect(exit).toBe(7);
    expect(stdout.replace(/\s+/g, " ")).toContain(": Longer.");
  });

  test("replaces a rollback's hold until its end", async () => {
    const place = await openHeld();
    expect((await run(place, "unhold")).exit).toBe(0);
    expect((await run(place, "apply --yes")).exit).toBe(0);
    expect((await run(place, "rollback --yes")).exit).toBe(0);
    expect((await run(place, "hold --why Move --until 1h")).exit).toBe(0);
    const { stdout } = await run(place, "apply --yes", 2 * HOUR_MS);
    expect(stdout.replace(/\s+/g, " ")).toContain("Move. The file still sets a different value");
    expect((await run(place, "unhold")).exit).toBe(0);
    expect((await run(place, "apply --yes")).exit).toBe(0);
  });

  test("blocks the first apply, and creates the state", async () => {
    const place = await openPlace();
    place.write(BANNER("One"));
    expect((await run(place, "hold --why Move")).exit).toBe(0);
    expect(place.state()).toMatchObject({ serial: 1, leaves: [] });
    expect((await run(place, "apply --yes")).exit).toBe(7);
    expect((await run(place, "status")).stdout).toMatch(/last apply +never/);
    expect((await run(place, "rollback --yes")).exit).toBe(1);
    expect((await run(place, "unhold")).exit).toBe(0);
    expect((await run(place, "apply --yes")).exit).toBe(0);
  });

  test("needs a reason", async () => {
    const place = await openPlace();
    place.write(BANNER("One"));
    const { exit, stderr } = await run(place, "hold portal.yaml");
    expect(exit).toBe(64);
    expect(stderr).toContain("lintel hold portal.yaml --why");
    expect(place.state()).toBeUndefined();
  });
});

/** As in Vienna: summer time until 25 October, from 29 March. */
const vienna = (ms: number) =>
  ms >= Date.parse("2026-03-29T01:00Z") && ms < Date.parse("2026-10-25T01:00Z") ? 120 : 60;
const clock = { env: {}, zone: vienna, now: () => Date.parse("2026-01-10T08:00:00Z") };

test.each([
  ["90m", "2026-01-10T09:30:00.000Z"],
  ["4h", "2026-01-10T12:00:00.000Z"],
  ["2d", "2026-01-12T08:00:00.000Z"],
  ["2026-01-10T18:00Z", "2026-01-10T18:00:00.000Z"],
  ["2026-01-10 18:00+02:00", "2026-01-10T16:00:00.000Z"],
  ["2026-01-10T18:00-14:00", "2026-01-11T08:00:00.000Z"],
  ["2026-01-10T18:00", "2026-01-10T17:00:00.000Z"],
  ["2026-07-10T18:00:30", "2026-07-10T16:00:30.000Z"],
  ["2026-01-10", "2026-01-10T23:00:00.000Z"],
  ["2026-03-29", "2026-03-29T22:00:00.000Z"],
])("--until %s is %s", (text, moment) => {
  expect(momentOf(text, clock)).toBe(moment);
});

test.each([
  ["tomorrow", "is no time"],
  ["2026-02-30T10:00Z", "is no time"],
  ["2026-02-30", "is no time"],
  ["2026-01-09", "has passed"],
  ["2026-12-05T22:00+99:00", "is no time"],
  ["2026-11-22T14:00+26:00", "is no time"],
  ["2026-11-22T14:00+14:01", "is no time"],
  ["2026-11-22T14:00-05:60", "is no time"],
  ["9999-12-31T23:59-12:00", "is no time"],
  ["0000-01-01T00:00+00:01", "is no time"],
  ["2026-01-10T07:00Z", "has passed"],
  ["0h", "has passed"],
  ["2026-03-29T02:30", "never comes"],
  ["2026-10-25T02:30", "comes twice"],
])("--until %s %s, and the help shows two valid ones", (text, why) => {
  let failure: unknown;
  try {
    momentOf(text, clock);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(Failure);
  const { exit, message, help = "" } = failure as Failure;
  expect([exit, message]).toEqual([64, expect.stringContaining(`"${text}" ${why}`)]);
  expect(help).toContain("--until ");
  for (const [, example = ""] of help.matchAll(/--until (.+)/g)) momentOf(example, clock);
});

test("names the base behind a hold first, so that no file needs an override", async () => {
  const place = await openPlace();
  const base = (text: string) =>
    place.write(`settings:\n  informationalBanner: { text: ${text}, enabled: true }\n`, {
      name: "_base.yaml",
      head: "",
    });
  base("Good");
  place.write("extends: _base.yaml\n");
  const file = place.read("portal.yaml");
  expect((await place.run("apply --yes")).exit).toBe(0);
  base("Bad");
  expect((await place.run("apply --yes")).exit).toBe(0);
  expect((await place.run("rollback --yes")).exit).toBe(0);
  const held = await place.run("apply --yes");
  expect(held.exit).toBe(7);
  expect(held.stdout).toMatch(
    /Fix the value in the base: _base\.yaml:2\n +Keep the portal's values: lintel pull portal\.yaml\n/,
  );
  const { stdout } = await place.run("status");
  expect(stdout).toMatch(/next\s+Fix the value in the base:\n +_base\.yaml:2\n/);
  base("Good");
  expect((await place.run("status")).stdout).toContain("End the hold:");
  expect((await place.run("apply --yes")).exit).toBe(0);
  expect(place.read("portal.yaml")).toBe(file);
  expect(place.state()?.hold).toBeUndefined();
});
