// By the clock, in simulated time: what windows and hands bring is sent, what a changed file wants waits, and holds, rollbacks and guards go first.
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import type { Ran } from "../support/run.js";
import { headFor, openPlace, type Place } from "./place.js";

const NIGHT = { text: "Read-only until 22:00.", enabled: true };
const QUIET = { text: "Welcome", enabled: false };

interface File {
  readonly base?: string;
  readonly beta?: boolean;
  readonly night?: string;
  readonly until?: string;
  readonly schedule?: boolean;
  readonly more?: string;
}

function file({
  base = "Welcome",
  beta = false,
  night = NIGHT.text,
  until = "22:00",
  schedule = true,
  more = "",
}: File = {}): string {
  const text = night === "" ? "" : `text: "${night}", `;
  const window = `schedule:
  night:
    from: 2026-06-15T18:00
    until: 2026-06-15T${until}
    settings: { informationalBanner: { ${text}enabled: true } }
`;
  return `${more}settings:
  informationalBanner: { text: ${base}, enabled: false }
  blockBetaApps: ${String(beta)}
${schedule ? window : ""}`;
}

const at = (time: string) => Date.parse(`2026-06-15T${time}:00Z`);
const flat = ({ stdout, stderr }: Ran) => (stdout + stderr).replace(/\s+/g, " ");

async function openDay(first: File = {}) {
  const place = await openPlace();
  const day = {
    ...place,
    run: (words: string, time: string) => place.run(words, { startMs: at(time) }),
    due: (time: string, what = "schedule,drift") =>
      place.run(`apply --yes --due ${what}`, { startMs: at(time) }),
    banner: () => place.sandbox.settings()["informationalBanner"],
    byHand: (settings: JsonObject) =>
      place.sandbox.change("self", { ...place.sandbox.settings(), ...settings }),
    last: () => place.state()?.history.at(-1),
  };
  place.write(file(first));
  expect(await day.run("apply --yes", "12:00")).toMatchObject({ exit: 0 });
  return day;
}

/** Sends nothing, and ends so. */
async function expectQuiet(place: Pick<Place, "updates">, ran: Promise<Ran>, exit = 0) {
  const before = place.updates().length;
  const done = await ran;
  expect({ exit: done.exit, said: flat(done) }).toMatchObject({ exit });
  expect(place.updates()).toHaveLength(before);
  return flat(done);
}

test("opens and closes a window, reports a delay, and allows guards for its own settings", async () => {
  const day = await openDay();
  await expectQuiet(day, day.due("17:59"));
  const opened = await day.due("18:07");
  expect(opened.exit).toBe(0);
  expect(flat(opened)).toContain('The window "night" opened 7 minutes late on "portal".');
  expect(day.banner()).toEqual(NIGHT);
  expect(day.last()?.changes).toMatchObject([
    { cause: "schedule", window: { name: "night", is: "open" } },
    { cause: "schedule", window: { name: "night", is: "open" } },
  ]);
  await expectQuiet(day, day.due("21:59"));
  const closed = await day.due("22:00");
  expect(closed.exit).toBe(0);
  expect(flat(closed)).not.toContain("late");
  expect(day.banner()).toEqual(QUIET);
  expect(day.last()?.guards).toMatchObject([{ guard: "disable-notice" }]);
});

test("plan and status say when a clock must run Lintel, and a run by the clock does not", async () => {
  const day = await openDay();
  const next = (time: string) =>
    `A window opens or closes at 2026-06-15 ${time} UTC. Lintel must run then: "lintel serve`;
  expect(flat(await day.run("plan", "12:00"))).toContain(next("18:00"));
  expect(flat(await day.run("status", "12:00"))).toContain(`Nothing to do now. ${next("18:00")}`);
  expect(flat(await day.run("plan", "18:30"))).toContain(next("22:00"));
  expect(flat(await day.due("18:30"))).not.toContain("must run");
  expect(flat(await day.run("plan", "22:00"))).not.toContain("must run");
});

test("reports file changes as waiting, and applies the window", async () => {
  const day = await openDay();
  day.write(file({ beta: true }));
  const ran = await day.due("18:00");
  expect(ran.exit).toBe(0);
  expect(flat(ran)).toContain('File changes are excluded from this apply: "blockBetaApps".');
  expect(flat(ran)).toContain("1 change is not due.");
  expect(day.sandbox.settings()).toMatchObject({
    informationalBanner: NIGHT,
    blockBetaApps: false,
  });
  await expectQuiet(day, day.due("18:05"));
  expect(await day.run("apply --yes", "18:10")).toMatchObject({ exit: 0 });
  expect(day.sandbox.settings()).toMatchObject({ informationalBanner: NIGHT, blockBetaApps: true });
});

