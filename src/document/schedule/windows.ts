// Reads the windows of a file's schedule, and explains the times that it cannot read.
import { MOST_WINDOWS } from "../../catalog/schedule-schema.js";
import { DAY_MS, momentsIn, readMoment, writeMoment, zoneNamed } from "../../moment.js";
import { digest } from "../../lib/digest.js";
import type { DesiredLeaf } from "../../settings.js";
import type { Zone } from "../../lib/text.js";
import { leavesBelow } from "../read/leaves.js";
import { childOf, entriesOf, isAnchorKey, textOf, type Entry, type Node } from "../read/tree.js";

export interface Window {
  readonly name: string;
  /** Included. */
  readonly fromMs: number;
  /** Not included. */
  readonly untilMs: number;
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

/** Asked for each boundary of a file, and there may be thousands. */
const known = new WeakMap<Node, readonly Window[]>();

/** In the order of the file; without those whose times cannot be read, which the check of the file reports. */
export function windowsOf(root: Node): readonly Window[] {
  const windows = known.get(root) ?? readWindows(root);
  known.set(root, windows);
  return windows;
}

function readWindows(root: Node): Window[] {
  return scheduleEntries(root).flatMap(([name, entry]): Window[] => {
    const [from, until] = ["from", "until"].map((key) => timeAt(root, entry.value, key));
    if (from?.ms === undefined || until?.ms === undefined || from.ms >= until.ms) return [];
    const settings = childOf(entry.value, "settings");
    const leaves = settings ? leavesBelow(settings, []) : [];
    return [
      {
        name,
        fromMs: from.ms,
        untilMs: until.ms,
        timeZone: zoneNameOf(root, entry.value),
        entry,
        settings,
        leaves,
        content: digest(leaves.map(({ path, action, value }) => ({ path, action, value }))),
      },
    ];
  });
}

export function isOpenAt({ fromMs, untilMs }: Window, ms: number): boolean {
  return fromMs <= ms && ms < untilMs;
}

/** The node that names the zone of a window: its own, else that of the file. */
export function zoneNodeOf(root: Node, window: Node): Node | undefined {
  return childOf(window, "timeZone") ?? childOf(root, "timeZone");
}

export function zoneNameOf(root: Node, window: Node): string {
  return textOf(zoneNodeOf(root, window)) ?? DEFAULT_ZONE;
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
  const node = childOf(window, key);
  const text = textOf(node);
  if (!node || text === undefined) return undefined;
  const found = { node, text };
  const written = readMoment(text);
  if (!written) return { ...found, why: "no-moment" };
  if (written.ms !== undefined) return { ...found, ms: written.ms };
  const zone = zoneNamed(zoneNameOf(root, window));
  if (!zone) return undefined;
  const [first, second] = momentsIn(zone, written.utcMs);
  if (first === undefined) {
    const instead = [writeMoment(changeAfter(zone, written.utcMs), zone)];
    return { ...found, why: "skipped", instead };
  }
  if (second === undefined) return { ...found, ms: first };
  const instead = [first, second].map((ms) => writeMoment(ms, zone));
  return { ...found, why: "repeated", instead };
}

/** The moment at which clocks are put forward over what one of UTC shows then: the first at which they go by the new time. */
function changeAfter(zone: Zone, utcMs: number): number {
  let [before, after] = [utcMs - 2 * DAY_MS, utcMs + 2 * DAY_MS];
  const ahead = zone(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone(middle) === ahead) before = middle;
    else after = middle;
  }
  return after;
}
