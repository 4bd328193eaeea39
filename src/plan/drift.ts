// What was proven last × what the portal shows now → what somebody else changed meanwhile.
import { inReferenceOrder, listedIn } from "../catalog/catalog.js";
import { isEqual, type Json, type JsonObject } from "../json.js";
import { leavesOf, type AppliedLeaf, type Path } from "../settings.js";
import { keyOf, valueAt } from "./spelling.js";

export interface Drift {
  readonly path: Path;
  /** Null where nothing stood. */
  readonly proven: Json;
  /** Null where nothing stands any more. */
  readonly live: Json;
  readonly isManaged: boolean;
}

export interface Proven {
  readonly leaves: readonly AppliedLeaf[];
  /** What an open journal was about to send; whatever of it shows is no drift. */
  readonly pending?: JsonObject;
  /** All parameters of the reference after the last apply, where the unmanaged ones are asked for too. */
  readonly whole?: JsonObject;
}

/** In the order of the reference. */
export function driftOf({ leaves, pending = {}, whole }: Proven, live: JsonObject): Drift[] {
  const managed = leaves.map(({ path, shown }) => drift(path, shown, true));
  const keys = new Set(leaves.map(({ path }) => keyOf(path)));
  const others = [...leavesOf(whole ?? {}), ...(whole ? leavesOf(listedIn(live)) : [])]
    .filter(({ path }) => !keys.has(keyOf(path)))
    .map(({ path }) => drift(path, valueAt(whole ?? {}, path) ?? null, false));
  const all = new Map([...managed, ...others].map((each) => [keyOf(each.path), each]));
  return inReferenceOrder([...all.values()].filter(isDrift), ({ path }) => path);

  function drift(path: Path, proven: Json, isManaged: boolean): Drift {
    const now = valueAt(live, path) ?? null;
    return { path, proven, live: now, isManaged };
  }

  function isDrift({ path, proven, live: now }: Drift): boolean {
    return !isEqual(proven, now) && !isEqual(valueAt(pending, path) ?? proven, now);
  }
}
