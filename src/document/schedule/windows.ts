// Reads the windows of a file's schedule, and explains invalid times.
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
  /** The rule of a recurring window, as one word. */
  readonly every?: string;
  /** The name of the zone for its times. */
  readonly timeZone: string;
  readonly entry: Entry;
  readonly settings: Node | undefined;
  readonly leaves: readonly DesiredLeaf[];
  /** A digest of all its settings, because a window is applied as a whole. */
  readonly content: string;
}

export const DEFAULT_ZONE = "UTC";

/** The entries of the schedule, in file order. */
export function scheduleEntries(root: Node): (readonly [name: string, entry: Entry])[] {
  const schedule = childOf(root, "schedule");
  if (!schedule) return [];
  return [...entriesOf(schedule)].filter(([name]) => !isAnchorKey(name)).slice(0, MOST_WINDOWS);
}

/** A window of the file, without the moments of a recurring one. */
interface Planned extends Omit<Window, "fromMs" | "untilMs"> {
  readonly times: Occurrence | Recurrence;
}

/** Cached, because a file may have thousands of boundaries. */
const known = new WeakMap<Node, readonly Planned[]>();

/** In file order, without windows with invalid times, which the check reports. */
function plannedIn(root: Node): readonly Planned[] {
  const planned = known.get(root) ?? readWindows(root);
  known.set(root, planned);
  return planned;
}

/** Each window once. For a recurring window: its open time, else its last, else its next. */
export function windowsAt(root: Node, ms: number): Window[] {
  return plannedIn(root).flatMap(({ times, ...window }): Window[] => {
    if ("fromMs" in times) return [{ ...window, ...times }];
    const found = lastBegun(times, ms) ?? nextAfter(times, ms);
    return found ? [{ ...window, ...found }] : [];
  });
}

/** The same, and the next time of recurring windows. */
export function windowsAround(root: Node, ms: number): Window[] {
  const next = plannedIn(root).flatMap(({ times, ...window }): Window[] => {
    // A recurring window that never opened is already included with its next time.
    const hasNext = !("fromMs" in times) && lastBegun(times, ms) !== undefined;
    const found = hasNext ? nextAfter(times, ms) : undefined;
    return found ? [{ ...window, ...found }] : [];
  });
  return [...windowsAt(root, ms), ...next];
}

/** Each window; for recurring ones, all times in 13 months that are not over. */
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

/** Undefined for errors that the check of the file reports. */
function timesIn(root: Node, window: Node): Occurrence | Recurrence | undefined {
  if (childOf(window, "every")) return recurrenceIn(root, window);
  const [from, until] = ["from", "until"].map((key) => timeAt(root, window, key));
  if (from?.ms === undefined || until?.ms === undefined || from.ms >= until.ms) return undefined;
  return { fromMs: from.ms, untilMs: until.ms };
}

/** Undefined for errors that the check of the file reports. */
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

/** The zone of a window, else of the file. */
export function zoneNameOf(root: Node, window: Node): string {
  return textOf(childOf(window, "timeZone") ?? childOf(root, "timeZone")) ?? DEFAULT_ZONE;
}

/**
 * The meaning of a window's `from` or `until`; undefined if it is no text, or its zone is unknown. Without `ms`, `why`
 * is the reason: an invalid time, or one that the zone's clocks skip or repeat, and then `instead` has alternatives.
 */
export interface Time {
  readonly node: Node;
  readonly text: string;
  readonly ms?: number;
  readonly why?: "no-moment" | "skipped" | "repeated";
  readonly instead?: readonly string[];
}

export function timeAt(root: Node, window: Node, key: string): Time | undefined {
  // A window of one whole day sets only `from`.
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
