// Appends events to one file for each UTC day, and keeps those in memory that a webhook has not acknowledged.
import * as fs from "node:fs";
import { join } from "node:path";
import { parseExact, printJson, isJsonObject } from "../../lib/json.js";
import { remove, syncParent } from "../../lib/shared-folder.js";
import { counted } from "../../lib/text.js";
import { DAY_MS } from "../../moment.js";
import type { Event } from "./event.js";
import { GIVEN_UP_AFTER_MS } from "./event-store.js";

/** A line of a file. Numbers increase across all files. */
export interface Numbered {
  readonly number: number;
  readonly event: Event;
}

interface Logging {
  readonly folder: string;
  readonly now: () => number;
  readonly keepMs: number;
  /** By webhook; undefined if they were lost. */
  readonly cursors: ReadonlyMap<string, number> | undefined;
  readonly warn: (sentence: string) => void;
}

export function openEventLog({ folder, now, keepMs, cursors, warn }: Logging) {
  const pathOf = (day: string) => join(folder, `${day}.jsonl`);
  /** The highest number in the file of each day. */
  const days = readDays(folder);
  // A cursor may be higher if files were deleted. Its webhook still gets new events.
  let next = Math.max(0, ...days.values(), ...(cursors?.values() ?? [])) + 1;
  const lost = cursors ? undefined : beforeLastDays(days);
  let acknowledged = Math.min(lost ?? next - 1, ...(cursors?.values() ?? []));
  let pending: Numbered[] = [];
  /** IDs of events whose record may be missing. After a kill, the next check finds them again. */
  const unsettled = new Set<string>();

  const [newest] = [...days.keys()].slice(-1);
  for (const [day, last] of days) {
    if (last <= acknowledged && day !== newest) continue;
    const events = readEvents(pathOf(day), warn);
    for (const each of events) if (each.number > acknowledged) pending.push(each);
    if (day === newest) for (const { event } of events) unsettled.add(event.id);
  }
  pending.sort((one, other) => one.number - other.number);
  prune();

  function prune(): void {
    for (const [day, last] of days) {
      if (Date.parse(day) + DAY_MS > now() - keepMs || last > acknowledged) continue;
      remove(pathOf(day));
      days.delete(day);
    }
  }

  return {
    /** The start for a webhook without a cursor. */
    start: () => lost ?? next - 1,
    /** Durable when it returns. */
    append(events: readonly Event[]): void {
      const fresh = events.filter(({ id }) => !unsettled.has(id));
      if (fresh.length === 0) return;
      // Numbers of a failed write are not used again.
      const numbered = fresh.map((event): Numbered => ({ number: next++, event }));
      const day = new Date(now()).toISOString().slice(0, 10);
      appendLines(pathOf(day), numbered);
      for (const { id } of fresh) unsettled.add(id);
      if (acknowledged < Infinity) pending.push(...numbered);
      const isNewDay = !days.has(day);
      days.set(day, next - 1);
      if (isNewDay) prune();
    },
    /** The record of these events is stored. */
    confirmRecorded(events: readonly Event[]): void {
      for (const { id } of events) unsettled.delete(id);
    },
    after: (number: number, most: number): readonly Numbered[] =>
      pending.filter((each) => each.number > number).slice(0, most),
    /** Newest first. */
    days: (): readonly string[] => [...days.keys()].toSorted().toReversed(),
    eventsOn: (day: string): readonly Event[] =>
      days.has(day) ? readEvents(pathOf(day), () => {}).map(({ event }) => event) : [],
    /** Every webhook has acknowledged the events up to this number; Infinity without a webhook. */
    drop(number: number): void {
      acknowledged = number;
      pending = pending.filter((each) => each.number > number);
    },
  };
}

/** In order of their numbers, which follow the days unless the clock was set back. */
function readDays(folder: string): Map<string, number> {
  const names = fs.readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name));
  const days = names.map((name) => {
    const text = fs.readFileSync(join(folder, name), "utf8");
    let highest = 0;
    for (const [, number] of text.matchAll(/^\{"number":(\d{1,15}),/gm)) {
      highest = Math.max(highest, Number(number));
    }
    return [name.slice(0, 10), highest] as const;
  });
  return new Map(days.toSorted(([, one], [, other]) => one - other));
}

/** A webhook drops older events anyway. */
function beforeLastDays(days: ReadonlyMap<string, number>): number {
  const newestMs = Math.max(...[...days.keys()].map(Date.parse));
  const older = [...days].filter(([day]) => Date.parse(day) < newestMs - GIVEN_UP_AFTER_MS);
  return Math.max(0, ...older.map(([, last]) => last));
}

/** Skips incomplete and damaged lines. */
function readEvents(path: string, warn: Logging["warn"]): Numbered[] {
  const lines = fs.readFileSync(path, "utf8").split("\n").filter(Boolean);
  const events = lines.map(parseLine).filter((each) => each !== undefined);
  const skipped = lines.length - events.length;
  if (skipped > 0)
    warn(`"${path}" has ${counted(skipped, "line")} that cannot be read. Lintel skips them.`);
  return events;
}

function parseLine(line: string): Numbered | undefined {
  try {
    const json = parseExact(line);
    if (!isJsonObject(json) || !Number.isSafeInteger(json["number"])) return undefined;
    const event = json["event"] as Partial<Event> | undefined;
    return event?.id && event.kind && event.about ? (json as unknown as Numbered) : undefined;
  } catch {
    return undefined;
  }
}

/** Without O_NOFOLLOW on Windows, where undefined counts as 0. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = fs.constants;

/** Appends all or none: what a failed write left is removed. */
function appendLines(path: string, lines: readonly Numbered[]): void {
  const handle = fs.openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const { size } = fs.fstatSync(handle);
    const last = Buffer.from("\n");
    if (size > 0) fs.readSync(handle, last, 0, 1, size - 1);
    // The next line must not continue an incomplete line of a killed run.
    const start = last.toString() === "\n" ? "" : "\n";
    try {
      fs.writeFileSync(handle, start + lines.map((line) => `${printJson(line)}\n`).join(""));
      fs.fdatasyncSync(handle);
    } catch (error) {
      fs.ftruncateSync(handle, size);
      throw error;
    }
    if (size === 0) syncParent(path);
  } finally {
    fs.closeSync(handle);
  }
}
