// Finds applies in a portal's history whose commit is not in the checkout of its file.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { isEqual } from "../lib/json.js";
import type { DivergentApply } from "../plan/inputs.js";
import { keyOf } from "../catalog/spelling.js";
import { shellWord } from "../lib/text.js";
import type { Path } from "../settings.js";
import { isPart } from "../state/author/checkout.js";
import {
  appliesOf,
  isByFile,
  isTaken,
  rollbackHoldOf,
  type Entry,
  type Journal,
  type State,
} from "../state/state.js";
import { recoverable, type Snapshot } from "./snapshot.js";
import type { PortalContext } from "./portal-context.js";

/**
 * During a hold, these are the applies that were rolled back. Otherwise they are those that set, or may have set, other
 * values than the file: a stale checkout would undo them by accident. Git is called only if there are any. Newest
 * first.
 */
export async function divergentApplies(
  { state: found, live }: Pick<Snapshot, "state" | "live">,
  { desired, leaves, isRollback = false }: Pick<PortalContext, "desired" | "leaves" | "isRollback">,
  io: Io,
): Promise<readonly DivergentApply[]> {
  // The part of an open journal that arrived is the newest apply.
  const state = recoverable({ state: found, live }) ?? found;
  if (!state || isRollback || !isOfCommit(state)) return [];
  const hold = rollbackHoldOf(state);
  const setters = hold
    ? settersOf(hold.wants, appliesOf(state).filter(isByFile))
    : [...pendingIn(state, leaves), ...settersOf(changedInFile(state, leaves), appliesOf(state))];
  const divergent = new Map<Setter["entry"], Path[]>();
  for (const { entry, path } of setters.filter(({ entry }) => isByFile(entry))) {
    const { commit } = entry.by;
    const isElsewhere = commit !== undefined && (await isPart(commit, io, desired.paths)) === false;
    if (isElsewhere) divergent.set(entry, [...(divergent.get(entry) ?? []), path]);
  }
  return [...divergent]
    .toSorted(([{ number: one = Infinity }], [{ number: other = Infinity }]) => other - one)
    .map(([{ time, by, number }, paths]) => ({
      time,
      by: by.actor,
      commit: by.commit ?? "",
      paths,
      isPending: number === undefined,
    }));
}

/** For unattended runs: a stale checkout must not restore older values. */
export async function assertForward(
  state: State | undefined,
  { desired }: Pick<PortalContext, "desired">,
  io: Io,
): Promise<void> {
  const applies = state ? appliesOf(state).map(({ by }) => by.commit) : [];
  const commit = [...applies, state?.journal?.by.commit].findLast((each) => each !== undefined);
  if (commit === undefined || (await isPart(commit, io, desired.paths)) !== false) return;
  if (commit.endsWith("-dirty")) {
    throw new Failure(
      "commit-not-contained",
      `Nothing was sent: the portal was last applied from ${commit.slice(0, 10)} with uncommitted changes.`,
      `Commit and push them, or apply the file as it is committed:\n  lintel apply ${shellWord(desired.file)}`,
    );
  }
  throw new Failure(
    "commit-not-contained",
    `Nothing was sent: the portal was last applied from ${commit.slice(0, 10)}, and this checkout does not contain that commit.`,
    `Push that commit, or apply the file from a checkout that contains it:\n  lintel apply ${shellWord(desired.file)}`,
  );
}

/** Without a known commit, git cannot answer. */
function isOfCommit({ history, journal }: State): boolean {
  return [...history, ...(journal ? [journal] : [])].some(({ by }) => by.commit !== undefined);
}

/** Values in an open journal that differ from the file. Whether they arrived is unknown. */
function pendingIn({ journal }: State, leaves: PortalContext["leaves"]): Setter[] {
  if (!journal) return [];
  const otherwise = changedInFile(journal, leaves).map(({ path }) => keyOf(path));
  return journal.changes
    .filter(({ path }) => otherwise.includes(keyOf(path)))
    .map(({ path }) => ({ path, entry: journal }));
}

/** Leaves that the file sets to another value than the last one sent, or no longer sets. */
export function changedInFile(
  state: Pick<State, "leaves"> | Journal,
  leaves: PortalContext["leaves"],
): readonly { readonly path: Path }[] {
  const sent = new Map(state.leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const changed = leaves.filter(({ path, value }) => {
    const last = sent.get(keyOf(path));
    return !last || !isEqual(last.sent, value);
  });
  for (const { path } of leaves) sent.delete(keyOf(path));
  return [...changed, ...sent.values()];
}

interface Setter {
  readonly path: Path;
  /** An open journal has no number yet. */
  readonly entry: Pick<Entry, "kind" | "changes" | "by" | "time"> & { readonly number?: number };
}

/** The newest entry that changed each of these leaves, if there is one. */
function settersOf(
  leaves: readonly { readonly path: Path }[],
  entries: readonly Entry[],
): readonly Setter[] {
  const missing = new Map(leaves.map(({ path }) => [keyOf(path), path]));
  const found: Setter[] = [];
  for (const entry of entries.toReversed()) {
    if (missing.size === 0) break;
    for (const change of entry.changes) {
      const key = keyOf(change.path);
      const path = missing.get(key);
      if (path === undefined || !isTaken(change)) continue;
      found.push({ path, entry });
      missing.delete(key);
    }
  }
  return found;
}
