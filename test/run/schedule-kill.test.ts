// Runs that are killed at the boundary of a window: the next one ends as if nothing had happened, be it in the window or after it.
import { expect, test } from "vitest";
import { kill } from "./lane.js";
import { openPlace, type Place } from "./place.js";

/** Open as long as these tests may be run. */
const WINDOW = `settings:
  informationalBanner: { text: "", enabled: false, bgColor: "#b30000", fontColor: white }
  portalConfigProperties: { tokenExpiration: 60 }
schedule:
  maintenance:
    from: 2026-01-01T00:00Z
    until: 2900-01-01T00:00Z
    settings:
      informationalBanner: { text: "Read-only.", enabled: true }
      portalConfigProperties: { tokenExpiration: 90 }
`;
const BEFORE_MS = Date.parse("2025-06-01T00:00:00Z");
const AFTER_MS = Date.parse("2900-01-15T00:00:00Z");

async function openBefore(): Promise<Place> {
  const place = await openPlace();
  place.write(WINDOW);
  expect(await place.run("apply --yes", { startMs: BEFORE_MS })).toMatchObject({ exit: 0 });
  return place;
}

const OPEN = {
  informationalBanner: { text: "Read-only.", enabled: true },
  portalConfigProperties: { tokenExpiration: 90 },
};
const CLOSED = {
  informationalBanner: { text: "", enabled: false },
  portalConfigProperties: { tokenExpiration: 60 },
};

const WORDS = ["apply --yes", "apply --yes --due schedule"];

test.each(WORDS)("killed anywhere at its opening: %s", async (words) => {
  const whole = await openBefore();
  const { begun } = await kill(whole, words, { at: 0, when: "never" });
  expect(whole.sandbox.settings()).toMatchObject(OPEN);
  // From the journal on, and a few of what comes before it.
  const from = begun.indexOf("link");
  const places = begun.flatMap((_, at) => (at + 1 >= from || at % 8 === 0 ? [at + 1] : []));
  expect(places.length).toBeGreaterThan(8);
  const ends = new Set<string>();
  for (const [number, at] of places.entries()) {
    const place = await openBefore();
    const when = number % 2 === 0 ? "before" : "after";
    await kill(place, words, { at, when });
    const isAfter = number % 4 > 1;
    const startMs = isAfter ? AFTER_MS : Date.now() + 3_600_000;
    const { exit, stdout } = await place.run(words, { startMs });
    expect([at, when, exit, exit === 0 ? "" : stdout]).toEqual([at, when, 0, ""]);
    expect(place.sandbox.settings()).toMatchObject(isAfter ? CLOSED : OPEN);
    const { stdout: plan } = await place.run("plan", { startMs });
    expect(plan).toMatch(/^No changes\./m);
    const causes = place
      .state()
      ?.history.flatMap(({ changes }) => changes.map(({ cause }) => cause));
    ends.add(String(causes?.includes("drift")));
  }
  // What a killed run has sent is nobody's change by hand.
  expect(ends).toEqual(new Set(["false"]));
});
