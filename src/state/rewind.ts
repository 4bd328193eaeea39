// A state and a serial → what every leaf that was changed since then held at that time.
import type { Json } from "../json.js";
import type { Path } from "../settings.js";
import type { State } from "./state.js";

export interface Rewound {
  readonly path: Path;
  /** Null where nothing stood; undefined where nobody knows. */
  readonly value: Json | undefined;
}

/** The first of the later changes tells what stood there before all of them. */
export function rewind({ history }: State, serial: number): Rewound[] {
  const later = history.filter((entry) => entry.serial > serial).flatMap(({ changes }) => changes);
  const first = new Map<string, Rewound>();
  for (const { path, action, before } of later) {
    const key = JSON.stringify(path);
    const isSent = action === "set" || action === "default";
    if (isSent && !first.has(key)) first.set(key, { path, value: before });
  }
  return [...first.values()];
}
