// A state → the next one: the steps that an apply, a rollback and the state commands take. Each is one write.
import { isEqual } from "../json.js";
import { isSamePath, type AppliedLeaf, type Path } from "../settings.js";
import type { PortalIdentity } from "./key.js";
import type { Entry, Hold, Journal, State } from "./state.js";

/** The entries that keep the live values, which are most of what a history holds. */
export const ENTRIES_WITH_VALUES = 50;

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
  const { settings: _sent, leaves: _wanted, timeoutMs: _waited, before, ...entry } = earlier;
  const live = before && { live: { before } };
  const lost: Entry = { ...entry, serial: written.serial, outcome: "unknown", ...live };
  return { ...written, history: [...state.history, lost].map(trim) };
}

/** With every leaf that is managed from now on. */
export type Settlement = Omit<Entry, "serial"> & { readonly leaves: readonly AppliedLeaf[] };

/**
 * Closes the journal, if one is open: an apply that only adopts or releases sends nothing and has none. The hold
 * goes on unless another one is given; null ends it.
 */
export function settle(
  state: State,
  { leaves, ...settled }: Settlement,
  hold: Hold | null | undefined = state.hold,
): State {
  const { journal: _closed, hold: _before, alsoSent: _earlier, ...rest } = next(state);
  const { alsoSent } = settled;
  const history = [...state.history, { ...settled, serial: rest.serial }].map(trim);
  return { ...rest, leaves, ...(alsoSent && { alsoSent }), ...(hold && { hold }), history };
}

/** For what surely never happened, with the hold that there was before; the state stays the same where none is open. */
export function withoutJournal(state: State, hold: Hold | undefined): State {
  if (!state.journal) return state;
  const { journal: _never, hold: _with, ...rest } = next(state);
  return hold ? { ...rest, hold } : rest;
}

/** Without a hold nothing is to be written, and the state stays the same. */
export function withoutHold(state: State): State {
  if (!state.hold) return state;
  const { hold: _ended, ...rest } = next(state);
  return rest;
}

/** Neither manages these leaves nor goes on sending them; the state stays the same where it does neither. */
export function withoutLeaves(state: State, paths: readonly Path[]): State {
  const isKept = ({ path }: { readonly path: Path }) =>
    !paths.some((released) => isSamePath(released, path));
  const leaves = state.leaves.filter(isKept);
  const pending = state.journal?.leaves.filter(isKept);
  const { journal, alsoSent: others = [], ...rest } = state;
  const alsoSent = others.filter(isKept);
  const isSame =
    leaves.length === state.leaves.length &&
    alsoSent.length === others.length &&
    pending?.length === journal?.leaves.length;
  if (isSame) return state;
  return next({
    ...rest,
    leaves,
    ...(alsoSent.length > 0 && { alsoSent }),
    ...(journal && pending && { journal: { ...journal, leaves: pending } }),
  });
}

function next(state: State): State {
  return { ...state, serial: state.serial + 1 };
}

function trim(entry: Entry, at: number, { length }: readonly Entry[]): Entry {
  if (at >= length - ENTRIES_WITH_VALUES || !entry.live) return entry;
  const { live: _forgotten, ...rest } = entry;
  return rest;
}
