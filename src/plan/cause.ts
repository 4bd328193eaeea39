// A leaf that is wanted × what was applied last → what its change comes from: the file, a window, a hand, or a rollback.
import { digest } from "../digest.js";
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
  /** What the file gave when somebody applied it, by digests. */
  readonly given: readonly string[] | undefined;
}

/**
 * A window causes a change where the file still gives the value that was applied last, at another time than this: then time
 * has passed and nothing else. Where it gives that value no more, or gives either of the two otherwise than when somebody
 * applied it, the file was changed: a window that nobody has applied yet must not open by itself.
 */
export function causeOf(leaf: DesiredLeaf, origin: Origin): Cause {
  const { value, window } = lastOf(leaf, origin);
  if (value === undefined) return "file";
  if (isAsGiven(leaf, value)) return "drift";
  const [then, now] = [window, leaf.window].map((name) =>
    leaf.gives?.find((each) => each.window?.name === name),
  );
  if (!then || !now || then === now || !isAsGiven(then, value)) return "file";
  const isApplied = (each: Given) => origin.given?.includes(digestOfGiven(each)) ?? false;
  return isApplied(then) && isApplied(now) ? "schedule" : "file";
}

/** What a file's apply takes note of for a leaf: all that the file gives it from now on, and what it knew before of windows that are over. */
export function givenDigests(
  { gives }: DesiredLeaf,
  known: readonly string[] = [],
): readonly string[] | undefined {
  return gives?.flatMap((each) => {
    const digest = digestOfGiven(each);
    return each.window?.isOver && !known.includes(digest) ? [] : [digest];
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

/** Of the window as well: one that was moved is another one. */
export function digestOfGiven({ window, content = "", action, value }: Given): string {
  if (!window) return digest({ action, value });
  const { name, from, until } = window;
  return digest({ window: { name, from, until, content }, action, value });
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
