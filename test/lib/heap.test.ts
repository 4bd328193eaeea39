// The heap against a sorted list, over many random operations.
import { expect, test } from "vitest";
import { openHeap } from "../../src/lib/heap.js";
import { createRandom } from "../../src/sandbox/faults.js";

test("an empty heap has no first item", () => {
  const heap = openHeap<string>();
  expect(heap.first()).toBeUndefined();
  heap.delete("a");
  expect(heap.first()).toBeUndefined();
});

test.each([1, 2, 3])("items come in the order of their priorities (seed %i)", (seed) => {
  const random = createRandom(seed);
  const heap = openHeap<number>();
  const expected = new Map<number, number>();
  for (let step = 0; step < 2_000; step++) {
    const item = Math.floor(random() * 100);
    if (random() < 0.3) {
      heap.delete(item);
      expected.delete(item);
    } else {
      const priority = random();
      heap.set(item, priority);
      expected.set(item, priority);
    }
    expect(heap.first()?.priority).toBe(
      expected.size === 0 ? undefined : Math.min(...expected.values()),
    );
  }
  const left = [...expected].toSorted(([, one], [, other]) => one - other).map(([item]) => item);
  for (const item of left) {
    expect(heap.first()?.item).toBe(item);
    heap.delete(item);
  }
  expect(heap.first()).toBeUndefined();
});
