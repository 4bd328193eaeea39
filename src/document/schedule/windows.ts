// Reads the windows of a file's schedule, and explains the times that it cannot read.
import { MOST_WINDOWS } from "../../catalog/schedule-schema.js";
import { meantIn, readMoment, zoneNamed } from "../../moment.js";
import {
  WEEKDAYS,
  lastBegun,
  nextAfter,
  occurrencesFrom,
  writeRecurrence,
} from "../../recurrence.js";
import type { Occurrence, Recurrence } from "../../recurrence.js";
import { digest } from "../../lib/digest.js";
import type { DesiredLeaf } from "../../settings.js";
import { leavesBelow } from "../read/leaves.js";
import { childOf, entriesOf, isAnchorKey, textOf, type Entry, type Node } from "../read/tree.js";

export interface Window {
  readonly name: string;
  /** Included. */
  readonly fromMs: number;
  /** Not included. */
  readonly untilMs: number;
  /** The rule of one that comes again, as one word. */
  readonly every?: string;
  /** The zone that its times are read in, by name. */
  readonly timeZone: string;
  readonly entry: Entry;
  readonly settings: Node | undefined;
  readonly leaves: readonly DesiredLeaf[];
  /** Digest of all that it sets, because a window is applied as a whole. */
  readonly content: string;
}

export const DEFAULT_ZONE = "UTC";

/** Each entry of the schedule, in the order of the file. */
export function scheduleEntries(root: Node): (readonly [name: string, entry: Entry])[] {
  const schedule = childOf(root, "schedule");
  if (!schedule) return [];
  return [...entriesOf(schedule)].filter(([name]) => !isAnchorKey(name)).slice(0, MOST_WINDOWS);
}

/** A window of the file, without the moments of one that comes again. */
interface Planned extends Omit<Window, "fromMs" | "untilMs"> {
  readonly times: Occurrence | Recurrence;
}

/** Asked for each boundary of a file, and there may be thousands. */
const known = new WeakMap<Node, readonly Planned[]>();

/** In the order of the file; without those whose times cannot be read, which the check of the file reports. */
function plannedIn(root: Node): readonly Planned[] {
  const planned = known.get(root) ?? readWindows(root);
  known.set(root, planned);
  return planned;
}

/** Each window once: one that comes again as it is open at the moment, else as it was last, else as it comes next. */
export function windowsAt(root: Node, ms: number): Window[] {
  return plannedIn(root).flatMap(({ times, ...window }): Window[] => {
    if ("fromMs" in times) return [{ ...window, ...times }];
    const found = lastBegun(times, ms) ?? nextAfter(times, ms);
    return found ? [{ ...window, ...found }] : [];
  });
}

/** The same, and of those that come again the next after the moment. */
export function windowsAround(root: Node, ms: number): Window[] {
  const next = plannedIn(root).flatMap(({ times, ...window }): Window[] => {
    // One that never began is among the windows of this moment as its next time.
    const hasNext = !("fromMs" in times) && lastBegun(times, ms) !== undefined;
    const found = hasNext ? nextAfter(times, ms) : undefined;
    return found ? [{ ...window, ...found }] : [];
  });
  return [...windowsAt(root, ms), ...next];
}

/** Each window, and of those that come again each time that is not over at the moment, for 13 months. */
export function windowsFrom(root: Node, ms: number): Window[] {
  return plannedIn(root).flatMap(({ times, ...window }): Window[] => {
    const found = "fromMs" in times ? [times] : occurrencesFrom(times, ms);
    return found.map((each) => ({ ...window, ...each }));
  });
}

function readWindows(root: Node): Planned[] {
  return scheduleEntries(root).flatMap(([name, entry]): Planned[] => {
    const times = timesIn(root, entry.value);
    if (!times) return [];
    const settings = childOf(entry.value, "settings");
    const leaves = settings ? leavesBelow(settings, []) : [];
    return [
      {
        name,
        times,
        ...(!("fromMs" in times) && { every: writeRecurrence(times) }),
        timeZone: zoneNameOf(root, entry.value),
        entry,
        settings,
        leaves,
        content: digest(leaves.map(({ path, action, value }) => ({ path, action, value }))),
      },
    ];
  });
}

/** Undefined for what the check of the file reports. */
function timesIn(root: Node, window: Node): Occurrence | Recurrence | undefined {
  if (childOf(window, "every")) return recurrenceIn(root, window);
  const [from, until] = ["from", "until"].map((key) => timeAt(root, window, key));
  if (from?.ms === undefined || until?.ms === undefined || from.ms >= until.ms) return undefined;
  return { fromMs: from.ms, untilMs: until.ms };
}

/** Undefined for what the check of the file reports. */
export function recurrenceIn(root: Node, window: Node): Recurrence | undefined {
  const every = childOf(window, "every");
  const between = childOf(window, "between");
  const number = (key: string) => {
    const node = childOf(every, key);
    return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
  };
  const weekday = WEEKDAYS.findIndex((each) => each === textOf(childOf(every, "weekday")));
  const [nth, day] = [number("nth"), number("day")];
  const [first, last] = ["from", "until"].map((key) => textOf(childOf(between, key)));
  if ((weekday === -1) === (day === undefined)) return undefined;
  return {
    ...(weekday !== -1 && { weekday }),
    ...(nth !== undefined && { nth }),
    ...(day !== undefined && { day }),
    from: textOf(childOf(every, "from")) ?? "00:00",
    until: textOf(childOf(every, "until")) ?? "00:00",
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
    timeZone: zoneNameOf(root, window),
  };
}

export function isOpenAt({ fromMs, untilMs }: Window, ms: number): boolean {
  return fromMs <= ms && ms < untilMs;
}

/** The zone of a window: its own, else that of the file. */
export function zoneNameOf(root: Node, window: Node): string {
  return textOf(childOf(window, "timeZone") ?? childOf(root, "timeZone")) ?? DEFAULT_ZONE;
}

/**
 * What a window's `from` or `until` means; undefined where it is no text, or its zone is unknown. Without `ms`, `why` it
 * cannot be read: it is no moment; or the clocks of its zone skip it, or show it twice, and `instead` holds what can be meant.
 */
export interface Time {
  readonly node: Node;
  readonly text: string;
  readonly ms?: number;
  readonly why?: "no-moment" | "skipped" | "repeated";
  readonly instead?: readonly string[];
}

export function timeAt(root: Node, window: Node, key: string): Time | undefined {
  // A window of one whole day says its day alone.
  const node = childOf(window, key) ?? dayOf(childOf(window, "from"));
  const text = textOf(node);
  if (!node || text === undefined) return undefined;
  const found = { node, text };
  const written = readMoment(text, key === "until" ? "end" : "beginning");
  if (!written) return { ...found, why: "no-moment" };
  if (written.ms !== undefined) return { ...found, ms: written.ms };
  const zone = zoneNamed(zoneNameOf(root, window));
  return zone && { ...found, ...meantIn(zone, written) };
}

function dayOf(node: Node | undefined): Node | undefined {
  return readMoment(textOf(node) ?? "")?.isDay ? node : undefined;
}
