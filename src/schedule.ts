// Core type: the schedule of a file at a moment: which windows are open, and what comes next.
import { listed } from "./lib/text.js";
import { clockOf } from "./moment.js";
import type { Json } from "./lib/json.js";
import type { Spot } from "./settings.js";

/** Settings for a time, in UTC. */
export interface WindowTime {
  /** The window's name in the file. */
  readonly name: string;
  /** The first moment of the window, in UTC. */
  readonly from: string;
  /** The first moment after the window, in UTC. */
  readonly until: string;
}

/** The same at every moment between two boundaries, so that plans made then are equal. */
export interface Schedule {
  readonly open: readonly WindowTime[];
  /** Null where nothing opens or closes later. */
  readonly next: Boundary | null;
  /** The one that the file names, for people. */
  readonly timeZone?: string;
}

/** A moment at which windows open or close. */
export interface Boundary {
  /** In UTC. */
  readonly time: string;
  /** The windows that open then, by name. */
  readonly opens: readonly string[];
  /** The windows that close then, by name. */
  readonly closes: readonly string[];
}

export interface GivingWindow extends WindowTime {
  readonly isOver: boolean;
  /** The rule of one that comes again: the times are those of the one that is open, or was last. */
  readonly every?: string;
}

/** What a file gives a leaf at some time. */
export interface Given {
  /** Null for what stands under `settings`. */
  readonly window: GivingWindow | null;
  readonly action: "set" | "default";
  readonly value: Json;
  /** Null as for a leaf that no file says. */
  readonly place: Spot | null;
  /** Digest of all that its window sets, because a window is applied as a whole. */
  readonly content?: string;
}

/** The window that a change comes from: open, and its value applies; or over, and the value under `settings` applies again. */
export interface ChangeWindow {
  /** The window's name in the file. */
  readonly name: string;
  /** Whether the window is open, or over. */
  readonly is: "open" | "over";
  /** When it opened or closed, in UTC. */
  readonly since: string;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/** One line for people: what is open, and what comes next. */
export function scheduleText({ open, next, timeZone }: Schedule): string {
  const time = clockOf(timeZone);
  const opens = next?.opens ?? [];
  const later = next && opens.length > 0 ? ` ${openText(opens)} at ${time(next.time)}.` : "";
  if (open.length > 0) {
    const named = open.map(({ name, until }) => `"${name}" until ${time(until)}`);
    return `Open: ${listed(named)}.${later && ` Next,${later}`}`;
  }
  return later ? `No window is open. Next,${later}` : "No window is open, and none is to come.";
}

function openText(names: readonly string[]): string {
  return `${listed(names.map((name) => `"${name}"`))} ${names.length === 1 ? "opens" : "open"}`;
}
