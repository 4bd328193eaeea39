// Computes drift: what was changed on the portal since the last apply.
import { inReferenceOrder, listedIn } from "../catalog/catalog.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import { leavesOf, type Path } from "../settings.js";
import { isWhole, type Last, type LiveRead } from "./inputs.js";
import { keyOf } from "../catalog/spelling.js";
import { valueAt } from "./spelling.js";

export interface Drift {
  readonly path: Path;
  /** Null for no value. */
  readonly proven: Json;
  /** Null for no value. */
  readonly live: Json;
  readonly isManaged: boolean;
}

/** The values after the last apply. A value of `pending`, the open journal, is not drift. */
export interface Proven extends Pick<Last, "leaves"> {
  readonly pending?: JsonObject;
  /** All parameters after the last apply, to include unmanaged settings. */
  readonly whole?: JsonObject;
}

/** In the order of the reference. Settings that the account may not see are left out. */
export function driftOf({ leaves, pending = {}, whole }: Proven, view: LiveRead): Drift[] {
  const live = view.settings;
  const others = whole ? [...leavesOf(whole), ...leavesOf(listedIn(live))] : [];
  // A Map keeps the later of two entries: the managed one.
  const all = new Map([
    ...others.map(({ path }) => drift(path, valueAt(whole ?? {}, path) ?? null, false)),
    ...leaves.map(({ path, shown }) => drift(path, shown, true)),
  ]);
  const changed = [...all.values()].filter(
    ({ path, proven, live: now }) =>
      (now !== null || isWhole(view)) &&
      !isEqual(proven, now) &&
      !isEqual(valueAt(pending, path) ?? proven, now),
  );
  return inReferenceOrder(changed, ({ path }) => path);

  function drift(path: Path, proven: Json, isManaged: boolean): [string, Drift] {
    return [keyOf(path), { path, proven, live: valueAt(live, path) ?? null, isManaged }];
  }
}
