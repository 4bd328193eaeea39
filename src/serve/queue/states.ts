// The states of a run → only those that every machine of a queue can reach, and whose locks end with their holder.
import { Failure } from "../../failure.js";
import { DEFAULT_STATE, stateKindOf, type StateKind } from "../../state-address/kinds.js";
import type { StoreOptions, Stores } from "../../state/open.js";

/** Why not: where it is kept. */
const REFUSED: Partial<Readonly<Record<StateKind, string>>> = {
  file: "in a folder of one machine, where the next worker does not find it",
  git: "on a branch, and a worker has no checkout",
  http: "behind HTTP, where the lock of a worker that was killed would stay for ever",
};

/** `queue` is its address, where states may stand as well. */
export function reachableStores(stores: Stores, queue: string): Stores {
  return {
    ...stores,
    open(options) {
      const why = REFUSED[stateKindOf(options.address) ?? "postgres"];
      if (why !== undefined) throw refused(options, why, queue);
      return stores.open(options);
    },
  };
}

function refused(
  { address, written }: Pick<StoreOptions, "address" | "written">,
  why: string,
  queue: string,
): Failure {
  const also = address === DEFAULT_STATE ? ", which a file that names none means as well," : "";
  return new Failure(
    "bad-state-address",
    `"${written ?? address}"${also} is kept ${why}.`,
    `Keep it where all machines reach it, such as in the queue's own database. To move it there:\n  lintel state move FILE ${queue}`,
  );
}
