// A history's chain: whatever is changed, swapped, dropped or put in shows; what is dropped on purpose does not.
import { expect, test } from "vitest";
import {
  append,
  ENTRIES_WITH_VALUES,
  findBreak,
  MOST_ENTRIES,
  newestDigest,
} from "../../src/state/chain.js";
import { parseState, printState } from "../../src/state/format.js";
import type { Entry } from "../../src/state/state.js";
import { settle } from "../../src/state/steps.js";
import { fc } from "../support/property.js";
import { anyEntries, anyState } from "./any-state.js";
import { PORTAL, SETTLEMENT, stateAfter } from "./samples.js";

const { history } = stateAfter(4);

function changed(at: number, change: Partial<Entry>): readonly Entry[] {
  return history.map((entry, index) => (index === at ? { ...entry, ...change } : entry));
}

test("a chain holds whatever the entries are, after it was printed and read too", () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const place = { place: "x.json", portal: PORTAL };
      expect(findBreak(state)).toBeUndefined();
      const read = parseState(printState(state), place);
      expect(findBreak(read)).toBeUndefined();
      expect(newestDigest(read)).toBe(newestDigest(state));
    }),
    { numRuns: 150 },
  );
});

test("values that are dropped leave the chain as it is", () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const chain = append({ history: [] }, ...entries);
      const bare = { history: chain.history.map(({ live: _dropped, ...entry }) => entry) };
      expect(findBreak(bare)).toBeUndefined();
      expect(newestDigest(bare)).toBe(newestDigest(chain));
    }),
    { numRuns: 150 },
  );
});

test("any entry but the newest that is changed, dropped, doubled or swapped shows, and the newest in its digest", () => {
  const pairs = fc.array(fc.oneof(anyEntries), { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(
      pairs,
      fc.nat(),
      fc.constantFrom("change", "drop", "double", "swap"),
      (lists, pick, how) => {
        const chain = append({ history: [] }, ...lists.flat());
        const { length } = chain.history;
        fc.pre(length >= 2);
        const at = pick % (length - 1);
        const before = chain.history.slice(0, at);
        const [one, other, ...after] = chain.history.slice(at) as [Entry, Entry, ...Entry[]];
        const forged = {
          change: [...before, { ...one, serial: one.serial + 1 }, other, ...after],
          drop: [...before, other, ...after],
          double: [...before, one, one, other, ...after],
          swap: [...before, other, one, ...after],
        }[how];
        expect(findBreak({ history: forged })).toBeDefined();
        const last = chain.history.at(-1) as Entry;
        const newest = [...chain.history.slice(0, -1), { ...last, serial: last.serial + 1 }];
        expect(newestDigest({ history: newest })).not.toBe(newestDigest(chain));
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  ["an author", changed(1, { by: { actor: "eve", host: "build-7" } }), 3],
  ["a change", changed(2, { changes: [] }), 4],
  ["the digest of values that are gone", changed(0, { values: {} }), 1],
  ["values", changed(2, { live: { before: { blockBetaApps: false } } }), 3],
  ["the link", changed(2, { previous: "0".repeat(64) }), 3],
  ["a beginning put before", [history[3] as Entry, ...history], 4],
  ["the beginning taken away", history.slice(1), 2],
])("%s that was forged is told with its serial", (_, forged, serial) => {
  expect(findBreak({ history: forged })?.serial).toBe(serial);
});

test("an older beginning is remembered by the digest of the last entry that was dropped", () => {
  const state = stateAfter(MOST_ENTRIES);
  expect(state.earlier).toBeUndefined();
  const dropped = newestDigest({ history: state.history.slice(0, 2) });
  const more = settle(settle(state, SETTLEMENT), SETTLEMENT);
  expect(more.history).toHaveLength(MOST_ENTRIES);
  expect(more.history[0]?.serial).toBe(3);
  expect(more.earlier).toEqual({ entries: 2, digest: dropped });
  expect(findBreak(more)).toBeUndefined();
  expect(findBreak({ ...more, earlier: { entries: 2, digest: "0".repeat(64) } })?.serial).toBe(3);
  expect(more.history.filter(({ live }) => live)).toHaveLength(ENTRIES_WITH_VALUES);
  expect(more.history.every(({ values }) => values?.after)).toBe(true);
});

test("where there never was an entry there is no digest", () => {
  expect(newestDigest(stateAfter(0))).toBeUndefined();
  expect(newestDigest(stateAfter(1))).toMatch(/^[0-9a-f]{64}$/);
});
