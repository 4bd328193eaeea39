// Desired × last × live → what becomes of each leaf. A change that cannot be shown is no change.
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

/** `adopt` and `release` are written into the state alone. */
export type Action = "set" | "default" | "release" | "adopt";

export interface Change {
  /** As the file spells it; a released leaf as the state does. */
  readonly path: Path;
  readonly action: Action;
  readonly cause: Cause;
  /** Absent where none has to do with it. */
  readonly window?: ChangeWindow;
  /** As the portal shows it, else as it was last sent; null where nothing stands. */
  readonly before: Json;
  readonly after: Json;
  readonly place: Spot | null;
  readonly notes: readonly Note[];
}

export interface Difference {
  readonly change: Change;
  /** Everything that may stand there now: more than one value while an apply's outcome is unknown. */
  readonly couldBe: readonly Json[];
  /** What the portal showed after the last apply, where somebody else has changed that since. */
  readonly proven?: Json;
  /** A window opened or closed, and what stands there is what was applied last. */
  readonly isAtBoundary: boolean;
}

export interface Diff {
  /** In the order of the reference, whatever the order of the inputs. */
  readonly differences: readonly Difference[];
  /** Leaves that were sent as desired and that the portal shows otherwise. */
  readonly shownOtherwise: readonly Path[];
}

/** All that is known of one leaf. */
interface Knowledge {
  readonly desired: DesiredLeaf | undefined;
  readonly last: AppliedLeaf | undefined;
  /** What an open journal was about to send; undefined where it would not have touched the leaf. */
  readonly pending: Json | undefined;
  /** Null where the portal shows nothing; undefined where nobody could see. */
  readonly live: Json | undefined;
  /** As the portal shows it, else as it was last sent; null where nothing stands. */
  readonly before: Json;
}

type Verdict = "keep" | "adopt" | "send";

/**
 * - unread: nobody could see · unproven: nor is it known which of two values the portal took
 * - settled: as desired, as it was proven last · desired: as desired, but not as proven last
 * - shown: not as desired, but as the portal made of what it was sent · other: anything else, or nothing
 */
type Shows = "unread" | "unproven" | "settled" | "desired" | "shown" | "other";

/**
 * What becomes of a leaf that the file wants, by what the portal shows: where it was sent so last, and where it was not.
 * A leaf that was applied and that the file does not want any more is released, whatever the portal shows.
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
  // Of two entries with one key a Map keeps the later, so that the file's spelling goes before the state's.
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
    // What was sent without being managed is so already; that it is managed again must be noted.
    const isNew = isNewlyGiven(leaf, managed?.given);
    const found = verdict === "keep" && (other || isNew) ? "adopt" : verdict;
    // Where the state is left out, there is nothing that could take note.
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
    const cause = inputs.isPutBack ? "rollback" : isNoted ? "file" : causeOf(leaf, origin);
    const window = inputs.isPutBack ? undefined : windowOf(leaf, origin);
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

/** Whether an open journal leaves it open which of two values the portal holds. */
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
    cause: inputs.isPutBack ? "rollback" : "file",
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

/** What an apply was about to send when its outcome was lost is no drift. */
function isDrifted(known: Knowledge): known is Drifted {
  const { last, pending, live } = known;
  if (!last || live === undefined || isAsProven(known)) return false;
  return pending === undefined || !isEqual(live, pending);
}

/** Whether somebody else wrote what stands there: what was sent may have come to show only later. */
function isOthers(known: Knowledge): known is Drifted {
  return isDrifted(known) && !isEqual(known.last.sent, known.before);
}
