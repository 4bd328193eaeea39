// The list against a map that is sorted anew each time, over many random operations.
import { expect, test } from "vitest";
import { PriorityList } from "../../src/lib/priority-list.js";
import { createRandom } from "../../src/sandbox/faults.js";

test("an empty list has no first item", () => {
  const list = new PriorityList<string>();
  expect(list.first()).toBeUndefined();
  list.delete("a");
  expect(list.first()).toBeUndefined();
});

test("items of one priority come in the order in which they were added", () => {
  const list = new PriorityList<string>();
  for (const item of ["a", "b", "c", "a"]) list.set(item, 1);
  expect(["b", "c", "a"].map((item) => [list.first()?.item, list.delete(item)])).toEqual([
    ["b", undefined],
    ["c", undefined],
    ["a", undefined],
  ]);
});

test.each([1, 2, 3])("items come in the order of their priorities (seed %i)", (seed) => {
  const random = createRandom(seed);
  const list = new PriorityList<number>();
  const expected = new Map<number, number>();
  for (let step = 0; step < 2_000; step++) {
    const item = Math.floor(random() * 100);
    if (random() < 0.3) {
      list.delete(item);
      expected.delete(item);
    } else {
      const priority = random();
      list.set(item, priority);
      expected.set(item, priority);
    }
    expect(list.first()?.priority).toBe(
      expected.size === 0 ? undefined : Math.min(...expected.values()),
    );
  }
  const left = [...expected].toSorted(([, one], [, other]) => one - other).map(([item]) => item);
  for (const item of left) {
    expect(list.first()?.item).toBe(item);
    list.delete(item);
  }
  expect(list.first()).toBeUndefined();
});
