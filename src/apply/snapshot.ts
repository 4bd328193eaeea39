// Combines a state and the live settings of the same time, and interprets an open journal.
import { listedIn } from "../catalog/catalog.js";
import { keyOf } from "../catalog/spelling.js";
import type { Io } from "../io.js";
import { isWhole, type DivergentApply, type Live, type LiveRead } from "../plan/inputs.js";
import { valueAt } from "../plan/spelling.js";
import type { Path } from "../settings.js";
import {
  arrivalOf,
  recover,
  reportedUnknownMs,
  type Arrival,
  type View,
} from "../state/recover.js";
import type { State } from "../state/state.js";
import type { Version } from "../state/state-store.js";

/** The state and the portal, read one after the other. */
export interface Snapshot {
  readonly state: State | undefined;
  /** The version of the state; undefined before the first write. */
  readonly version?: Version | undefined;
  readonly live: Live;
  /** Applies that the checkout of the file does not contain. */
  readonly divergent?: readonly DivergentApply[];
}

/** The state with the update of an open journal, if the portal shows it. */
export function recoverable({ state, live }: Snapshot): State | undefined {
  if (!state?.journal || live.kind !== "read") return undefined;
  return recover(state, { ...viewOf(live), settings: listedIn(live.settings), keyOf });
}

/** What the portal shows of an open journal's update. */
export function arrivalIn({ state, live }: Snapshot, io: Pick<Io, "now" | "machine">): Arrival {
  if (!state?.journal || live.kind !== "read") return "unknown";
  return arrivalOf(state.journal, viewOf(live), reportedUnknownMs(state.journal, io) > 0);
}

export function viewOf(live: LiveRead): View {
  const at = (path: Path) => valueAt(live.settings, path) ?? null;
  return { at, isWhole: isWhole(live) };
}
