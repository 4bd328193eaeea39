// Moments as people read them: by their own clock, with the zone; in UTC where a text travels.
import { describe, expect, test } from "vitest";
import { showTime, UTC, zoneOf, type Zone } from "../src/lib/text.js";
import { headFor, openPlace, type Place } from "./run/place.js";
import { lintel } from "./support/run.js";

const NEPAL: Zone = () => 345;
const NEWFOUNDLAND: Zone = () => -210;

test("prints a moment to the minute, with the zone", () => {
  expect(showTime("2026-06-30T23:05:06.789Z", UTC)).toBe("2026-06-30 23:05 UTC");
  expect(showTime("2026-06-30T23:05:06.789Z", NEPAL)).toBe("2026-07-01 04:50 +05:45");
  expect(showTime("2026-07-01T00:05:06Z", NEWFOUNDLAND)).toBe("2026-06-30 20:35 -03:30");
});

test("what is no moment is left as it is", () => {
  expect(showTime("yesterday", NEPAL)).toBe("yesterday");
});

test("in a pipeline, and for reproducible output, times are in UTC", () => {
  const at = (env: Record<string, string>) => zoneOf({ env, zone: NEPAL })(0);
  expect(at({})).toBe(345);
  expect(at({ CI: "false" })).toBe(345);
  expect(at({ CI: "true" })).toBe(0);
  expect(at({ TF_BUILD: "True" })).toBe(0);
  expect(at({ SOURCE_DATE_EPOCH: "1781512200" })).toBe(0);
});

/** A portal on hold: what was applied at five past eleven at night was rolled back. */
async function held(timeZone = ""): Promise<Place> {
  const place = await openPlace({}, { informationalBanner: { text: "Old", enabled: true } });
  place.write(`${timeZone}settings: { informationalBanner: { text: New, enabled: true } }\n`);
  const startMs = Date.UTC(2026, 5, 30, 23, 5);
  expect(await place.run("apply --yes", { startMs })).toMatchObject({ exit: 0 });
  expect(await place.run("rollback --yes", { startMs })).toMatchObject({ exit: 0 });
  return place;
}

describe("every text for people shows local times", () => {
  const words = ["status", "history", "state show", "plan", "doctor", "apply --yes"];
  test.each(words)("%s", async (each) => {
    const place = await held();
    const { stdout, stderr } = await place.run(each, { zone: NEPAL });
    const text = stdout + stderr;
    expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d \+05:45/);
    expect(text).toContain("2026-07-01 04:50 +05:45");
    expect(text).not.toMatch(/\dT\d\d:\d\d/);
  });
});

describe("times are in the time zone that the file names", () => {
  const VIENNA = "timeZone: Europe/Vienna\n";
  const words = ["status", "history", "state show", "plan", "doctor", "apply --yes"];
  test.each(words)("%s", async (each) => {
    const place = await held(VIENNA);
    for (const env of [{}, { CI: "true" }]) {
      const { stdout, stderr } = await place.run(each, { zone: NEPAL, env });
      expect(stdout + stderr).toContain("2026-07-01 01:05 Europe/Vienna");
      expect(stdout + stderr).not.toContain("+05:45");
    }
  });

  test("as text, Markdown and a page that travel", async () => {
    const place = await held(VIENNA);
    for (const command of ["plan", "drift"]) {
      place.sandbox.change("self", { informationalBanner: { text: "By hand", enabled: true } });
      const formats = ["text", "markdown", "html"].map((each) => `--output ${each}=file.${each}`);
      await place.run(`${command} ${formats.join(" ")}`, { zone: NEPAL });
      for (const each of ["text", "markdown", "html"]) {
        expect(place.read(`file.${each}`)).toContain("2026-07-01 01:05 Europe/Vienna");
      }
    }
  });

  test("a time of an option is one of that zone", async () => {
    const place = await held(VIENNA);
    const plan = await place.run("plan --at 2026-07-02T18:00 --json", { zone: NEPAL });
    expect(plan.stdout).toContain("The plan is as of 2026-07-02 18:00 Europe/Vienna");
    const until = "2030-01-02T18:00";
    const words = ["hold", "portal.yaml", "--until", until, "--why", "Move"].join(" ");
    expect(await place.run(words, { zone: NEPAL })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("until 2030-01-02 18:00 Europe/Vienna") as string,
    });
    expect(place.state()?.hold).toMatchObject({ until: "2030-01-02T17:00:00.000Z" });
    const since = await place.run("history --since 2026-07-01T01:06", { zone: NEPAL });
    expect(since.stdout).not.toContain("apply 1");
  });

  test("files that name different ones are shown in UTC", async () => {
    const place = await held(VIENNA);
    place.write("timeZone: Asia/Tokyo\n", {
      name: "other.yaml",
      head: headFor(place, ", id: other"),
    });
    const { stdout } = await place.run("history portal.yaml other.yaml", { zone: NEPAL });
    expect(stdout).toContain("2026-06-30 23:05 UTC");
  });
});

test("JSON keeps the moment itself", async () => {
  const place = await held();
  const { stdout } = await place.run("status --output json", { zone: NEPAL });
  expect(JSON.parse(stdout)).toMatchObject({
    portals: [
      {
        hold: { since: expect.stringMatching(/^2026-06-30T23:05:\d\d\.\d{3}Z$/) },
        lastApply: { time: expect.stringMatching(/^2026-06-30T23:05:\d\d\.\d{3}Z$/) },
      },
    ],
  });
});

test("files, Markdown and pages show times in UTC", async () => {
  const place = await held();
  const formats = "--output text=plan.txt --output markdown=plan.md --output html=plan.html";
  expect(await place.run(`plan ${formats}`, { zone: NEPAL })).toMatchObject({ exit: 0 });
  for (const name of ["plan.txt", "plan.md", "plan.html"]) {
    expect(place.read(name)).toContain("2026-06-30 23:05 UTC");
    expect(place.read(name)).not.toContain("+05:45");
  }
});

test("the command takes the zone from TZ", async () => {
  const place = await held();
  const run = (env: Record<string, string>) => lintel(["history"], { cwd: place.folder.path, env });
  expect((await run({ TZ: "Europe/Vienna" })).stdout).toContain("2026-07-01 01:05 +02:00");
  expect((await run({ TZ: "Europe/Vienna", CI: "true" })).stdout).toContain("2026-06-30 23:05 UTC");
});

test("marks a commit that was applied with uncommitted changes", async () => {
  const place = await held();
  const state = place.state();
  if (!state) throw new TypeError("nothing was applied");
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const history = state.history.map((entry, at) => ({
    ...entry,
    by: { ...entry.by, commit: at === 0 ? commit : `${commit}-dirty` },
  }));
  place.plant({ ...state, history });
  const told = "commit 0123456789ab with changes that are not committed";
  const { stdout } = await place.run("history");
  expect(stdout).toContain(told);
  expect(stdout).toMatch(/commit 0123456789ab,/);
  const status = await place.run("status");
  expect(status.stdout.replace(/\s+/g, " ")).toContain(told);
});
