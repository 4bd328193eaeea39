// The limits of a history: 1,000 entries, and the live values of 50.
import { expect, test } from "vitest";
import { ENTRIES_WITH_VALUES, MOST_ENTRIES } from "../../src/state/history.js";
import { settle } from "../../src/state/steps.js";
import { SETTLEMENT, stateAfter } from "./samples.js";

test("keeps all entries up to the limit", () => {
  const state = stateAfter(MOST_ENTRIES);
  expect(state.history).toHaveLength(MOST_ENTRIES);
  expect(state).not.toHaveProperty("earlier");
});

test("drops the oldest entries beyond the limit, and counts them", () => {
  const state = stateAfter(MOST_ENTRIES);
  const one = settle(state, SETTLEMENT);
  expect(one.earlier).toEqual({ entries: 1 });
  const two = settle(one, SETTLEMENT);
  expect(two.earlier).toEqual({ entries: 2 });
  expect(two.history).toHaveLength(MOST_ENTRIES);
  expect(two.history[0]?.number).toBe(3);
  expect(two.history.filter(({ live }) => live)).toHaveLength(ENTRIES_WITH_VALUES);
});
