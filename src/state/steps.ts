// A state → the next one: the steps that an apply, a rollback and the state commands take. Each is one write.
import { isEqual } from "../lib/json.js";
import { isSamePath, type AppliedLeaf, type Path } from "../settings.js";
import { append } from "./history.js";
import type { PortalIdentity } from "./key.js";
import { entryOf, rollbackHoldOf } from "./state.js";
import type { Entry, Hold, Journal, Moved, NOTES, OwnPortal, State } from "./state.js";

/** What there is before the first write. */
export function emptyState(lineage: string, portal: PortalIdentity): State {
  return { lineage, serial: 0, portal, leaves: [], history: [] };
}

/**
 * A hold that comes with it is in force even if the apply never gets further. What an earlier run may have sent becomes
 * an entry of its own where nobody can see whether it arrived and something else is sent now.
 */
export function withJournal(state: State, journal: Journal, hold = state.hold): State {
  const { journal: earlier } = state;
  const written = next({ ...state, journal, ...(hold && { hold }) });
  if (!earlier || journal.before || isEqual(earlier.settings, journal.settings)) return written;
  const live = earlier.before && { live: { before: earlier.before } };
  const entry = { ...entryOf(earlier), outcome: "unknown" as const };
  return noting(written, { ...entry, ...live });
}

/** With every leaf that is managed from now on. */
export type Settlement = Omit<
  Journal,
  "settings" | "timeoutMs" | "process" | "before" | "leaves"
> & {
  readonly live?: NonNullable<Entry["live"]>;
  readonly leaves: readonly AppliedLeaf[];
  /** What the portal calls itself; as it was known where this run did not read it. */
  readonly own?: OwnPortal | undefined;
};

/**
 * Closes the journal, if one is open: an apply that only adopts or releases sends nothing and has none. The hold
 * goes on unless another one is given; null ends it.
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

/** For what surely never happened, with the hold that there was before; the state stays the same where none is open. */
export function withoutJournal(state: State, hold: Hold | undefined): State {
  if (!state.journal) return state;
  const { journal: _never, hold: _with, ...rest } = next(state);
  return hold ? { ...rest, hold } : rest;
}

/** By whom something is noted, when and why. */
export type Note = Pick<Entry, "time" | "by" | "why">;

/** A person's, in place of any earlier one. When it ends by its time, a rollback before it still holds the portal. */
export function withHold(state: State, hold: Omit<Hold, "wants">): State {
  const { since: time, by, why, until } = hold;
  const wants = until === undefined ? undefined : state.hold?.wants;
  const held = next({ ...state, hold: { ...hold, ...(wants && { wants }) } });
  const entry = noteFor("hold", { time, by, why });
  return noting(held, { ...entry, ...(until !== undefined && { until }) });
}

/** The state stays the same where there is no hold. */
export function withoutHold(state: State, note: Note): State {
  if (!state.hold) return state;
  const { hold: _ended, ...rest } = next(state);
  return noting(rest, noteFor("unhold", note));
}

/** The same, because the file agrees with the rollback. */
export function withHoldMet(state: State, note: Omit<Note, "why">): State {
  return rollbackHoldOf(state) ? withoutHold(state, { ...note, why: AGREED }) : state;
}

/** Neither manages these leaves nor goes on sending them; the state stays the same where it does neither. */
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

/** Left at the place that it is moved away from, so that nobody goes on there; what it holds stays whole. */
export function marked(state: State, moved: Moved): State {
  return { ...next(state), moved };
}

/** The same once more: proves that it can be written, and leaves nothing in the history. */
export function again(state: State): State {
  return next(state);
}

/** For a move that is given up: it goes on where it stood. */
export function withoutMark(state: State): State {
  const { moved: _no, ...rest } = next(state);
  return rest;
}

/** For the place that it is moved to; `why` names both places. */
export function moved(state: State, note: Note): State {
  const written = withoutMark(state);
  return noting(written, noteFor("move", note));
}

/** What somebody has looked at and trusts; whoever writes it signs it. */
export function trusted(state: State, note: Note): State {
  const written = next(state);
  return noting(written, noteFor("sign", note));
}

/** An older one, or one that was begun anew, which a person goes on with; `why` says what was seen before. */
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
