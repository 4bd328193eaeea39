// A state and a serial → what every leaf that was changed since then held at that time.
import { pointInto, type Json } from "../json.js";
import type { Path } from "../settings.js";
import { isSent, type State } from "./state.js";

export interface Rewound {
  readonly path: Path;
  /** Null where nothing stood; undefined where nobody knows. */
  readonly value: Json | undefined;
}

export interface Rewinding {
  readonly serial: number;
  /** To what that apply left, rather than to what the next one found, which somebody may have changed between them. */
  readonly isAsLeft: boolean;
  /** The same for every spelling of a path. */
  readonly keyOf: (path: Path) => string;
}

export function rewind({ history }: State, { serial, isAsLeft, keyOf }: Rewinding): Rewound[] {
  const later = history.filter((entry) => entry.serial > serial).flatMap(({ changes }) => changes);
  const found = new Map<string, Rewound>();
  for (const { path, before } of later.filter(isSent)) {
    const key = keyOf(path);
    // The first of the later changes tells what stood there before all of them.
    if (!found.has(key)) found.set(key, { path, value: before });
  }
  if (!isAsLeft) return [...found.values()];
  const left = history.find((entry) => entry.serial === serial)?.live?.after;
  const earlier = history
    .filter((entry) => entry.serial <= serial)
    .flatMap(({ changes }) => changes)
    .toReversed();
  return [...found].map(([key, { path, value }]) => {
    const seen = left && pointInto(left, path);
    const sent = earlier.find((change) => keyOf(change.path) === key)?.after;
    return { path, value: seen ?? sent ?? value };
  });
}
