// Keeps items in the order of their priorities; each can be moved or removed.

/** A sorted array. Moving an item costs microseconds, also among 10,000. */
export class PriorityList<T> {
  readonly #entries: { readonly item: T; readonly priority: number }[] = [];
  readonly #priorities = new Map<T, number>();

  /** Items of one priority stay in the order in which they came. */
  set(item: T, priority: number): void {
    this.delete(item);
    this.#priorities.set(item, priority);
    const at = this.#countWhile((each) => each <= priority);
    this.#entries.splice(at, 0, { item, priority });
  }

  delete(item: T): void {
    const priority = this.#priorities.get(item);
    if (priority === undefined) return;
    this.#priorities.delete(item);
    let at = this.#countWhile((each) => each < priority);
    while (this.#entries[at]?.item !== item) at++;
    this.#entries.splice(at, 1);
  }

  /** The item with the lowest priority; undefined where there is none. */
  first(): { readonly item: T; readonly priority: number } | undefined {
    return this.#entries[0];
  }

  /** How many entries from the first one fit, by halving. */
  #countWhile(fits: (priority: number) => boolean): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(this.#entries[middle]?.priority ?? Infinity)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
