// The history of a portal × the checkout of its file → the apply that the file knows nothing of: from a commit which is no part of it.
import type { Io } from "../io.js";
import { isEqual } from "../json.js";
import type { Apart } from "../plan/inputs.js";
import { keyOf } from "../plan/spelling.js";
import type { Path } from "../settings.js";
import { isPart } from "../state/author/checkout.js";
import { appliesOf, isTaken, type Entry, type State } from "../state/state.js";
import type { ReachablePortal } from "./reachable.js";

/**
 * While a hold lasts, of the applies that were rolled back; else of those that set what the file wants otherwise. Git is
 * asked for nothing where there are none. A file that knows less than was applied would undo it without being meant to.
 */
export async function applyApart(
  state: State | undefined,
  { desired, leaves, isPutBack = false }: Pick<ReachablePortal, "desired" | "leaves" | "isPutBack">,
  io: Io,
): Promise<Apart | undefined> {
  if (!state || isPutBack) return undefined;
  const found = state.hold
    ? settersOf(state.hold.wants, appliesOf(state).filter(isByFile))
    : settersOf(wantedOtherwise(state, leaves), appliesOf(state)).filter(({ entry }) =>
        isByFile(entry),
      );
  const apart: Setter[] = [];
  for (const each of found) {
    const { commit } = each.entry.by;
    if (commit === undefined) continue;
    if ((await isPart(commit, io, desired.paths)) === false) apart.push(each);
  }
  const newest = apart.toSorted((one, other) => other.entry.serial - one.entry.serial)[0];
  if (!newest) return undefined;
  const { time, by } = newest.entry;
  return { time, by: by.actor, commit: by.commit ?? "", paths: apart.map(({ path }) => path) };
}

function isByFile({ kind, changes }: Entry): boolean {
  return kind === "apply" && changes.some(({ cause }) => cause === "file");
}

/** What the file sets otherwise than it was sent last, and what it does not set any more. */
function wantedOtherwise(
  state: State,
  leaves: ReachablePortal["leaves"],
): readonly { readonly path: Path }[] {
  const wanted = new Map(leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const sent = new Map(state.leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const others = [...sent].filter(([key]) => !wanted.has(key)).map(([, leaf]) => leaf);
  const changed = [...wanted].flatMap(([key, leaf]) => {
    const last = sent.get(key);
    return last && isEqual(last.sent, leaf.value) ? [] : [leaf];
  });
  return [...changed, ...others];
}

interface Setter {
  readonly path: Path;
  readonly entry: Entry;
}

/** The newest entry that changed each of these; none for what no entry tells of. */
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
