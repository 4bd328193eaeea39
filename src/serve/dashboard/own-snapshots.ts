// Supplies the dashboard of a single `serve`. A portal with several files is listed once for each.
import type { MonitoredPortals } from "../monitored-portals.js";
import type { Snapshot } from "../snapshot.js";
import { openListeners, type SnapshotSource } from "./source.js";

/** The caller calls `changed` whenever something may have changed. */
export function openOwnSnapshots(monitored: Pick<MonitoredPortals, "all">) {
  const listeners = openListeners();
  const twins = new WeakMap<Snapshot, Snapshot>();

  function byFile(seen: Snapshot): Snapshot {
    const twin = twins.get(seen) ?? { ...seen, key: `${seen.key} ${seen.file}` };
    twins.set(seen, twin);
    return twin;
  }

  const snapshots: SnapshotSource = {
    portals() {
      const keys = new Set<string>();
      return [...monitored.all.values()].map(({ record: { snapshot } }) => {
        const isTwin = keys.has(snapshot.key);
        keys.add(snapshot.key);
        return isTwin ? byFile(snapshot) : snapshot;
      });
    },
    changed: listeners.add,
  };
  return { snapshots, changed: listeners.notify };
}
