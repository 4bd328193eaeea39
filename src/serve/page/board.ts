// The portals that the page shows, as they are known now: it reads them here, wherever they come from.
import type { Seen, Status } from "../known.js";

export type { Seen, Status };

/** In the order in which they are shown: what needs somebody comes first. */
export const STATUSES = [
  "failed",
  "unreachable",
  "stopped",
  "held",
  "drifted",
  "changing",
  "unknown",
  "wanted",
] as const satisfies readonly Status[];

export interface Board {
  /** Each has a key of its own, and is the same object as long as nothing of it has changed. */
  portals(): readonly Seen[];
  /** Calls whenever something may have changed; what it returns ends that. */
  changed(listener: () => void): () => void;
}
