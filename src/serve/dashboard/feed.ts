// Numbers the changes of the portals, so that an open page can ask whether it is out of date.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Snapshot } from "../snapshot.js";
import { STATUSES } from "./views/status.js";
import type { SnapshotSource, Outage } from "./source.js";

/** Identifies a process and the number of its changes so far, such as "0f3c….1042". */
export type Stamp = string;

export interface Feed {
  readonly stamp: Stamp;
  /** By need for attention, then by name. */
  portals(): readonly Snapshot[];
  portal(key: string): Snapshot | undefined;
  outage(): Outage | undefined;
  /** Whether anything, or the one portal, may have changed. Always true for the stamp of another process. */
  hasChanged(since: Stamp, key?: string): boolean;
  /** Calls the listener whenever something may have changed; the returned function ends that. */
  changed(listener: () => void): () => void;
  close(): void;
}

const names = new Intl.Collator("en", { numeric: true });

export function openFeed(snapshots: SnapshotSource, process: string = randomUUID()): Feed {
  let known = new Map<string, { readonly seen: Snapshot; readonly version: number }>();
  let version = 0;
  const listeners = new Set<() => void>();
  /** Keys sorted by name: sorting 10,000 names takes far longer than reading them. */
  let byName: readonly string[] | undefined;
  let ordered: readonly Snapshot[] | undefined;

  /** A check of one portal must not read all portals: they are read when a page asks. */
  let isRead = false;
  let outage = { is: snapshots.outage?.(), version: 0 };
  function read(): void {
    if (isRead) return;
    isRead = true;
    const now = snapshots.outage?.();
    if (!isDeepStrictEqual(outage.is, now)) outage = { is: now, version: ++version };
    const before = known;
    const startVersion = version;
    known = new Map(
      snapshots.portals().map((seen) => {
        const same = before.get(seen.key);
        if (same?.seen === seen) return [seen.key, same];
        if (same?.seen.name !== seen.name) byName = undefined;
        return [seen.key, { seen, version: ++version }];
      }),
    );
    const isAnyGone = [...before.keys()].some((key) => !known.has(key));
    if (isAnyGone) {
      version++;
      byName = undefined;
    }
    if (version > startVersion) ordered = undefined;
  }

  function order(): readonly Snapshot[] {
    byName ??= [...known.values()]
      .map(({ seen }) => seen)
      .toSorted((one, other) => names.compare(one.name, other.name))
      .map(({ key }) => key);
    const rank = ({ status }: Snapshot) => STATUSES.indexOf(status);
    return byName
      .flatMap((key) => known.get(key)?.seen ?? [])
      .toSorted((one, other) => rank(one) - rank(other));
  }

  const end = snapshots.changed(() => {
    isRead = false;
    for (const listener of listeners) listener();
  });
  return {
    get stamp() {
      read();
      return `${process}.${version}`;
    },
    portals() {
      read();
      return (ordered ??= order());
    },
    portal(key) {
      read();
      return known.get(key)?.seen;
    },
    hasChanged(since, key) {
      read();
      const from = versionAt(process, since);
      const now = key === undefined ? version : (known.get(key)?.version ?? version);
      return from === undefined || Math.max(now, outage.version) > from;
    },
    outage: () => snapshots.outage?.(),
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: end,
  };
}

/** Undefined for the stamp of another process. */
function versionAt(own: string, stamp: Stamp): number | undefined {
  const [, name, digits] = /^(.*)\.(\d{1,15})$/.exec(stamp) ?? [];
  return name === own ? Number(digits) : undefined;
}
