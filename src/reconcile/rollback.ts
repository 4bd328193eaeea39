// A portal that was applied to, and a serial → the portal as it was then: the leaves to put back, and what cannot be.
import { findSetting } from "../catalog/catalog.js";
import { isEqual, type Json } from "../json.js";
import { keyOf } from "../plan/spelling.js";
import { hasSwitch, SWITCH } from "../plan/note.js";
import type { DesiredLeaf, Path } from "../settings.js";
import { rewind, type Rewound } from "../state/rewind.js";
import type { State, WantedLeaf } from "../state/state.js";

export interface Rollback {
  /** Everything that is managed, with the values of that time. */
  readonly leaves: readonly DesiredLeaf[];
  /** What later applies must not undo without a person. */
  readonly wants: readonly WantedLeaf[];
  /** Changed since then, and left as it is: nobody knows what stood there, or nothing did and no value says so. */
  readonly lost: readonly Rewound[];
}

export function rollback(state: State, serial: number, isAsLeft: boolean): Rollback {
  const rewound = rewind(state, { serial, isAsLeft, keyOf }).map(({ path, value }) => ({
    path,
    value,
    put: value === undefined ? undefined : putBack(path, value),
  }));
  const back = rewound.flatMap(({ put }) => (put ? [put] : []));
  const changed = new Set(rewound.map(({ path }) => keyOf(path)));
  const others = state.leaves
    .filter(({ path }) => !changed.has(keyOf(path)))
    .map(({ path, sent }) => leafOf(path, sent));
  return {
    leaves: [...back, ...others],
    wants: back.map(({ path, value }) => ({ path, value })),
    lost: rewound.filter(({ put }) => !put).map(({ path, value }) => ({ path, value })),
  };
}

/** An update can set values and nothing else; where nothing stood, the documented default or "off" is the same. */
function putBack(path: Path, value: Json): DesiredLeaf | undefined {
  if (value !== null) return leafOf(path, value);
  const byDefault = findSetting(path)?.property?.default;
  if (byDefault !== undefined) return { path, action: "default", value: byDefault, place: null };
  if (path.at(-1) === SWITCH && hasSwitch(path)) return leafOf(path, false);
  return undefined;
}

/** The documented default may show as nothing, so that it must be asked for by that name. */
function leafOf(path: Path, value: Json): DesiredLeaf {
  const byDefault = findSetting(path)?.property?.default;
  const isDefault = byDefault !== undefined && isEqual(byDefault, value);
  return { path, action: isDefault ? "default" : "set", value, place: null };
}