test.each<[string, File, File]>([
  ["a window that is new", { schedule: false }, {}],
  ["a window that says something else", {}, { night: "All is well." }],
  ["a window that was moved", {}, { until: "23:00" }],
  ["a window of which a line was removed", {}, { night: "" }],
])("%s does not open before it was applied", async (_, first, then) => {
  const day = await openDay(first);
  day.write(file(then));
  expect(await expectQuiet(day, day.due("18:00"))).toContain(
    "File changes are excluded from this apply",
  );
  expect(await day.run("apply --yes", "18:05")).toMatchObject({ exit: 0 });
  const text = then.night === "" ? QUIET.text : (then.night ?? NIGHT.text);
  expect(day.banner()).toEqual({ text, enabled: true });
  expect(day.last()?.changes[0]?.cause).toBe("file");
});

test("opens a window that was applied before its time, without a request for recording it", async () => {
  const day = await openDay({ schedule: false });
  day.write(file());
  expect(await day.run("plan --detailed-exitcode", "13:00")).toMatchObject({ exit: 2 });
  const noted = await expectQuiet(day, day.run("apply --yes", "13:00"));
  expect(noted).toContain("so that they can open and close on time");
  expect(await day.run("plan --detailed-exitcode", "13:05")).toMatchObject({ exit: 0 });
  expect(await day.due("18:00")).toMatchObject({ exit: 0 });
  expect(day.banner()).toEqual(NIGHT);
  // A window that is over may go from the file without anything being left to do.
  expect(await day.due("22:00")).toMatchObject({ exit: 0 });
  day.write(file({ schedule: false }));
  expect(await day.run("plan --detailed-exitcode", "22:05")).toMatchObject({ exit: 0 });
});

/** Windows one behind the other, all of which switch the banner on, so that only its text is sent at the boundary between two. */
function evening(...hours: readonly number[]): string {
  const windows = hours.map(
    (hour) => `  at${hour}:
    from: 2026-06-15T${hour}:00
    until: 2026-06-15T${hour + 2}:00
    settings: { informationalBanner: { text: "At ${hour}", enabled: true } }
`,
  );
  const schedule = hours.length > 0 ? `schedule:\n${windows.join("")}` : "";
  return file({ schedule: false }) + schedule;
}

test("allows removing a closed window while the next one is open", async () => {
  const day = await openDay();
  day.write(evening(18, 20));
  await day.run("apply --yes", "12:30");
  for (const time of ["18:00", "20:00"]) expect(await day.due(time)).toMatchObject({ exit: 0 });
  day.write(evening(20));
  await expectQuiet(day, day.run("apply --yes", "21:00"));
  expect(await day.due("22:00")).toMatchObject({ exit: 0 });
  expect(day.banner()).toEqual(QUIET);
});

test.each<[string, string]>([
  ["beside one that is over", evening(16)],
  ["as the only one", evening()],
])("closes a window at its time that was removed %s without an apply", async (_, then) => {
  const day = await openDay();
  day.write(evening(16, 18));
  await day.run("apply --yes", "12:30");
  for (const time of ["16:00", "18:00"]) expect(await day.due(time)).toMatchObject({ exit: 0 });
  day.write(then);
  expect(await expectQuiet(day, day.due("19:59"))).toContain(
    '"informationalBanner.text", "informationalBanner.enabled".',
  );
  expect(await day.run("apply --yes", "19:59")).toMatchObject({ exit: 7 });
  expect(flat(await day.due("20:00"))).toContain(
    'The window "at18" closed at 2026-06-15 20:00 UTC: 2 changes.',
  );
  expect(day.banner()).toEqual(QUIET);
});

test("does not close a window over an unapplied file change", async () => {
  const day = await openDay();
  await day.due("18:00");
  day.write(file({ base: "Hello" }));
  const ran = await day.due("22:00");
  expect(flat(ran)).toContain(
    'File changes are excluded from this apply: "informationalBanner.text".',
  );
  expect(day.banner()).toEqual({ ...NIGHT, enabled: false });
  expect(await day.run("apply --yes", "22:10")).toMatchObject({ exit: 0 });
  expect(day.banner()).toEqual({ text: "Hello", enabled: false });
});

