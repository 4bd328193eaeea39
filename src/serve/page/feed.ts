// A board that changes → what is another since a moment that a page remembers, however long ago that was.
import { randomUUID } from "node:crypto";
import type { Board, Seen } from "./board.js";

/** "0f3c….1042": of a process and the number of its changes until then. */
export type Stamp = string;

export interface Changes {
  readonly stamp: Stamp;
  readonly portals: readonly Seen[];
  /** Keys of those that are gone. */
  readonly gone: readonly string[];
}

export interface Feed {
  readonly stamp: Stamp;
  portals(): readonly Seen[];
  portal(key: string): Seen | undefined;
  /**
   * At most so many portals, those first that changed first; undefined where nothing has changed. Nobody remembers a
   * moment of another process, or one that is long ago: then the page has to be made anew.
   */
  since(stamp: Stamp, most: number): Changes | "anew" | undefined;
  /** Whether a portal has changed, came or went. */
  hasChanged(key: string, stamp: Stamp): boolean;
  /** Calls after each change that `since` tells of; what it returns ends that. */
  changed(listener: () => void): () => void;
  close(): void;
}

/** More that are gone than these are forgotten, the oldest first. */
const MOST_GONE = 10_000;

export function openFeed(board: Board, process: string = randomUUID()): Feed {
  const known = new Map<string, { seen: Seen; version: number }>();
  const gone = new Map<string, number>();
  const listeners = new Set<() => void>();
  /** What happened before it is not remembered. */
  let [version, oldest] = [0, 0];

  function look(): void {
    const before = version;
    const portals = board.portals();
    for (const seen of portals) {
      const each = known.get(seen.key);
      if (each?.seen === seen) continue;
      // Those that changed last stand last.
      known.delete(seen.key);
      gone.delete(seen.key);
      known.set(seen.key, { seen, version: ++version });
    }
    if (known.size > portals.length) forget(new Set(portals.map(({ key }) => key)));
    if (version > before) for (const listener of listeners) listener();
  }

  function forget(left: ReadonlySet<string>): void {
    for (const key of known.keys()) {
      if (left.has(key)) continue;
      known.delete(key);
      gone.set(key, ++version);
    }
    for (const [key, at] of gone) {
      if (gone.size <= MOST_GONE) break;
      gone.delete(key);
      oldest = at;
    }
  }

  const stampAt = (at: number): Stamp => `${process}.${at}`;

  /** Undefined for that of another process, and for one from before what is remembered. */
  function versionAt(stamp: Stamp): number | undefined {
    const [, name, digits] = /^(.*)\.(\d{1,15})$/.exec(stamp) ?? [];
    const at = Number(digits);
    return name === process && at >= oldest && at <= version ? at : undefined;
  }

  const end = board.changed(look);
  look();
  return {
    get stamp() {
      return stampAt(version);
    },
    portals: () => board.portals(),
    portal: (key) => known.get(key)?.seen,
    since(stamp, most) {
      const from = versionAt(stamp);
      if (from === undefined) return "anew";
      if (from === version) return undefined;
      const all = [...known.values()].filter((each) => each.version > from);
      const told = all.slice(0, most);
      const until = all.length > most ? (told.at(-1)?.version ?? version) : version;
      return {
        stamp: stampAt(until),
        portals: told.map(({ seen }) => seen),
        gone: [...gone].filter(([, at]) => at > from && at <= until).map(([key]) => key),
      };
    },
    hasChanged(key, stamp) {
      const from = versionAt(stamp);
      const at = known.get(key)?.version ?? gone.get(key);
      return from === undefined || (at !== undefined && at > from);
    },
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: end,
  };
}
