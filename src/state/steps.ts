// The changes of a state by applies, rollbacks and state commands. Each one returns the state for one write.
import { isEqual } from "../lib/json.js";
import { isSamePath, type AppliedLeaf, type Path } from "../settings.js";
import { append } from "./history.js";
import type { PortalIdentity } from "./key.js";
import { entryOf, rollbackHoldOf } from "./state.js";
import type { Entry, Hold, Journal, Moved, NOTES, OwnPortal, State } from "./state.js";

/** The state before the first write. */
export function emptyState(lineage: string, portal: PortalIdentity): State {
  return { lineage, serial: 0, portal, leaves: [], history: [] };
}

/**
 * A hold given here is in force even if the apply gets no further. If the outcome of an earlier journal cannot be seen,
 * and something else is sent now, the earlier one becomes an entry of unknown outcome.
 */
export function withJournal(state: State, journal: Journal, hold = state.hold): State {
  const { journal: earlier } = state;
  const written = next({ ...state, journal, ...(hold && { hold }) });
  if (!earlier || journal.before || isEqual(earlier.settings, journal.settings)) return written;
  const live = earlier.before && { live: { before: earlier.before } };
  const entry = { ...entryOf(earlier), outcome: "unknown" as const };
  return noting(written, { ...entry, ...live });
}

/** Contains every leaf that is managed from now on. */
export type Settlement = Omit<
  Journal,
  "settings" | "timeoutMs" | "process" | "before" | "leaves"
> & {
  readonly live?: NonNullable<Entry["live"]>;
  readonly leaves: readonly AppliedLeaf[];
  /** The portal's own identity, or the known one if this run did not read it. */
  readonly own?: OwnPortal | undefined;
};

/**
 * Closes the journal if one is open. An apply that sends nothing has none. The hold remains unless another one is
 * given; null ends it.
 */
export function settle(
  state: State,
  { leaves, own, ...settled }: Settlement,
  hold: Hold | null | undefined = state.hold,
): State {
  const { journal: _closed, hold: before, alsoSent: _earlier, portal, ...rest } = next(state);
  const { alsoSent, kind, time, by } = settled;
  const held = {
    ...rest,
    portal: own ? { ...portal, own } : portal,
    leaves,
    ...(alsoSent && { alsoSent }),
    ...(hold && { hold }),
  };
  const begun = kind === "rollback" && hold;
  return noting(
    held,
    settled,
    ...(begun ? [noteFor("hold", { time, by: hold.by, why: hold.why })] : []),
    ...(before && !hold
      ? [noteFor("unhold", { time, by, why: before.wants ? AGREED : OVER })]
      : []),
  );
}

const AGREED = "the file agrees with the rollback";
const OVER = "its end had passed";

/**
 * Removes a journal whose update certainly never arrived, and restores the earlier hold. Returns the same state without
 * a journal.
 */
export function withoutJournal(state: State, hold: Hold | undefined): State {
  if (!state.journal) return state;
  const { journal: _never, hold: _with, ...rest } = next(state);
  return hold ? { ...rest, hold } : rest;
}

/** Who made the note, when and why. */
export type Note = Pick<Entry, "time" | "by" | "why">;

/** Places a manual hold, and replaces an earlier one. After its end, a rollback before it still holds the portal. */
export function withHold(state: State, hold: Omit<Hold, "wants">): State {
  const { since: time, by, why, until } = hold;
  const wants = until === undefined ? undefined : state.hold?.wants;
  const held = next({ ...state, hold: { ...hold, ...(wants && { wants }) } });
  const entry = noteFor("hold", { time, by, why });
  return noting(held, { ...entry, ...(until !== undefined && { until }) });
}

/** Returns the same state without a hold. */
export function withoutHold(state: State, note: Note): State {
  if (!state.hold) return state;
  const { hold: _ended, ...rest } = next(state);
  return noting(rest, noteFor("unhold", note));
}

/** Ends the hold because the file agrees with the rollback. */
export function withHoldMet(state: State, note: Omit<Note, "why">): State {
  return rollbackHoldOf(state) ? withoutHold(state, { ...note, why: AGREED }) : state;
}

/** Stops managing these leaves, and stops sending them. Returns the same state if nothing changes. */
export function withoutLeaves(state: State, paths: readonly Path[], note: Note): State {
  const isReleased = ({ path }: { readonly path: Path }) =>
    paths.some((released) => isSamePath(released, path));
  const isKept = (each: { readonly path: Path }) => !isReleased(each);
  const leaves = state.leaves.filter(isKept);
  const pending = state.journal?.leaves.filter(isKept);
  const { journal, alsoSent: others = [], ...rest } = state;
  const alsoSent = others.filter(isKept);
  const isSame =
    leaves.length === state.leaves.length &&
    alsoSent.length === others.length &&
    pending?.length === journal?.leaves.length;
  if (isSame) return state;
  const released = next({
    ...rest,
    leaves,
    ...(alsoSent.length > 0 && { alsoSent }),
    ...(journal && pending && { journal: { ...journal, leaves: pending } }),
  });
  return noting(released, { ...noteFor("release", note), paths });
}

/** The state with a mark, for the place that it leaves. Its content remains complete. */
export function marked(state: State, moved: Moved): State {
  return { ...next(state), moved };
}

/** The state with a new serial only: a write that tests the place and leaves nothing in the history. */
export function again(state: State): State {
  return next(state);
}

/** Removes the mark of a cancelled move. */
export function withoutMark(state: State): State {
  const { moved: _no, ...rest } = next(state);
  return rest;
}

/** The state for its new place. `why` names both places. */
export function moved(state: State, note: Note): State {
  const written = withoutMark(state);
  return noting(written, noteFor("move", note));
}

/** Records that a person reviewed the state. The write signs it. */
export function trusted(state: State, note: Note): State {
  const written = next(state);
  return noting(written, noteFor("sign", note));
}

/** Records that a person accepted an older or new state. `why` names the serial that was seen before. */
export function accepted(state: State, note: Note): State {
  const written = next(state);
  return noting(written, noteFor("accept", note));
}

function noteFor(kind: (typeof NOTES)[number], { time, by, why }: Note): Entry {
  return { kind, time, by, guards: [], changes: [], ...(why !== undefined && { why }) };
}

function next(state: State): State {
  return { ...state, serial: state.serial + 1 };
}

function noting(state: State, ...entries: readonly Omit<Entry, "number">[]): State {
  return { ...state, ...append(state, ...entries) };
}
