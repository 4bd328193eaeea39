// A year of a file with windows, boundary by boundary in simulated time: the portal shows at each what the file says.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json.js";
import { openPlace, type Place } from "./place.js";

/** A window as the file writes it, and the moments that it means, looked up in the tables of its zone by hand. */
interface Written {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly opens: string;
  readonly closes: string;
}

const w = (name: string, from: string, opens: string, until: string, closes: string): Written => ({
  name,
  from,
  until,
  opens: `2026-${opens}Z`,
  closes: `2026-${closes}Z`,
});

/** Around each change of the clocks, across one, at the two times that a local time comes twice, and one at the heels of another. */
const YEARS: Readonly<Record<string, readonly Written[]>> = {
  "Europe/Vienna": [
    w("winter", "2026-01-10T18:00", "01-10T17:00", "2026-01-10T22:00", "01-10T21:00"),
    w("heels", "2026-01-10T22:00", "01-10T21:00", "2026-01-11T06:00", "01-11T05:00"),
    w("forward", "2026-03-29T01:59", "03-29T00:59", "2026-03-29T03:00", "03-29T01:00"),
    w("summer", "2026-07-10T18:00", "07-10T16:00", "2026-07-10T22:00", "07-10T20:00"),
    w("first", "2026-10-25T02:30+02:00", "10-25T00:30", "2026-10-25T02:30+01:00", "10-25T01:30"),
    w("across", "2026-10-24T12:00", "10-24T10:00", "2026-10-25T00:30", "10-24T22:30"),
    w("advent", "2026-12-01T00:00", "11-30T23:00", "2026-12-24T00:00", "12-23T23:00"),
  ],
  "America/New_York": [
    w("winter", "2026-01-10T18:00", "01-10T23:00", "2026-01-10T22:00", "01-11T03:00"),
    w("forward", "2026-03-08T01:30", "03-08T06:30", "2026-03-08T03:30", "03-08T07:30"),
    w("summer", "2026-07-10T18:00", "07-10T22:00", "2026-07-10T22:00", "07-11T02:00"),
    w("back", "2026-10-31T12:00", "10-31T16:00", "2026-11-01T12:00", "11-01T17:00"),
    w("second", "2026-11-02T01:30", "11-02T06:30", "2026-11-02T02:30", "11-02T07:30"),
  ],
  // Where the clocks change by half an hour.
  "Australia/Lord_Howe": [
    w("summer", "2026-01-10T18:00", "01-10T07:00", "2026-01-10T22:00", "01-10T11:00"),
    w("back", "2026-04-05T01:00", "04-04T14:00", "2026-04-05T02:00", "04-04T15:30"),
    w("winter", "2026-07-10T18:00", "07-10T07:30", "2026-07-10T22:00", "07-10T11:30"),
    w("forward", "2026-10-04T01:59", "10-03T15:29", "2026-10-04T02:30", "10-03T15:30"),
    w("twice", "2026-04-05T12:00+10:30", "04-05T01:30", "2026-04-06T01:45", "04-05T15:15"),
  ],
  UTC: [
    w("winter", "2026-01-10T18:00", "01-10T18:00", "2026-01-10T22:00", "01-10T22:00"),
    w("offset", "2026-03-29T02:30+05:45", "03-28T20:45", "2026-03-29T02:30", "03-29T02:30"),
    w("newyear", "2026-12-31T12:00", "12-31T12:00", "2026-12-31T23:59:59", "12-31T23:59:59"),
  ],
};

const QUIET = { text: "", enabled: false, bgColor: "#b30000", fontColor: "white" };
/** Longer than a token by default lives, so that the guards are met too. */
const MINUTES = { before: 60, open: 90 };
const SECOND_MS = 1_000;

function fileOf(zone: string, windows: readonly Written[]): string {
  const entries = windows.map(
    ({ name, from, until }) => `  ${name}:
    from: ${from}
    until: ${until}
    settings:
      informationalBanner: { text: "${name}", enabled: true }
      portalConfigProperties: { tokenExpiration: ${MINUTES.open} }
`,
  );
  return `timeZone: ${zone}
settings:
  informationalBanner: { text: "", enabled: false, bgColor: "#b30000", fontColor: white }
  portalConfigProperties: { tokenExpiration: ${MINUTES.before} }
  blockBetaApps: true
schedule:
${entries.join("")}`;
}

function saidAt(windows: readonly Written[], ms: number): JsonObject {
  const open = windows.find(
    ({ opens, closes }) => Date.parse(opens) <= ms && ms < Date.parse(closes),
  );
  return {
    informationalBanner: open ? { ...QUIET, text: open.name, enabled: true } : QUIET,
    portalConfigProperties: { tokenExpiration: open ? MINUTES.open : MINUTES.before },
    blockBetaApps: true,
  };
}

async function applyAt(place: Place, startMs: number): Promise<void> {
  const { exit, stdout } = await place.run("apply --yes", { startMs });
  expect([new Date(startMs).toISOString(), exit, exit === 0 ? "" : stdout]).toEqual([
    new Date(startMs).toISOString(),
    0,
    "",
  ]);
}

describe("shows the file's values at each boundary of a year", () => {
  test.each(Object.keys(YEARS))("%s", async (zone) => {
    const windows = YEARS[zone] ?? [];
    const place = await openPlace();
    place.write(fileOf(zone, windows));
    await applyAt(place, Date.parse("2026-01-01T00:00:00Z"));
    const boundaries = new Set(
      windows.flatMap(({ opens, closes }) => [Date.parse(opens), Date.parse(closes)]),
    );
    for (const boundaryMs of [...boundaries].toSorted((one, other) => one - other)) {
      // A run takes less than the second before a boundary, so that it is over when the window opens.
      await applyAt(place, boundaryMs - SECOND_MS);
      expect(place.sandbox.settings()).toEqual(saidAt(windows, boundaryMs - SECOND_MS));
      await applyAt(place, boundaryMs);
      expect(place.sandbox.settings()).toEqual(saidAt(windows, boundaryMs));
    }
    // Each boundary was one update, and each of its changes is a window's.
    expect(place.updates()).toHaveLength(1 + boundaries.size);
    const [first, ...others] = place.state()?.history ?? [];
    expect(new Set(first?.changes.map(({ cause }) => cause))).toEqual(new Set(["file"]));
    for (const { changes } of others) {
      for (const { cause, window } of changes) {
        expect([cause, windows.some(({ name }) => name === window?.name)]).toEqual([
          "schedule",
          true,
        ]);
      }
    }
  });
});

test("catches up after missed runs, and skips a window that is over", async () => {
  const windows = YEARS["Europe/Vienna"] ?? [];
  const place = await openPlace();
  place.write(fileOf("Europe/Vienna", windows));
  await applyAt(place, Date.parse("2026-01-01T00:00:00Z"));
  await applyAt(place, Date.parse("2026-06-01T00:00:00Z"));
  expect(place.updates()).toHaveLength(1);
  await applyAt(place, Date.parse("2026-12-20T00:00:00Z"));
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: { text: "advent" } });
  await applyAt(place, Date.parse("2027-01-20T00:00:00Z"));
  expect(place.sandbox.settings()).toMatchObject({ informationalBanner: QUIET });
});