test("sends nothing while the portal is down, and the current values afterwards", async () => {
  const day = await openDay();
  day.sandbox.faults.push(...Array.from({ length: 40 }, () => ({ kind: "drop-before" }) as const));
  expect(await day.due("18:00")).toMatchObject({ exit: 4 });
  expect(day.banner()).toEqual(QUIET);
  day.sandbox.faults.splice(0);
  expect(flat(await day.due("20:00"))).toContain('opened 2 hours late on "portal"');
  expect(day.banner()).toEqual(NIGHT);
});

test("opens nothing during a hold, and reports a missed window", async () => {
  const day = await openDay();
  expect(await day.run("hold --why Move", "17:00")).toMatchObject({ exit: 0 });
  expect(await expectQuiet(day, day.due("18:00"), 7)).toContain("Move.");
  // Over, it is nothing to carry out.
  await expectQuiet(day, day.due("22:30"));
  expect(await day.run("unhold portal.yaml", "23:00")).toMatchObject({ exit: 0 });
  const missed = await expectQuiet(day, day.due("23:00"));
  expect(missed).toContain(
    'Nothing was applied from 2026-06-15 18:00 UTC to 2026-06-15 22:00 UTC, so the window "night" was never applied on "portal".',
  );
  day.write(file({ beta: true }));
  expect(await day.run("apply --yes", "23:30")).toMatchObject({ exit: 0 });
  expect(await expectQuiet(day, day.due("23:40"))).not.toContain("missed");
});

test("undoes the file's changes in a rollback during a window, and holds back its end", async () => {
  const day = await openDay();
  day.write(file({ beta: true }));
  expect(await day.run("apply --yes", "13:00")).toMatchObject({ exit: 0 });
  await day.due("18:00");
  const rolled = await day.run("rollback --yes", "19:00");
  expect(rolled.exit).toBe(0);
  expect(flat(rolled)).toMatch(
    /Not undone, because no file change caused it: the window "night" opened \(apply \d+\)\./,
  );
  expect(day.sandbox.settings()).toMatchObject({
    informationalBanner: NIGHT,
    blockBetaApps: false,
  });
  expect(await expectQuiet(day, day.due("22:00"), 7)).toContain(
    "Scheduled changes wait until the hold ends",
  );
  expect(day.state()?.hold).toBeDefined();
  day.write(file());
  expect(await day.run("apply --yes", "22:30")).toMatchObject({ exit: 0 });
  expect(day.state()?.hold).toBeUndefined();
  expect(day.banner()).toEqual(QUIET);
});

test("fails after a rollback, even if nothing is due, until the file agrees", async () => {
  const day = await openDay();
  day.write(file({ beta: true }));
  expect(await day.run("apply --yes", "13:00")).toMatchObject({ exit: 0 });
  expect(await day.run("rollback --yes", "14:00")).toMatchObject({ exit: 0 });
  expect(await expectQuiet(day, day.due("15:00"), 7)).toContain(
    'The file still sets a different value for "blockBetaApps".',
  );
  const skipping = day.run("apply --yes --due schedule --skip-held", "15:05");
  expect(await expectQuiet(day, skipping)).toContain("1 portal: skipped.");
  day.write(file());
  await expectQuiet(day, day.due("15:10"));
  expect(day.state()?.hold).toBeDefined();
});

test("a rollback with nothing due is no canary, and stops no other portal", async () => {
  const place = await openPlace({ portals: 1 });
  const run = (words: string, time: string) => place.run(words, { startMs: at(time) });
  const other = { name: "portals/b.yaml", head: headFor(place, ", id: portal-1") };
  place.write(file({ schedule: false }), { name: "portals/a.yaml" });
  place.write(file(), other);
  expect(await run("apply --yes", "12:00")).toMatchObject({ exit: 0 });
  place.write(file({ schedule: false, beta: true }), { name: "portals/a.yaml" });
  expect(await run("apply portals/a.yaml --yes", "13:00")).toMatchObject({ exit: 0 });
  expect(await run("rollback portals/a.yaml --yes", "14:00")).toMatchObject({ exit: 0 });
  const ran = await run("apply --yes --due schedule --canary 1", "18:00");
  expect({ exit: ran.exit, said: flat(ran) }).toMatchObject({ exit: 7 });
  expect(place.sandbox.settings("portal-1")).toMatchObject({ informationalBanner: NIGHT });
});

