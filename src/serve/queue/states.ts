// Refuses states in a folder of one machine: the next worker would not find them.
import { Failure } from "../../failure.js";
import { DEFAULT_STATE, stateKindOf } from "../../state-address/kinds.js";
import type { Stores } from "../../state/open.js";

/** `queue` is its address, where states may stand as well. */
export function reachableStores(stores: Stores, queue: string): Stores {
  return {
    ...stores,
    open(options) {
      const { address, written } = options;
      if (stateKindOf(address) !== "file") return stores.open(options);
      const isDefault = address === DEFAULT_STATE ? " (the default)" : "";
      throw new Failure(
        "bad-state-address",
        `"${written ?? address}"${isDefault} keeps the state in a folder of one machine, where the next worker does not find it.`,
        `Keep it where all workers reach it, such as in the queue's database or on a branch. To move it:\n  lintel state move FILE ${queue}`,
      );
    },
  };
}
