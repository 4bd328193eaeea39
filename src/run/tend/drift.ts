// A portal and its state, as they were looked at → what somebody else changed since the last apply.
import { driftOf, type Drift } from "../../plan/drift.js";
import { appliesOf } from "../../state/state.js";
import type { Look } from "../apply.js";

export type { Drift };

/** Undefined where nothing was ever applied, or nobody could look, so that there is nothing to compare. `isAll`: unmanaged settings, too. */
export function driftIn({ state, live }: Look, isAll = false): readonly Drift[] | undefined {
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
