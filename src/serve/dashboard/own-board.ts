// The board of a single serve: a portal that several files configure is listed once for each.
import type { Fleet } from "../fleet.js";
import type { Seen } from "../known.js";
import type { Board } from "./board.js";

/** The caller calls `changed` whenever something may have changed. */
export function openOwnBoard(fleet: Pick<Fleet, "portals">) {
  const listeners = new Set<() => void>();
  const twins = new WeakMap<Seen, Seen>();

  function byFile(seen: Seen): Seen {
    const twin = twins.get(seen) ?? { ...seen, key: `${seen.key} ${seen.file}` };
    twins.set(seen, twin);
    return twin;
  }

  const board: Board = {
    portals() {
      const keys = new Set<string>();
      return [...fleet.portals.values()].map(({ known: { seen } }) => {
        const isTwin = keys.has(seen.key);
        keys.add(seen.key);
        return isTwin ? byFile(seen) : seen;
      });
    },
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return { board, changed };
}
