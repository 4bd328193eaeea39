// A leaf that is wanted × what was applied last → what its change comes from: the file, a window, a hand, or a rollback.
import { digest } from "../lib/digest.js";
import { isEqual, type Json } from "../lib/json.js";
import { lastBegun, readRecurrence } from "../recurrence.js";
import { isoTime, type ChangeWindow, type Given } from "../schedule.js";
import type { Cause, DesiredLeaf } from "../settings.js";

/** What of a leaf is known beside what the file wants. */
export interface Origin {
  /** What was sent last; undefined where it never was, or no longer. */
  readonly sent: Json | undefined;
  /** The window whose value that was. */
  readonly window: string | undefined;
  /** The same of an open journal, of which nobody knows whether it arrived. */
  readonly pending: Json | undefined;
  readonly pendingWindow: string | undefined;
  /** Undefined where nobody could see. */
  readonly live: Json | undefined;
  /** What the portal showed after the last apply. */
  readonly shown: Json | undefined;
  /** What the file gave when somebody applied it, by digests. */
  readonly given: readonly string[] | undefined;
  /** The moment that the plan is for. */
  readonly atMs: number;
}

/**
 * A window causes a change where nothing but time has passed: what is wanted now was applied to be wanted now, and what was
 * applied last was wanted until then. A window that nobody has applied yet must not open by itself; and one that somebody
 * has taken out of the file, or changed, closes by itself at the time for which it was applied, and not before.
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
  // A rollback may have put something else there.
  return own !== now && isApplied(own) && isAsGiven(own, value) ? "schedule" : "file";
}

/** Of a leaf that no window has to do with any more, what stands under `settings`. */
function givesOf({ gives, action, value, place }: DesiredLeaf): readonly Given[] {
  return gives ?? [{ window: null, action, value, place }];
}

function givenBy(leaf: DesiredLeaf, window: string | undefined): Given | undefined {
  return givesOf(leaf).find((each) => each.window?.name === window);
}

/** Whether a window that was applied to be open now is in the file no more, or is there otherwise. */
function isOneMissing(leaf: DesiredLeaf, { given = [], atMs }: Origin): boolean {
  return missingOf(leaf, given, atMs).some(
    ({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs,
  );
}

/** Windows that were applied, and that the file does not hold, or holds otherwise. */
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
    // Without times, it is what stood under `settings`, or has not come yet.
    return Number.isNaN(untilMs) ? [] : [{ name: name.join("/"), fromMs, untilMs }];
  });
}

/** What a file's apply takes note of for a leaf: all that the file gives it from now on, and what it knew before of windows that are over. */
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

/** Whether there is something that nobody has applied yet. */
export function isNewlyGiven(leaf: DesiredLeaf, known: readonly string[] = []): boolean {
  return givenDigests(leaf, known)?.some((each) => !known.includes(each)) ?? false;
}

/** Whether the file gives all that it gave when it was applied: time may have passed, and windows be added, and no more. */
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

/** Whether a window alone is the reason: what somebody changed by hand meanwhile is no window's to put aside. */
export function isAtBoundary(cause: Cause, { live, shown, pending }: Origin): boolean {
  if (cause !== "schedule") return false;
  if (live === undefined) return true;
  return [shown, pending].some((known) => known !== undefined && isEqual(known, live));
}

/** An update of unknown outcome is what was applied last where it shows; and where nobody can look, if it is not what is wanted. */
function lastOf(
  leaf: DesiredLeaf,
  { sent, window, pending, pendingWindow, live }: Origin,
): { readonly value: Json | undefined; readonly window: string | undefined } {
  const before = { value: sent, window };
  if (pending === undefined || isAsGiven(leaf, pending)) return before;
  const isThere = live === undefined ? isAsGiven(leaf, sent) : isEqual(live, pending);
  return isThere ? { value: pending, window: pendingWindow } : before;
}

/** For the documented default, a portal that shows nothing and one that shows it are the same. */
export function isAsGiven(
  { action, value }: Pick<Given, "action" | "value">,
  held: Json | undefined,
): boolean {
  if (held === undefined) return false;
  return isEqual(held, value) || (action === "default" && held === null);
}
