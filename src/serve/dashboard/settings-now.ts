// Computes the current settings of a portal from its state and the drift found since.
import { isJsonObject, type Json, type JsonObject } from "../../lib/json.js";
import { readPath, withLeaf, type Path } from "../../settings.js";
import { appliesOf, type State } from "../../state/state.js";
import type { Snapshot } from "../snapshot.js";

export interface SettingsNow {
  readonly settings: JsonObject;
  /** If false, unmanaged settings are unknown. */
  readonly isWhole: boolean;
  readonly managed: readonly Path[];
}

/** Undefined if nothing was ever applied. */
export function settingsNow(
  state: Pick<State, "history" | "leaves"> | undefined,
  drift: Snapshot["drift"],
): SettingsNow | undefined {
  if (!state) return undefined;
  const whole = appliesOf(state).findLast(({ live }) => live?.after)?.live?.after;
  const shown = state.leaves.reduce<JsonObject>(
    (held, { path, shown }) => put(held, path, shown),
    whole ?? {},
  );
  const settings = drift.reduce<JsonObject>(
    (held, { path, live }) => put(held, readPath(path), live),
    shown,
  );
  const managed = state.leaves.map(({ path }) => path);
  return { settings, isWhole: whole !== undefined, managed };
}

/** The settings after the pending changes are applied. */
export function settingsAfter(now: JsonObject, waiting: Snapshot["waiting"]): JsonObject {
  return waiting.reduce((held, { path, after }) => put(held, readPath(path), after ?? null), now);
}

/** Null means no value. */
function put(settings: JsonObject, path: Path, value: Json): JsonObject {
  return value === null ? without(settings, path) : withLeaf(settings, { path, value });
}

function without(settings: JsonObject, [first, ...rest]: Path): JsonObject {
  if (first === undefined || !Object.hasOwn(settings, first)) return settings;
  const { [first]: held, ...others } = settings;
  return rest.length > 0 && isJsonObject(held)
    ? { ...settings, [first]: without(held, rest) }
    : others;
}
