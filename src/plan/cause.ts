// A leaf that is wanted × what was applied last → what its change comes from: the file, a window, a hand, or a rollback.
import { isEqual, type Json } from "../json.js";
import type { ChangeWindow, Given } from "../schedule.js";
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
}

/**
 * A window causes a change where the file still gives the value that was applied last, at another time than this: then time
 * has passed and nothing else. Where it gives that value no more, somebody has changed the file.
 */
export function causeOf(leaf: DesiredLeaf, origin: Origin): Cause {
  const { value, window } = lastOf(leaf, origin);
  if (value === undefined) return "file";
  if (isAsGiven(leaf, value)) return "drift";
  const given = leaf.gives?.find((each) => each.window?.name === window);
  const isOfNow = window === leaf.window;
  return given && !isOfNow && isAsGiven(given, value) ? "schedule" : "file";
}

/** The window that is open and gives the value, else the last one that gave it until it closed. */
export function windowOf(leaf: DesiredLeaf, origin: Origin): ChangeWindow | undefined {
  const windows = leaf.gives?.flatMap((each) => each.window ?? []) ?? [];
  const open = windows.find(({ name }) => name === leaf.window);
  if (open) return { name: open.name, is: "open", since: open.from };
  const { value, window } = lastOf(leaf, origin);
  if (!windows.some(({ name }) => name === window)) return undefined;
  // Several may have given the same, one after the other.
  const over = leaf.gives
    ?.filter((each) => each.window?.name === window || isAsGiven(each, value))
    .flatMap((each) => (each.window?.isOver ? [each.window] : []))
    .toSorted((one, other) => (one.until < other.until ? -1 : 1))
    .at(-1);
  return over && { name: over.name, is: "over", since: over.until };
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
