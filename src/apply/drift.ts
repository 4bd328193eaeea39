// Finds what was changed outside Lintel since the last apply.
import { Failure } from "../failure.js";
import { driftOf, type Drift } from "../plan/drift.js";
import { isPicked, valueAt } from "../plan/spelling.js";
import { formatPath, type Path } from "../settings.js";
import { appliesOf } from "../state/state.js";
import { someOf } from "../lib/text.js";
import type { Snapshot } from "./snapshot.js";

export type { Drift };

/** Undefined if nothing was applied or the portal was not read. `isAll` includes unmanaged settings. */
export function driftIn({ state, live }: Snapshot, isAll = false): readonly Drift[] | undefined {
  if (!state || live.kind === "unread") return undefined;
  const applies = appliesOf(state);
  if (applies.length === 0) return undefined;
  const whole = isAll ? applies.at(-1)?.live?.after : undefined;
  const { leaves, journal } = state;
  return driftOf(
    { leaves, ...(journal && { pending: journal.settings }), ...(whole && { whole }) },
    live,
  );
}

interface Compared {
  /** Includes settings that are not managed. */
  readonly isAll?: boolean;
  readonly paths?: readonly Path[] | undefined;
}

/** Why drift cannot be seen: the portal may hide verified settings. Undefined if it hides none. */
export function hiddenDrift(
  { state, live }: Snapshot,
  { isAll = false, paths }: Compared = {},
): Failure | undefined {
  if (!state || live.kind === "unread" || live.unproven === undefined) return undefined;
  const { settings, unproven } = live;
  const hidden = state.leaves.filter(
    ({ path, shown }) =>
      isPicked(path, paths) && shown !== null && (valueAt(settings, path) ?? null) === null,
  );
  if (hidden.length === 0 && !isAll) return undefined;
  const names = hidden.map(({ path }) => `"${formatPath(path)}"`);
  const what = names.length > 0 ? someOf(names, "setting") : "unmanaged settings";
  return new Failure(
    "sign-in-refused",
    `${unproven} The portal may hide ${what}, so drift cannot be seen.`,
    "Sign in as an administrator. To check the account:\n  lintel doctor",
  );
}