test("names the open window that a rollback replaces, and suggests no pull into it", async () => {
  const day = await openDay({ schedule: false });
  day.write(file());
  expect(await day.run("apply --yes", "18:30")).toMatchObject({ exit: 0 });
  const rolled = flat(await day.run("rollback --yes --allow disable-notice", "19:00"));
  expect(rolled).toContain(
    'The window "night" is open until 2026-06-15 22:00 UTC. This rollback replaces what the window sets: informationalBanner.text, informationalBanner.enabled. While on hold, the window cannot close.',
  );
  expect(rolled).not.toContain("must run then");
  for (const said of [
    rolled,
    flat(await day.run("apply --yes", "19:05")),
    flat(await day.run("plan", "19:05")),
    flat(await day.run("status", "19:05")),
  ]) {
    expect(said).toMatch(/Correct the value in the open window: portal\.yaml:\d+/);
    expect(said).not.toContain("lintel pull");
  }
});

test("names the lines that apply again after the open window of a rollback", async () => {
  const day = await openDay();
  day.write(file({ base: "Mistake" }));
  expect(await day.run("apply --yes", "13:00")).toMatchObject({ exit: 0 });
  expect(await day.due("18:00")).toMatchObject({ exit: 0 });
  const rolled = flat(await day.run("rollback --yes --allow disable-notice", "19:00"));
  expect(rolled).toMatch(
    /After the window, these lines apply again; correct them, too: portal\.yaml:\d+\./,
  );
});

test("skips windows and drift restores in a rollback, and restores no closed window", async () => {
  const day = await openDay({ more: "drift: restore\n" });
  day.write(file({ beta: true, more: "drift: restore\n" }));
  expect(await day.run("apply --yes", "18:30")).toMatchObject({ exit: 0 });
  await day.due("22:00");
  day.byHand({ informationalBanner: { text: "By hand", enabled: false } });
  expect(await day.due("22:10")).toMatchObject({ exit: 0 });
  const rolled = flat(await day.run("rollback --yes", "23:00"));
  expect(rolled).toContain('the window "night" closed (apply');
  expect(rolled).toContain("a change by hand was undone (apply");
  expect(day.sandbox.settings()).toMatchObject({
    informationalBanner: QUIET,
    blockBetaApps: false,
  });
});

test("does not end a hold at the end of a window", async () => {
  const day = await openDay({ schedule: false });
  day.write(file());
  expect(await day.run("apply --yes", "18:30")).toMatchObject({ exit: 0 });
  expect(await day.run("rollback --yes --allow disable-notice", "19:00")).toMatchObject({
    exit: 0,
  });
  expect(day.banner()).toEqual(QUIET);
  await expectQuiet(day, day.run("apply --yes", "20:00"), 7);
  // Now the file wants what the hold keeps, and says all that it said.
  await expectQuiet(day, day.run("apply --yes", "22:30"));
  expect(day.state()?.hold).toBeDefined();
  day.write(file({ schedule: false }));
  await expectQuiet(day, day.run("apply --yes", "22:40"));
  expect(day.state()?.hold).toBeUndefined();
});

test("keeps a change by hand at the end of a window, unless the file restores drift", async () => {
  const day = await openDay();
  await day.due("18:00");
  const emergency = { text: "The power is out.", enabled: true };
  day.byHand({ informationalBanner: emergency });
  const stopped = await expectQuiet(day, day.due("22:00"), 7);
  expect(stopped).toContain("overwrite-drift");
  expect(stopped).toContain('is "The power is out." on the portal');
  expect(day.banner()).toEqual(emergency);
  day.write(file({ more: "drift: restore\n" }));
  expect(await day.due("22:05")).toMatchObject({ exit: 0 });
  expect(day.banner()).toEqual(QUIET);
});

test("restores drift only if both the file and --due say so", async () => {
  const day = await openDay();
  day.byHand({ blockBetaApps: true });
  expect(await expectQuiet(day, day.due("13:00"))).toContain(
    'Changes made by hand are left in place: "blockBetaApps".',
  );
  day.write(file({ more: "drift: restore\n" }));
  await expectQuiet(day, day.due("13:05", "schedule"));
  expect(await day.due("13:10", "drift")).toMatchObject({ exit: 0 });
  expect(day.sandbox.settings()).toMatchObject({ blockBetaApps: false });
  expect(day.last()).toMatchObject({
    changes: [{ cause: "drift" }],
    guards: [{ how: "drift: restore" }],
  });
});

test("saves and applies a plan with --due, and refuses it once it is stale", async () => {
  const day = await openDay();
  expect(await day.run("plan --due schedule --save due.json", "18:00")).toMatchObject({ exit: 0 });
  expect(await day.run("apply due.json", "18:05")).toMatchObject({ exit: 0 });
  expect(day.banner()).toEqual(NIGHT);
  expect(await day.run("apply due.json", "22:00")).toMatchObject({ exit: 5 });
});
