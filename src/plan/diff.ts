// Desired × last × live → what becomes of each leaf. A change that cannot be shown is no change.
import { inReferenceOrder } from "../catalog/catalog.js";
import { isEqual, type Json } from "../json.js";
import type { AppliedLeaf, DesiredLeaf, Path, Spot } from "../settings.js";
import type { Inputs, Last, Live } from "./inputs.js";
import { isTouched } from "./also-sent.js";
import {
  deprecatedNote,
  driftNote,
  MANAGED_AGAIN,
  noLongerSent,
  SENT_AGAIN,
  STILL_SENT,
  undoNote,
} from "./note.js";
import type { Note } from "./note.js";
import { keyOf, valueAt } from "./spelling.js";

/** `adopt` and `release` are written into the state alone. */
export type Action = "set" | "default" | "release" | "adopt";

export interface Change {
  /** As the file spells it; a released leaf as the state does. */
  readonly path: Path;
  readonly action: Action;
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
}

type Verdict = "keep" | "adopt" | "send";

type LastSent = "nothing" | "desired" | "other";

/**
 * - unread: nobody could see · unproven: nor is it known which of two values the portal took
 * - settled: as desired, as it was proven last · desired: as desired, but not as proven last
 * - shown: not as desired, but as the portal made of what it was sent · other: anything else, or nothing
 */
type Shows = "unread" | "unproven" | "settled" | "desired" | "shown" | "other";

/**
 * What becomes of a leaf that the file wants, by what was last sent (rows) and what the portal shows (columns).
 * One that the file does not want is released where it was applied, and is otherwise none of ours, whatever it shows.
 */
const VERDICTS: Readonly<Record<LastSent, Readonly<Record<Shows, Verdict>>>> = {
  nothing: {
    unread: "send",
    unproven: "send",
    settled: "adopt",
    desired: "adopt",
    shown: "send",
    other: "send",
  },
  desired: {
    unread: "keep",
    unproven: "send",
    settled: "keep",
    desired: "adopt",
    shown: "keep",
    other: "send",
  },
  other: {
    unread: "send",
    unproven: "send",
    settled: "adopt",
    desired: "adopt",
    shown: "send",
    other: "send",
  },
};

export function diff(inputs: Inputs): Diff {
  const { desired, last, live, target, options } = inputs;
  const wanted = new Map(desired.map((leaf) => [keyOf(leaf.path), leaf]));
  const applied = new Map(last?.leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const others = new Map(last?.alsoSent?.map((leaf) => [keyOf(leaf.path), leaf]));
  const shownOtherwise: Path[] = [];
  // Of two entries with one key a Map keeps the later, so that the file's spelling goes before the state's.
  const all = [...new Map<string, { readonly path: Path }>([...applied, ...wanted])];
  const ordered = inReferenceOrder(all, ([, { path }]) => path);
  const differences = ordered.flatMap(([key, { path }]): Difference[] => {
    const other = live.kind === "unread" ? others.get(key) : undefined;
    const known: Knowledge = {
      desired: wanted.get(key),
      last: applied.get(key) ?? (other && { ...other, shown: other.sent }),
      pending: pendingAt(last, path),
      live: liveAt(live, path),
    };
    if (!known.desired) return known.last ? [release(known.last, known, inputs)] : [];
    const [sent, shows] = [lastSent(known.desired, known), whatShows(known.desired, known)];
    const isManaged = !other || applied.has(key);
    const found = isManaged ? VERDICTS[sent][shows] : adopted(VERDICTS[sent][shows]);
    // Where the state is left out, there is nothing that could take note.
    const verdict = found === "adopt" && options.compareWith === "live" ? "keep" : found;
    if (verdict === "keep") {
      if (shows === "shown") shownOtherwise.push(known.desired.path);
      return [];
    }
    return [differ(known.desired, known, verdict, target.known)];
  });
  return { differences, shownOtherwise };
}

/** What was sent without being managed is so already; that it is managed again must be noted. */
function adopted(verdict: Verdict): Verdict {
  return verdict === "keep" ? "adopt" : verdict;
}

function lastSent(desired: DesiredLeaf, { last }: Knowledge): LastSent {
  if (!last) return "nothing";
  return isAsDesired(desired, last.sent) ? "desired" : "other";
}

function whatShows(desired: DesiredLeaf, known: Knowledge): Shows {
  const { last, live } = known;
  if (live === undefined) return isUnproven(known) ? "unproven" : "unread";
  // For the documented default, a portal that shows nothing and one that shows it are the same.
  const isDesired = isAsDesired(desired, live);
  const isProven =
    last !== undefined &&
    (isEqual(live, last.shown) || (isDesired && isAsDesired(desired, last.shown)));
  if (isDesired) return isProven ? "settled" : "desired";
  return isProven ? "shown" : "other";
}

function isAsDesired({ action, value }: DesiredLeaf, held: Json): boolean {
  return isEqual(held, value) || (action === "default" && held === null);
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
): Difference {
  const before = known.live === undefined ? (known.last?.sent ?? null) : known.live;
  return {
    change: {
      path,
      action: verdict === "adopt" ? "adopt" : action,
      before,
      after: value,
      place,
      notes: [
        ...drift(known),
        ...(isUnproven(known) ? [SENT_AGAIN] : []),
        ...(verdict === "adopt" && known.live === undefined ? [MANAGED_AGAIN] : []),
        ...deprecatedNote(path, target),
      ],
    },
    couldBe: couldBe(known),
  };
}

function release({ path, sent }: AppliedLeaf, known: Knowledge, inputs: Inputs): Difference {
  const { live } = inputs;
  const value = known.live === undefined ? sent : known.live;
  const isNeverRead = live.kind === "unread" && live.why === "never";
  const later = isTouched(path, inputs) ? STILL_SENT : noLongerSent(path);
  return {
    change: {
      path,
      action: "release",
      before: value,
      after: value,
      place: null,
      notes: [...drift(known), undoNote(path, value), ...(isNeverRead ? [later] : [])],
    },
    couldBe: couldBe(known),
  };
}

/** What an apply was about to send when its outcome was lost is no drift. */
function drift({ desired, last, pending, live }: Knowledge): Note[] {
  if (!last || live === undefined || isEqual(live, last.shown)) return [];
  if (desired && isAsDesired(desired, live) && isAsDesired(desired, last.shown)) return [];
  return pending !== undefined && isEqual(live, pending) ? [] : [driftNote(last.shown)];
}

function couldBe({ last, pending, live }: Knowledge): Json[] {
  if (live !== undefined) return [live];
  return [last?.sent ?? null, ...(pending === undefined ? [] : [pending])];
}

function liveAt(live: Live, path: Path): Json | undefined {
  if (live.kind === "unread") return undefined;
  const found = valueAt(live.settings, path);
  return found ?? (live.view === "signed-in" ? null : undefined);
}

function pendingAt(last: Last | undefined, path: Path): Json | undefined {
  return last?.pending && valueAt(last.pending.settings, path);
}
