// Runs that are killed at every step: the next one ends as if nothing had happened.
import { expect, test } from "vitest";
import { killRuns } from "./kill.js";
import { STORIES } from "./stories.js";

const KILLS = 210;

test(
  "a run that is killed anywhere leaves nothing that the next one does not put right",
  { timeout: 600_000 },
  async () => {
    const { kills, stories, plans } = await killRuns({ most: KILLS });
    // A run may come through, because what it does side by side comes in one order or the other.
    expect(kills).toBeGreaterThanOrEqual(200);
    expect(Object.keys(stories)).toHaveLength(STORIES.length);
    expect(Object.keys(plans).toSorted()).toEqual(["changes", "no changes", "outcome unknown"]);
  },
);
