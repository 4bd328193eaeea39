// A window that comes again: applied once, it opens and closes each time, and every report says what comes next.
import { expect, test } from "vitest";
import { openPlace } from "./place.js";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A Saturday at 18:00 in Vienna. */
const FROM_MS = Date.parse("2026-06-06T16:00:00Z");

const FILE = `settings:
  informationalBanner: { text: "", enabled: false, bgColor: "#b30000", fontColor: white }
timeZone: Europe/Vienna
schedule:
  maintenance:
    every: { weekday: saturday, nth: 1, from: "18:00", until: "22:00" }
    between: { from: 2026-01-01, until: 2027-12-31 }
    settings: { informationalBanner: { text: "Read-only until 22:00.", enabled: true } }
`;

test("opens and closes each time, without waiting for a file", async () => {
  const place = await openPlace();
  place.write(FILE);
  const at = (startMs: number) => ({ startMs });
  const banner = () => place.sandbox.settings()["informationalBanner"];
  expect(await place.run("apply --yes", at(FROM_MS - DAY_MS))).toMatchObject({ exit: 0 });
  expect(banner()).toMatchObject({ enabled: false });
  // The first Saturdays of July and August are four and nine weeks later.
  for (const weeks of [0, 4, 8]) {
    const fromMs = FROM_MS + weeks * WEEK_MS;
    const opened = await place.run("apply --due schedule --yes", at(fromMs));
    expect([weeks, opened.exit, banner()]).toMatchObject([weeks, 0, { enabled: true }]);
    expect(opened.stdout).toContain("maintenance");
    const closed = await place.run("apply --due schedule --yes", at(fromMs + 4 * 3_600_000));
    expect([weeks, closed.exit, banner()]).toMatchObject([weeks, 0, { enabled: false }]);
    const again = await place.run("apply --due schedule --yes", at(fromMs + DAY_MS));
    expect(again.stdout).toContain("No changes.");
    // No state has grown, and none has to be written.
    const plan = await place.run("plan --detailed-exitcode", at(fromMs + DAY_MS));
    expect(plan.exit).toBe(0);
  }
  expect(place.updates()).toHaveLength(7);
});

test("shows the next times in the zone of the file", async () => {
  const place = await openPlace();
  place.write(FILE);
  const startMs = FROM_MS - DAY_MS;
  expect(await place.run("apply --yes", { startMs })).toMatchObject({ exit: 0 });
  const next = "2026-06-06 18:00 Europe/Vienna";
  for (const words of ["status", "plan", "explain text --file portal.yaml"]) {
    const { stdout } = await place.run(words, { startMs });
    expect([words, stdout]).toEqual([words, expect.stringContaining(next)]);
  }
  const open = await place.run("status", { startMs: FROM_MS + 60_000 });
  expect(open.stdout).toContain("until 2026-06-06 22:00 Europe/Vienna");
  const later = await place.run("status", { startMs: FROM_MS + DAY_MS });
  expect(later.stdout).toContain("2026-07-04 18:00 Europe/Vienna");
  const planned = await place.run("plan --at 2026-08-01T19:00", { startMs });
  expect(planned.stdout).toContain("Read-only until 22:00.");
});

test("names a window once, though its first time is still to come", async () => {
  const place = await openPlace();
  place.write(FILE.replace("from: 2026-01-01", "from: 2026-07-01"));
  const { stdout } = await place.run("status --offline --output json", { startMs: FROM_MS });
  expect(JSON.parse(stdout)).toMatchObject({
    portals: [{ schedule: { next: { opens: ["maintenance"] } } }],
  });
});

test("reports a missed window, and waits for an apply of a changed rule", async () => {
  const place = await openPlace();
  place.write(FILE);
  expect(await place.run("apply --yes", { startMs: FROM_MS - DAY_MS })).toMatchObject({ exit: 0 });
  const next = new Date(FROM_MS + WEEK_MS).toISOString();
  const ahead = await place.run(`plan --at ${next}`, { startMs: FROM_MS - DAY_MS });
  expect([ahead.exit, ahead.stderr]).toEqual([0, expect.not.stringContaining("never applied")]);
  const missed = await place.run("apply --due schedule --yes", { startMs: FROM_MS + DAY_MS });
  expect(missed.stdout + missed.stderr).toContain('the window "maintenance" was never applied');
  place.write(FILE.replace("18:00", "12:00"));
  const startMs = FROM_MS + 4 * WEEK_MS;
  const waiting = await place.run("apply --due schedule --yes", { startMs });
  expect(waiting.exit).toBe(0);
  expect(place.sandbox.settings()["informationalBanner"]).toMatchObject({ enabled: false });
  expect(await place.run("apply --yes", { startMs })).toMatchObject({ exit: 0 });
  expect(place.sandbox.settings()["informationalBanner"]).toMatchObject({ enabled: true });
});
