// Runs that are killed at every step: the next one ends as if nothing had happened.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openKeepings } from "./keepings.js";
import { killRuns } from "./kill.js";
import { STORIES } from "./stories.js";

/** Spread over the steps of all stories; the slow tests try a thousand of each kind. */
const KILLS = 30;
/** At each other place; the slow tests try a hundred. */
const KILLS_ELSEWHERE = 6;

test("a run killed anywhere is corrected by the next one", async () => {
  const { kills, stories, plans } = await killRuns({ most: KILLS });
  // A run may come through, because what it does side by side comes in one order or the other.
  expect(kills).toBeGreaterThanOrEqual(20);
  expect(Object.keys(stories)).toHaveLength(STORIES.length);
  expect(Object.keys(plans)).toEqual(expect.arrayContaining(["changes", "outcome unknown"]));
});

test("also with states in other places", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lintel-kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const { all, close } = await openKeepings(folder);
  onTestFinished(close);
  for (const keeping of all) {
    const { kills } = await killRuns({ most: KILLS_ELSEWHERE, atRandom: 2, keeping });
    // Those at any moment may come when all is done.
    expect([keeping.name, kills]).toEqual([
      keeping.name,
      expect.toSatisfy((count: number) => count >= 3),
    ]);
  }
});
