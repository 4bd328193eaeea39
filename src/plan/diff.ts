// Computes the difference between desired, last applied and live settings. A change that cannot be shown is no change.
import { inReferenceOrder } from "../catalog/catalog.js";
import { isEqual, type Json } from "../lib/json.js";
import type { ChangeWindow } from "../schedule.js";
import type { AppliedLeaf, Cause, DesiredLeaf, Path, Spot } from "../settings.js";
import { causeOf, isAsGiven, isAtBoundary, isNewlyGiven, windowOf, type Origin } from "./cause.js";
import { isWhole, type Inputs, type Last, type Live } from "./inputs.js";
import { deprecatedNote, driftNote, isSwitch, noLongerSent, undoNote, type Note } from "./note.js";
import { MANAGED_AGAIN, SENT_AGAIN, STILL_SENT, WINDOWS_NOTED } from "./note.js";
import { keyOf } from "../catalog/spelling.js";
import { isTouched, valueAt } from "./spelling.js";

/** `adopt` and `release` change only the state. */
export type Action = "set" | "default" | "release" | "adopt";

export interface Change {
  /** In the spelling of the file; for a released leaf, of the state. */
  readonly path: Path;
  readonly action: Action;
  readonly cause: Cause;
  /** Absent if no window concerns the leaf. */
  readonly window?: ChangeWindow;
  /** The live value, else the last one sent; null for no value. */
  readonly before: Json;
  readonly after: Json;
  readonly place: Spot | null;
  readonly notes: readonly Note[];
}

export interface Difference {
  readonly change: Change;
  /** All values that the portal may hold now: several while the outcome of an apply is unknown. */
  readonly couldBe: readonly Json[];
  /** The value after the last apply, if it was changed outside Lintel since. */
  readonly proven?: Json;
  /** A window opened or closed, and the portal still holds the last applied value. */
  readonly isAtBoundary: boolean;
}

export interface Diff {
  /** In the order of the reference. */
  readonly differences: readonly Difference[];
  /** Leaves that were sent as desired, but that the portal shows with another value. */
  readonly shownOtherwise: readonly Path[];
}

/** All that is known of one leaf. */
interface Knowledge {
  readonly desired: DesiredLeaf | undefined;
  readonly last: AppliedLeaf | undefined;
  /** The value in an open journal; undefined if the journal does not contain the leaf. */
  readonly pending: Json | undefined;
  /** Null if the portal shows no value; undefined if it was not read. */
  readonly live: Json | undefined;
  /** The live value, else the last one sent; null for no value. */
  readonly before: Json;
}

type Verdict = "keep" | "adopt" | "send";

/**
 * What the portal shows for a leaf:
 *
 * - unread: not read · unproven: not read, and an open journal leaves two possible values
 * - settled: as desired, and as verified last · desired: as desired, but not as verified last
 * - shown: not as desired, but as the portal showed it after the last apply · other: anything else, or nothing
 */
type Shows = "unread" | "unproven" | "settled" | "desired" | "shown" | "other";

/**
 * The action for a desired leaf, by what the portal shows: if its value is the last one sent, and if it is not. A leaf
 * that was applied and is no longer in the file is always released.
 */
const VERDICTS: Readonly<Record<Shows, readonly [sentSo: Verdict, otherwise: Verdict]>> = {
  unread: ["keep", "send"],
  unproven: ["send", "send"],
  settled: ["keep", "adopt"],
  desired: ["adopt", "adopt"],
  shown: ["keep", "send"],
  other: ["send", "send"],
};

