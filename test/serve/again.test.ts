// `serve` restarted with the same --data: reports no event again, and none too few.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openNight, storyOf, type LogLine } from "./night.js";

const START = Date.parse("2026-06-15T12:00:00Z");
const after = (minutes: number) => START + minutes * 60_000;
const WELCOME = "settings: { informationalBanner: { text: Welcome, enabled: true } }\n";
const HELLO = WELCOME.replace("Welcome", "Hello");
const WINDOW = `${WELCOME}schedule:
  night: { from: "2026-06-15T12:30", until: "2026-06-15T13:00", settings: { informationalBanner: { text: Night } } }
`;

async function openDay(portals: number, text = WELCOME) {
  const night = await openNight(START, { portals });
  const write = (number: number, rest: string) =>
    night.write(`portals/${number}.yaml`, `portal-${number}`, rest);
  for (let number = 1; number <= portals; number++) write(number, text);
  expect(await night.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  const byHand = (number: number, text: string) =>
    night.sandbox.change(`portal-${number}`, { informationalBanner: { text, enabled: true } });
  const serve = (
    until: number,
    happenings?: Parameters<typeof night.serve>[2],
    apply = "schedule,files",
  ) => night.serve(["portals", "--data", "data", "--apply", apply], after(until), happenings);
  return { ...night, write, byHand, serve };
}

const story = (told: readonly LogLine[]) => storyOf(told).slice(1).toSorted();

test("a restart does not repeat an event, and reports when its cause is over", async () => {
  const day = await openDay(3);
  day.byHand(1, "Mine");
  day.write(2, "settings: [\n");
  expect(story(await day.serve(20))).toEqual(["12:00 1 drift", "12:00 portals/2.yaml failed"]);
  expect(story(await day.serve(40))).toEqual([]);
  day.byHand(1, "Welcome");
  day.write(2, WELCOME);
  expect(story(await day.serve(60))).toEqual(["12:40 1 drift", "12:40 2 recovered"]);
  expect(story(await day.serve(80))).toEqual([]);
});

test("a restart names what it resumes with", async () => {
  const day = await openDay(3);
  day.byHand(1, "Mine");
  expect((await day.serve(20))[0]?.message).not.toContain("Resumed");
  const [started] = await day.serve(40);
  expect(started?.message).toContain("Resumed with 1 drifted and 2 in sync.");
});

test("a guard that still blocks is not over after a restart with fewer --apply", async () => {
  const day = await openDay(1);
  day.byHand(1, "Mine");
  day.write(1, HELLO);
  expect(story(await day.serve(20))).toEqual(["12:00 1 blocked", "12:00 1 drift"]);
  expect(story(await day.serve(40, [], "schedule"))).toEqual(["12:20 1 pending"]);
  day.byHand(1, "Welcome");
  expect(story(await day.serve(60, [], "schedule"))).toEqual([
    "12:40 1 drift",
    "12:40 1 pending",
    "12:40 1 recovered",
  ]);
});

test("the same drift later is another event, and no two events share an ID", async () => {
  const day = await openDay(2);
  const told: LogLine[] = [];
  for (const [at, text] of ["Mine", "Welcome", "Mine", "Welcome"].entries()) {
    day.byHand(1, text);
    day.byHand(2, text);
    told.push(...(await day.serve(at * 20 + 20)).filter(({ event }) => event === "drift"));
  }
  expect(told).toHaveLength(8);
  expect(new Set(told.map(({ id }) => id)).size).toBe(8);
});

test("reports each change of lintel.yaml once, and that it needs a restart", async () => {
  const day = await openDay(1);
  const write = (minutes: number, text: string): [number, () => void] => [
    after(minutes),
    () => writeFileSync(join(day.folder, "lintel.yaml"), text),
  ];
  write(0, "every: 10m\n")[1]();
  const told = await day.serve(60, [
    write(10, "every: 10m\n"),
    write(20, "every: 1h\n"),
    write(30, "every: 2h\n"),
    write(40, "every: 10m\n"),
  ]);
  expect(story(told)).toEqual(["12:20 files", "12:30 files"]);
  expect(told.at(-1)?.message).toBe(
    '"lintel.yaml" changed. The change takes effect after a restart.',
  );
});

test("reports applies of others with their author, also those made while it did not run", async () => {
  const day = await openDay(2);
  const apply = async (number: number) => {
    day.write(number, HELLO);
    expect(await day.run(`apply portals/${number}.yaml --yes -q`)).toMatchObject({ exit: 0 });
  };
  const told = await day.serve(20, [[after(5), () => apply(1)]]);
  expect(story(told)).toEqual(["12:05 1 applied"]);
  expect(told.at(-1)).toMatchObject({
    message: expect.stringMatching(
      /^.+ as api-user applied "informationalBanner.text" from the file\.$/,
    ) as string,
    by: { actor: expect.any(String) as string },
    changes: [{ path: "informationalBanner.text", after: "Hello" }],
  });
  await apply(2);
  expect(story(await day.serve(40))).toEqual(["12:20 2 applied"]);
  expect(story(await day.serve(60))).toEqual([]);
});

test("an event is reported only once it is stored", async () => {
  const day = await openDay(1);
  const move = (from: string, to: string) =>
    renameSync(join(day.folder, "data", from), join(day.folder, "data", to));
  const told = await day.serve(60, [
    [
      after(5),
      () => {
        move("events", "away");
        day.byHand(1, "Mine");
      },
    ],
    [after(40), () => move("away", "events")],
  ]);
  const [, failed, recovered, drift, ...more] = told;
  expect(more).toEqual([]);
  expect(failed?.message).toMatch(/^Cannot write events; delivery is delayed: /);
  expect(Date.parse(failed?.time ?? "")).toBeLessThanOrEqual(after(20));
  expect(recovered?.message).toBe("Events can be written again.");
  expect(drift).toMatchObject({ event: "drift", portal: { name: "1" } });
  expect(Date.parse(drift?.time ?? "")).toBeGreaterThanOrEqual(after(40));
  expect(story(await day.serve(80))).toEqual([]);
});

test("reports windows that opened and closed while it did not run", async () => {
  const day = await openDay(1, WINDOW);
  expect(story(await day.serve(20))).toEqual([]);
  day.clock.nowMs = after(45);
  const told = await day.serve(46);
  expect(story(told)).toEqual(["12:45 1 window"]);
  expect(told).toContainEqual(
    expect.objectContaining({ event: "window", is: "open", changes: [expect.anything()] }),
  );
  day.clock.nowMs = after(100);
  expect(story(await day.serve(101))).toEqual(["13:40 1 window"]);
});

test("a window that comes again opens and closes on time, week after week", async () => {
  const rule = '{ weekday: monday, from: "12:30", until: "13:00" }';
  const day = await openDay(
    1,
    WINDOW.replace('from: "2026-06-15T12:30", until: "2026-06-15T13:00"', `every: ${rule}`),
  );
  for (const week of [0, 1, 60]) {
    const begun = week * 7 * 24 * 60;
    day.clock.nowMs = after(begun + 5);
    const told = await day.serve(begun + 70);
    // After a year without a run, the last one that was missed is told, too.
    const missed = ["12:05 1 notice", "12:05 1 window", "12:05 1 window"];
    expect(story(told)).toEqual([
      ...(week === 60 ? missed : []),
      "12:30 1 window",
      "13:00 1 window",
    ]);
  }
});

test("forgets a portal whose file is deleted", async () => {
  const day = await openDay(2);
  day.byHand(1, "Mine");
  expect(story(await day.serve(20))).toEqual(["12:00 1 drift"]);
  rmSync(join(day.folder, "portals/1.yaml"));
  expect(story(await day.serve(40))).toEqual([]);
  day.write(1, WELCOME);
  expect(story(await day.serve(60))).toEqual(["12:40 1 drift"]);
});

test("applies nothing where the portal does not show an administrator's view", async () => {
  const day = await openDay(1);
  day.write(1, HELLO);
  day.sandbox.faults.push({
    kind: "json",
    match: /\/portals\/(?:self|portal-1)\?/,
    isLasting: true,
    json: { id: "portal-1", user: { username: "gis-bot", role: "org_publisher" } },
  });
  const told = await day.serve(20);
  expect(story(told)).toEqual(["12:00 1 blocked"]);
  expect(told.at(-1)?.message).toMatch(/"unread-portal".*"gis-bot" has the role "org_publisher"/);
  expect(day.sandbox.settings("portal-1")).toMatchObject({
    informationalBanner: { text: "Welcome" },
  });
  day.sandbox.faults.pop();
  expect(story(await day.serve(40)).toSorted()).toContain("12:20 1 recovered");
  expect(day.sandbox.settings("portal-1")).toMatchObject({
    informationalBanner: { text: "Hello" },
  });
});

test("does not call a portal in sync that hides managed settings", async () => {
  const day = await openDay(1);
  const hidden = { isLasting: true, json: { id: "portal-1", user: null } } as const;
  day.sandbox.faults.push(
    { kind: "json", match: /\/portals\/(?:self|portal-1)\?/, ...hidden },
    { kind: "json", match: "/settings?", isLasting: true, json: {} },
  );
  const told = await day.serve(20);
  expect(story(told)).toEqual(["12:00 1 failed"]);
  expect(told.at(-1)?.message).toMatch(/does not say who is signed in.*informationalBanner/);
});

test.each([
  ["where nothing may be applied", "schedule"],
  ["where files may be applied", "schedule,files"],
])("reports a rollback that did not arrive as not settled, %s", async (_, apply) => {
  const day = await openDay(1);
  day.write(1, HELLO);
  expect(await day.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  day.sandbox.faults.push({ kind: "drop-before", match: /\/update$/ });
  expect(await day.run("rollback portals --yes")).toMatchObject({ exit: 8 });

  const told = await day.serve(20, [], apply);
  expect(story(told)).toEqual(["12:00 1 blocked"]);
  expect(told.at(-1)?.message).toMatch(/^The rollback that .* began at .* is not settled/);
  expect(told.map(({ message }) => message).join()).not.toMatch(/rolled (it )?back/);

  expect(await day.run("rollback portals --yes")).toMatchObject({ exit: 0 });
  const after = await day.serve(40, [], apply);
  expect(after.map(({ message }) => message).join()).toContain("rolled back");
});
