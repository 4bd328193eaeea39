// Holds the portals that `serve` checks, each with its record, by the time of the next check.
import { comingMs, dueAtMs, longestWaitMs, nextBoundaryMs, startupPollMs } from "./poll-times.js";
import type { PortalFile } from "./portal-files.js";
import { uncheckedRecord, type PortalRecord } from "./snapshot.js";

export interface MonitoredPortal {
  portalFile: PortalFile;
  record: PortalRecord;
  isChecking: boolean;
}

export class MonitoredPortals {
  /** By file. */
  readonly all = new Map<string, MonitoredPortal>();
  readonly #everyMs: number;
  /** When each is due. */
  readonly #checks = new Map<MonitoredPortal, number>();
  /** Portals with a window that opens or closes come first, because that is reported to the minute. */
  readonly #boundaries = new Map<MonitoredPortal, number>();
  #stored: ReadonlyMap<string, PortalRecord> = new Map();
  #scheduledMs = -Infinity;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** The records of an earlier run, by key. */
  restore(records: ReadonlyMap<string, PortalRecord>): void {
    this.#stored = records;
  }

  ofKey(key: string): MonitoredPortal | undefined {
    return [...this.all.values()].find(({ portalFile }) => portalFile.key === key);
  }

  keys(): ReadonlySet<string> {
    return new Set([...this.all.values()].map(({ portalFile }) => portalFile.key));
  }

  /**
   * New and changed files are checked at once. At the start, and after all files were read again, the checks are spread
   * over a minute, starting with the portals that were checked longest ago, so that restarts starve none.
   */
  replaceFiles(files: ReadonlyMap<string, PortalFile>, nowMs: number, isForced: boolean): void {
    for (const [file, portal] of this.all) {
      if (files.has(file)) continue;
      this.all.delete(file);
      this.#schedule(portal, nowMs);
    }
    // A file that never named its portal has a record under its own name.
    const recordOf = ({ file, key }: PortalFile) =>
      this.all.get(file)?.record ?? this.#stored.get(key) ?? this.#stored.get(file);
    const checkedMs = (portalFile: PortalFile) => recordOf(portalFile)?.checkedMs ?? -Infinity;
    const read = [...files.values()];
    const ordered = isForced
      ? read.toSorted((one, other) => checkedMs(one) - checkedMs(other))
      : read;
    for (const [place, portalFile] of ordered.entries()) {
      const known = this.all.get(portalFile.file);
      const isSame = known?.portalFile === portalFile;
      if (!isForced && isSame) continue;
      const nextPollMs = isForced ? startupPollMs(place, files.size, this.#everyMs, nowMs) : nowMs;
      const before = recordOf(portalFile) ?? uncheckedRecord(portalFile, nowMs, nextPollMs);
      const { notBeforeMs: _, ...rest } = before;
      const record = { ...rest, nextPollMs, ...(!isSame && { failures: 0 }) };
      const portal = Object.assign(known ?? { isChecking: false }, { portalFile, record });
      this.all.set(portalFile.file, portal);
      this.#schedule(portal, nowMs);
    }
  }

  /** The portal to check now; undefined where none is due. */
  due(nowMs: number): MonitoredPortal | undefined {
    this.#followClock(nowMs);
    const isDue = (first: Due | undefined) => first !== undefined && first.atMs <= nowMs;
    return [firstOf(this.#boundaries), firstOf(this.#checks)].find(isDue)?.portal;
  }

  /** When the next check is due. */
  nextMs(nowMs: number): number {
    this.#followClock(nowMs);
    return firstOf(this.#checks)?.atMs ?? Infinity;
  }

  /** Until `endCheck`, it is not due. */
  beginCheck(portal: MonitoredPortal, nowMs: number): void {
    portal.isChecking = true;
    this.#schedule(portal, nowMs);
  }

  endCheck(portal: MonitoredPortal, nowMs: number): void {
    portal.isChecking = false;
    this.#schedule(portal, nowMs);
  }

  /** Checks a due portal no earlier than at this moment. */
  delay(portal: MonitoredPortal, untilMs: number, nowMs: number): void {
    portal.record = { ...portal.record, nextPollMs: untilMs, notBeforeMs: untilMs };
    this.#schedule(portal, nowMs);
  }

  /** Takes the record of a check. If the file was read again meanwhile, it is checked again. */
  update(portal: MonitoredPortal, checked: PortalFile, record: PortalRecord): void {
    const { nextPollMs } = portal.record;
    const isSame = portal.portalFile === checked;
    portal.record = isSame ? record : { ...record, nextPollMs, failures: 0 };
    this.#schedule(portal, record.checkedMs);
  }

  /** A portal is not scheduled during its check, or if its file is missing or invalid. */
  #schedule(portal: MonitoredPortal, nowMs: number): void {
    const { portalFile, record, isChecking } = portal;
    const { key, windows, file, problem } = portalFile;
    this.#checks.delete(portal);
    this.#boundaries.delete(portal);
    if (isChecking || problem || this.all.get(file) !== portal) return;
    const longestMs = longestWaitMs(key, record.failures, this.#everyMs);
    this.#checks.set(portal, comingMs(dueAtMs(record, windows), nowMs, longestMs));
    const boundaryMs = nextBoundaryMs(record.checkedMs, windows);
    if (boundaryMs < Infinity)
      this.#boundaries.set(portal, Math.max(boundaryMs, record.notBeforeMs ?? -Infinity));
    this.#scheduledMs = Math.max(this.#scheduledMs, nowMs);
  }

  /** After the clock was set back, checks must not wait for the old time. */
  #followClock(nowMs: number): void {
    if (nowMs >= this.#scheduledMs) return;
    this.#scheduledMs = nowMs;
    for (const portal of this.all.values()) this.#schedule(portal, nowMs);
  }
}

interface Due {
  readonly portal: MonitoredPortal;
  readonly atMs: number;
}

/** The earliest; of several, the one that was scheduled first. */
function firstOf(times: ReadonlyMap<MonitoredPortal, number>): Due | undefined {
  let found: Due | undefined;
  for (const [portal, atMs] of times) if (!found || atMs < found.atMs) found = { portal, atMs };
  return found;
}
