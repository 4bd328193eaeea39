// Determines why a leaf changes: the file, a window, drift or a rollback.
import { digest } from "../lib/digest.js";
import { isEqual, type Json } from "../lib/json.js";
import { lastBegun, readRecurrence } from "../recurrence.js";
import { isoTime, type ChangeWindow, type Given } from "../schedule.js";
import type { Cause, DesiredLeaf } from "../settings.js";

/** What is known of a leaf besides the file. */
export interface Origin {
  /** The last value sent; undefined if never, or no longer managed. */
  readonly sent: Json | undefined;
  /** The window of that value. */
  readonly window: string | undefined;
  /** The same of an open journal, whose outcome is unknown. */
  readonly pending: Json | undefined;
  readonly pendingWindow: string | undefined;
  /** Undefined if it was not read. */
  readonly live: Json | undefined;
  /** The live value after the last apply. */
  readonly shown: Json | undefined;
  /** Digests of all values in the file, of windows too, when it was applied. */
  readonly given: readonly string[] | undefined;
  /** The moment that the plan is for. */
  readonly atMs: number;
}

/**
 * A window causes a change if only time has passed: the value for now was in the applied file, and so was the value
 * before. A window that was never applied must not open automatically. A window that was removed from the file, or
 * changed, closes at the time for which it was applied, not before.
 */
export function causeOf(leaf: DesiredLeaf, origin: Origin): Cause {
  const { value, window } = lastOf(leaf, origin);
  if (value === undefined) return "file";
  if (isAsGiven(leaf, value)) return "drift";
  const { given } = origin;
  if (!given || isOneMissing(leaf, origin)) return "file";
  const isApplied = (each: Given) => given.includes(digestOfGiven(each));
  const [own, now] = [undefined, leaf.window].map((name) => givenBy(leaf, name));
  if (!own || !now || !isApplied(now)) return "file";
  if (window !== undefined) return window === leaf.window ? "file" : "schedule";
  // A rollback may have restored another value.
  return own !== now && isApplied(own) && isAsGiven(own, value) ? "schedule" : "file";
}

/** For a leaf without windows, the value under `settings`. */
function givesOf({ gives, action, value, place }: DesiredLeaf): readonly Given[] {
  return gives ?? [{ window: null, action, value, place }];
}

function givenBy(leaf: DesiredLeaf, window: string | undefined): Given | undefined {
  return givesOf(leaf).find((each) => each.window?.name === window);
}

/** Whether the file lacks, or has changed, a window that was applied to be open now. */
function isOneMissing(leaf: DesiredLeaf, { given = [], atMs }: Origin): boolean {
  return missingOf(leaf, given, atMs).some(
    ({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs,
  );
}

/** Applied windows that the file lacks or has changed. */
function missingOf(leaf: DesiredLeaf, given: readonly string[], atMs: number) {
  const digests = new Set(givesOf(leaf).map(digestOfGiven));
  return given.flatMap((each) => {
    if (digests.has(each)) return [];
    const [from = "", until = "", , ...name] = each.split("/");
    const rule = from === EVERY ? readRecurrence(until) : undefined;
    const { fromMs, untilMs } = (rule && lastBegun(rule, atMs)) ?? {
      fromMs: Date.parse(from),
      untilMs: Date.parse(until),
    };
    // Without times, it is the value under `settings`, or a rule whose first window is still to come.
    return Number.isNaN(untilMs) ? [] : [{ name: name.join("/"), fromMs, untilMs }];
  });
}

/** What an apply records for a leaf: its values from now on, and those of past windows that were recorded before. */
export function givenDigests(
  { gives }: DesiredLeaf,
  known: readonly string[] = [],
): readonly string[] | undefined {
  return gives?.flatMap((each) => {
    const digest = digestOfGiven(each);
    const isOver = each.window?.isOver && each.window.every === undefined;
    return isOver && !known.includes(digest) ? [] : [digest];
  });
}

/** Whether the file contains a value that was never applied. */
export function isNewlyGiven(leaf: DesiredLeaf, known: readonly string[] = []): boolean {
  return givenDigests(leaf, known)?.some((each) => !known.includes(each)) ?? false;
}

/** Whether the file still contains all values of the last apply. Added windows do not count. */
export function isGivenAsBefore(
  { gives = [] }: Pick<DesiredLeaf, "gives">,
  known: readonly string[] = [],
): boolean {
  const digests = gives.map(digestOfGiven);
  return known.length > 0 && known.every((each) => digests.includes(each));
}

/**
 * Of the window as well: one that was moved is another one. Its times and its name can be read, because it may be over when
 * the file has it no more.
 */
export function digestOfGiven({ window, content = "", action, value }: Given): string {
  if (!window) return digest({ action, value });
  const { name, from, until, every } = window;
  const times = every === undefined ? `${from}/${until}` : `${EVERY}/${every}`;
  return `${times}/${digest({ content, action, value })}/${name}`;
}

/** Begins the digest of a window that comes again, in place of its first time. */
const EVERY = "every";

/** The window that is open and gives the value, else the last one that gave it until it closed. */
export function windowOf(leaf: DesiredLeaf, origin: Origin): ChangeWindow | undefined {
  const windows = leaf.gives?.flatMap((each) => each.window ?? []) ?? [];
  const open = windows.find(({ name }) => name === leaf.window);
  if (open) return { name: open.name, is: "open", since: open.from };
  const { value, window } = lastOf(leaf, origin);
  if (window === undefined) return undefined;
  // Several may have given the same, one after the other.
  const over = givesOf(leaf).flatMap((each) =>
    each.window?.isOver && (each.window.name === window || isAsGiven(each, value))
      ? [{ name: each.window.name, untilMs: Date.parse(each.window.until) }]
      : [],
  );
  const gone = missingOf(leaf, origin.given ?? [], origin.atMs).filter(
    ({ untilMs }) => untilMs <= origin.atMs,
  );
  const newest = [...over, ...gone].toSorted((one, other) => one.untilMs - other.untilMs).at(-1);
  return newest && { name: newest.name, is: "over", since: isoTime(newest.untilMs) };
}

/** Whether a window is the only reason. A window must not overwrite a change made by hand. */
export function isAtBoundary(cause: Cause, { live, shown, pending }: Origin): boolean {
  if (cause !== "schedule") return false;
  if (live === undefined) return true;
  return [shown, pending].some((known) => known !== undefined && isEqual(known, live));
}

/**
 * An update with an unknown outcome counts as applied if the portal shows it. If the portal was not read, it counts
 * unless the value is the desired one.
 */
function lastOf(
  leaf: DesiredLeaf,
  { sent, window, pending, pendingWindow, live }: Origin,
): { readonly value: Json | undefined; readonly window: string | undefined } {
  const before = { value: sent, window };
  if (pending === undefined || isAsGiven(leaf, pending)) return before;
  const isThere = live === undefined ? isAsGiven(leaf, sent) : isEqual(live, pending);
  return isThere ? { value: pending, window: pendingWindow } : before;
}

/** For the documented default, no value on the portal means the same as the default. */
export function isAsGiven(
  { action, value }: Pick<Given, "action" | "value">,
  held: Json | undefined,
): boolean {
  if (held === undefined) return false;
  return isEqual(held, value) || (action === "default" && held === null);
}
