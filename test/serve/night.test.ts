// A night in simulated time: 200 portals in three time zones, windows, drift, an outage and a rollback.
import { expect, test } from "vitest";
import { EVENTS } from "../../src/serve/config/schema.js";
import { openHook, writeConfig } from "./hooks.js";
import { openNight, storyOf, type LogLine } from "./night.js";

const PORTALS = 200;
const at = (time: string) => Date.parse(`2026-12-05T${time}:00Z`);

/** From 18:00 to 20:00 there; the moments in UTC. */
const ZONES = [
  { name: "Europe/Vienna", open: "17:00", over: "19:00" },
  { name: "Atlantic/Azores", open: "19:00", over: "21:00" },
  { name: "Asia/Kolkata", open: "12:30", over: "14:30" },
] as const;

const zoneOf = (portal: number) => ZONES[portal % 3] as (typeof ZONES)[number];

function file(portal: number): string {
  return `drift: ${portal <= 105 ? "restore" : "stop"}
timeZone: ${zoneOf(portal).name}
settings: { informationalBanner: { text: Welcome, enabled: true }, blockBetaApps: false }
schedule:
  night:
    from: 2026-12-05T18:00
    until: 2026-12-05T20:00
    settings: { informationalBanner: { text: Night, enabled: true } }
`;
}

const events = (told: readonly LogLine[], name: string) =>
  storyOf(told.filter(({ portal }) => portal?.name === name));

test("reports windows of 200 portals to the minute, and each event once", async () => {
  const night = await openNight(at("12:00"), { portals: PORTALS });
  const { sandbox } = night;
  const hook = await openHook(night);
  writeConfig(night, `notify: [{ name: operators, url: "${hook.url}" }]\n`);
  const numbers = Array.from({ length: PORTALS }, (_, index) => index + 1);
  const write = (portal: number, text = file(portal)) =>
    night.write(`portals/portal-${portal}.yaml`, `portal-${portal}`, text);
  for (const each of numbers) write(each);
  expect(await night.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  // Vienna's portal 51 is rolled back, and its file goes on wanting what was undone.
  write(51, file(51).replace("Apps: false", "Apps: true"));
  expect(await night.run("apply portals/portal-51.yaml --yes -q")).toMatchObject({ exit: 0 });
  expect(await night.run("rollback portals/portal-51.yaml --yes -q")).toMatchObject({ exit: 0 });

  const hands = [101, 102, 103, 104, 105, 106, 107, 108, 109, 110];
  const down = [150, 153];
  const match = ({ path }: { readonly path: string }) =>
    down.some((each) => path.includes(`portal-${each}/`));
  const told = await night.serve(
    ["portals", "--apply", "schedule,drift", "--every", "1h", "--data", "data"],
    at("21:30"),
    [
      [
        at("15:00"),
        () => {
          for (const each of hands) {
            const id = `portal-${each}`;
            sandbox.change(id, { ...sandbox.settings(id), blockBetaApps: true });
          }
        },
      ],
      [
        at("16:40"),
        () => void sandbox.faults.push({ kind: "drop-before", match, isLasting: true }),
      ],
      [at("17:40"), () => void sandbox.faults.pop()],
    ],
  );

  expect(told[0]).toMatchObject({
    event: "started",
    portals: PORTALS,
    apply: ["schedule", "drift"],
  });
  const special = [51, ...hands, ...down];
  for (const each of numbers.filter((number) => !special.includes(number))) {
    const name = `portal-${each}`;
    const { open, over } = zoneOf(each);
    expect([name, ...events(told, name)]).toEqual([
      name,
      `${open} ${name} window`,
      `${over} ${name} window`,
    ]);
  }
  for (const each of hands) {
    const name = `portal-${each}`;
    const own = told.filter(({ portal }) => portal?.name === name);
    const isRestored = each <= 105;
    // The last five are told of once, and left as they are.
    expect(own.filter(({ event }) => event !== "window").map(({ event }) => event)).toEqual(
      isRestored ? ["drift", "applied"] : ["drift"],
    );
    expect(own.filter(({ event }) => event === "window")).toHaveLength(2);
    expect(sandbox.settings(name)["blockBetaApps"]).toBe(!isRestored);
    const [noticed = NaN] = own
      .filter(({ event }) => event === "drift")
      .map(({ time }) => Date.parse(time));
    expect(noticed).toBeGreaterThanOrEqual(at("15:00"));
    expect(noticed).toBeLessThanOrEqual(at("16:00"));
  }
  for (const each of down) {
    const own = told.filter(({ portal }) => portal?.name === `portal-${each}`);
    expect(own.map(({ event }) => event)).toEqual([
      "failed",
      "window",
      "recovered",
      "applied",
      "notice",
      "window",
    ]);
    const [, opened, back, , late] = own;
    expect(opened).toMatchObject({ is: "open", changes: [] });
    // An hour, as often as each is looked at, is the longest that nobody looks at one that was down, and a quarter of that by which they differ.
    expect(Date.parse(back?.time ?? "") - at("17:40")).toBeLessThanOrEqual(75 * 60_000);
    expect(late?.message).toMatch(/The window "night" opened \d+ minutes late/);
  }
  expect(events(told, "portal-51")).toEqual([
    expect.stringMatching(/^12:0\d portal-51 blocked$/),
    "17:00 portal-51 window",
    "19:00 portal-51 window",
    "19:00 portal-51 notice",
  ]);
  // The webhook's log tells that story, each thing once and within a minute or so, and nothing else.
  const heard = hook.heard();
  const meant = told.filter(({ event }) => (EVENTS as readonly string[]).includes(event));
  expect(heard.map(({ id }) => id)).toEqual(meant.map(({ id }) => id));
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
  expect(storyOf(heard)).toEqual(storyOf(meant));
  const late = heard.map(({ time, atMs }) => atMs - Date.parse(time));
  expect(Math.max(...late)).toBeLessThanOrEqual(62_000);
  const banners = numbers.map((each) => sandbox.settings(`portal-${each}`)["informationalBanner"]);
  expect(banners).toEqual(numbers.map(() => ({ text: "Welcome", enabled: true })));
});

test("reports and writes nothing in a night in which nothing happens", async () => {
  const night = await openNight(at("12:00"), { portals: 3 });
  for (const each of [1, 2, 3]) night.write(`portals/${each}.yaml`, `portal-${each}`, file(each));
  expect(await night.run("apply portals --yes -q")).toMatchObject({ exit: 0 });
  const before = night.states();
  const told = await night.serve(["portals", "--apply", "schedule,drift,files"], at("12:29"));
  expect(told.map(({ event }) => event)).toEqual(["started"]);
  expect(night.states()).toEqual(before);
});