export function diff(inputs: Inputs): Diff {
  const { desired, last, live, target, options } = inputs;
  const wanted = new Map(desired.map((leaf) => [keyOf(leaf.path), leaf]));
  const applied = new Map(last?.leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const others = new Map(last?.alsoSent?.map((leaf) => [keyOf(leaf.path), leaf]));
  const windows = windowsByKey(last?.windows);
  const pendingWindows = windowsByKey(last?.pending?.windows);
  const shownOtherwise: Path[] = [];
  // A Map keeps the later of two entries, so the file's spelling has priority over the state's.
  const all = [...new Map<string, { readonly path: Path }>([...applied, ...wanted])];
  const ordered = inReferenceOrder(all, ([, { path }]) => path);
  const differences: Difference[] = [];
  for (const [key, { path }] of ordered) {
    const [leaf, managed] = [wanted.get(key), applied.get(key)];
    const other = live.kind === "unread" && !managed ? others.get(key) : undefined;
    const sentLast = managed ?? (other && { ...other, shown: other.sent });
    const shown = liveAt(live, path);
    const known: Knowledge = {
      desired: leaf,
      last: sentLast,
      pending: last?.pending && valueAt(last.pending.settings, path),
      live: shown,
      before: shown === undefined ? (sentLast?.sent ?? null) : shown,
    };
    const { pending, before } = known;
    const couldBe = shown === undefined && pending !== undefined ? [before, pending] : [before];
    if (!leaf) {
      if (managed)
        differences.push({ change: release(managed, known, inputs), couldBe, isAtBoundary: false });
      continue;
    }
    const shows = whatShows(leaf, known);
    const isSentSo = sentLast !== undefined && isAsGiven(leaf, sentLast.sent);
    const verdict = VERDICTS[shows][isSentSo ? 0 : 1];
    // A value that was sent without being managed is in sync already, but has to be tracked again.
    const isNew = isNewlyGiven(leaf, managed?.given);
    const found = verdict === "keep" && (other || isNew) ? "adopt" : verdict;
    // Without a state there is nothing to track it in.
    if (found === "keep" || (found === "adopt" && options.compareWith === "live")) {
      if (shows === "shown") shownOtherwise.push(leaf.path);
      continue;
    }
    const origin: Origin = {
      sent: managed?.sent,
      window: windows.get(key),
      pending,
      pendingWindow: pendingWindows.get(key),
      live: shown,
      shown: managed?.shown,
      given: managed?.given,
      atMs: inputs.atMs,
    };
    const isNoted = verdict === "keep" && isNew;
    const cause = inputs.isRollback ? "rollback" : isNoted ? "file" : causeOf(leaf, origin);
    const window = inputs.isRollback ? undefined : windowOf(leaf, origin);
    const differing = differ(leaf, known, found, target.known, cause, window);
    const change = isNoted ? { ...differing, notes: [WINDOWS_NOTED] } : differing;
    differences.push({
      change,
      couldBe,
      isAtBoundary: isAtBoundary(cause, origin),
      ...(isOthers(known) && { proven: known.last.shown }),
    });
  }
  return { differences, shownOtherwise };
}

function windowsByKey(windows: Last["windows"] = []): ReadonlyMap<string, string> {
  return new Map(windows.map(({ path, window }) => [keyOf(path), window]));
}

function liveAt(live: Live, path: Path): Json | undefined {
  if (live.kind === "unread") return undefined;
  return valueAt(live.settings, path) ?? (isWhole(live) ? null : undefined);
}

function whatShows(leaf: DesiredLeaf, known: Knowledge): Shows {
  if (known.live === undefined) return isUnproven(known) ? "unproven" : "unread";
  if (isAsGiven(leaf, known.live)) return isAsProven(known) ? "settled" : "desired";
  return isAsProven(known) ? "shown" : "other";
}

function isAsProven({ desired, last, live }: Knowledge): boolean {
  if (!last || live === undefined) return false;
  const isMeant = (held: Json) => desired !== undefined && isAsGiven(desired, held);
  return isEqual(live, last.shown) || (isMeant(live) && isMeant(last.shown));
}

/** Whether the portal may hold either of two values because of an open journal. */
function isUnproven({ last, pending, live }: Knowledge): boolean {
  return live === undefined && pending !== undefined && !(last && isEqual(pending, last.sent));
}

function differ(
  { path, action, value, place }: DesiredLeaf,
  known: Knowledge,
  verdict: "adopt" | "send",
  target: string,
  cause: Cause,
  window: ChangeWindow | undefined,
): Change {
  return {
    path,
    action: verdict === "adopt" ? "adopt" : action,
    cause,
    ...(window && { window }),
    before: known.before,
    after: value,
    place,
    notes: [
      ...drift(known),
      ...(isUnproven(known) ? [SENT_AGAIN] : []),
      ...(verdict === "adopt" && known.live === undefined ? [MANAGED_AGAIN] : []),
      ...deprecatedNote(path, target),
    ],
  };
}

function release({ path }: AppliedLeaf, known: Knowledge, inputs: Inputs): Change {
  const { before } = known;
  const isNeverRead = inputs.live.kind === "unread" && inputs.live.why === "never";
  const isSwitchedOff = inputs.desired.some(
    (each) => each.path[0] === path[0] && isSwitch(each.path) && each.value === false,
  );
  const later = isTouched(path, inputs.desired) ? STILL_SENT : noLongerSent(path);
  return {
    path,
    action: "release",
    cause: inputs.isRollback ? "rollback" : "file",
    before,
    after: before,
    place: null,
    notes: [
      ...drift(known),
      undoNote(path, before, isSwitchedOff),
      ...(isNeverRead ? [later] : []),
    ],
  };
}

function drift(known: Knowledge): Note[] {
  return isDrifted(known) ? [driftNote(known.last.shown)] : [];
}

type Drifted = Knowledge & { readonly last: AppliedLeaf };

/** The value of an open journal is not drift. */
function isDrifted(known: Knowledge): known is Drifted {
  const { last, pending, live } = known;
  if (!last || live === undefined || isAsProven(known)) return false;
  return pending === undefined || !isEqual(live, pending);
}

/** Whether the value comes from outside Lintel: the portal may also show the sent value late. */
function isOthers(known: Knowledge): known is Drifted {
  return isDrifted(known) && !isEqual(known.last.sent, known.before);
}
