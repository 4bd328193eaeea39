// Reads the snapshots of a queue for the dashboard: only those recorded since the last read.
import type { Snapshot } from "./snapshot.js";
import { openListeners, type SnapshotSource, type Outage } from "./dashboard/source.js";
import { knownOf } from "./queue/shapes.js";
import type { QueueDatabase } from "./queue/database.js";
import { runningProcesses, whyNothingIsChecked } from "./queue/processes.js";

export function openSharedSnapshots(database: Omit<QueueDatabase, "transaction" | "close">) {
  const { query, outageSinceMs, onOutage } = database;
  const listeners = openListeners();
  /** Each with its text: while the text is the same, the object stays the same. */
  let portals = new Map<string, { readonly text: string; readonly seen: Snapshot }>();
  let shown: readonly Snapshot[] = [];
  let [since, generation]: [string | null, string] = [null, ""];
  let why: string | undefined;

  onOutage(() => listeners.notify());

  const snapshots: SnapshotSource = {
    portals: () => shown,
    outage(): Outage | undefined {
      const sinceMs = outageSinceMs();
      if (sinceMs !== undefined) return { sinceMs };
      return why === undefined ? undefined : { why };
    },
    changed: listeners.add,
  };

  return {
    snapshots,
    async read(): Promise<void> {
      // Taken before the rows are read: rows not committed yet may have lower numbers, and are read next time.
      const [now] = await query<{ generation: string; since: string }>(
        "SELECT generation, pg_snapshot_xmin(pg_current_snapshot())::text AS since FROM SCHEMA.queue",
      );
      // Only a new listing removes portals.
      const isAnew = now?.generation !== generation;
      const rows = await query<{ key: string; known: string }>(
        "SELECT key, known FROM SCHEMA.known WHERE $1::text IS NULL OR changed >= $1::text::xid8 ORDER BY key",
        [isAnew ? null : since],
      );
      const whyBefore = why;
      why = whyNothingIsChecked(await runningProcesses(query));
      const before = portals;
      if (isAnew) portals = new Map();
      let isChanged = isAnew || why !== whyBefore;
      for (const { key, known } of rows) {
        const same = before.get(key);
        const seen = same?.text === known ? same.seen : knownOf(known)?.snapshot;
        if (seen === undefined) continue;
        isChanged ||= seen !== same?.seen;
        portals.set(key, { text: known, seen });
      }
      [since, generation] = [now?.since ?? null, now?.generation ?? ""];
      if (!isChanged) return;
      shown = [...portals.values()].map(({ seen }) => seen);
      listeners.notify();
    },
  };
}
