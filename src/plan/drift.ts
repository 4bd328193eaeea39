// What was proven last × what the portal shows now → what somebody else changed meanwhile.
import { inReferenceOrder, listedIn } from "../catalog/catalog.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import { leavesOf, type Path } from "../settings.js";
import { isWhole, type Last, type LiveRead } from "./inputs.js";
import { keyOf } from "../catalog/spelling.js";
import { valueAt } from "./spelling.js";

export interface Drift {
  readonly path: Path;
  /** Null where nothing stood. */
  readonly proven: Json;
  /** Null where nothing stands any more. */
  readonly live: Json;
  readonly isManaged: boolean;
}

/** What was proven; `pending` is what an open journal was about to send: whatever of it shows is no drift. */
export interface Proven extends Pick<Last, "leaves"> {
  readonly pending?: JsonObject;
  /** All parameters of the reference after the last apply, where the unmanaged ones are asked for too. */
  readonly whole?: JsonObject;
}

/** In the order of the reference. What others than an administrator cannot see may be as it was. */
export function driftOf({ leaves, pending = {}, whole }: Proven, view: LiveRead): Drift[] {
  const live = view.settings;
  const others = whole ? [...leavesOf(whole), ...leavesOf(listedIn(live))] : [];
  // Of two entries with one key a Map keeps the later: what is managed.
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
