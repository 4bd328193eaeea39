// Keeps items in the order of their priorities; each can be moved or removed.

/** The item with the lowest priority comes first; each operation costs the logarithm of their number. */
export interface Heap<T> {
  set(item: T, priority: number): void;
  delete(item: T): void;
  clear(): void;
  /** The first item with its priority; undefined where there is none. */
  first(): { readonly item: T; readonly priority: number } | undefined;
}

export function openHeap<T>(): Heap<T> {
  const entries: { readonly item: T; readonly priority: number }[] = [];
  const positions = new Map<T, number>();

  const priorityAt = (at: number) => entries[at]?.priority ?? Infinity;

  function swap(one: number, other: number): void {
    const [first, second] = [entries[one], entries[other]];
    if (!first || !second) return;
    [entries[one], entries[other]] = [second, first];
    positions.set(second.item, one).set(first.item, other);
  }

  /** Up or down, until its parent is lower and its children are higher. */
  function settle(start: number): void {
    let at = start;
    for (let parent = (at - 1) >> 1; at > 0 && priorityAt(at) < priorityAt(parent);) {
      swap(at, parent);
      at = parent;
      parent = (at - 1) >> 1;
    }
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = priorityAt(right) < priorityAt(left) ? right : left;
      if (priorityAt(child) >= priorityAt(at)) return;
      swap(at, child);
      at = child;
    }
  }

  function remove(item: T): void {
    const at = positions.get(item);
    if (at === undefined) return;
    swap(at, entries.length - 1);
    entries.pop();
    positions.delete(item);
    if (at < entries.length) settle(at);
  }

  return {
    set(item, priority) {
      remove(item);
      positions.set(item, entries.length);
      entries.push({ item, priority });
      settle(entries.length - 1);
    },
    delete: remove,
    clear() {
      entries.length = 0;
      positions.clear();
    },
    first: () => entries[0],
  };
}
