// Declares what the dashboard shows and does, which a single serve and the queue supply alike.
import type { State } from "../../state/state.js";
import type { Failure } from "../../failure.js";
import type { Unasked } from "../../apply/reconcile.js";
import type { Snapshot } from "../snapshot.js";
import type { ChangeJson } from "../events/change-json.js";
import type { Activity } from "../events/event-store.js";
import type { Metric } from "./metrics.js";
import type { FileSource } from "./views/portal-page.js";
import type { RolloutCommit } from "./views/rollout-page.js";
import type { Workers } from "./views/workers-page.js";

export interface Board {
  /** Each has a key of its own, and stays the same object as long as nothing of it changes. */
  portals(): readonly Snapshot[];
  /** Why the portals are shown as they were before; undefined while they are checked. */
  outage?(): Outage | undefined;
  /** Calls the listener whenever something may have changed; the returned function ends that. */
  changed(listener: () => void): () => void;
}

/** The database of a queue does not answer since a moment, or the queue cannot continue. */
export type Outage = { readonly sinceMs: number } | { readonly why: string };

/** Those that a board notifies; `add` returns a function that removes the listener. */
export function openListeners() {
  const listeners = new Set<() => void>();
  const add = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return { add, notify };
}

export interface Remembered {
  /** Absent where nothing was ever applied, and where it cannot be read. */
  readonly state?: State | undefined;
  readonly failure?: Pick<Failure, "code" | "message" | "help">;
}

/** Reads the state alone: no portal is called. Never rejects. */
export type Remember = (seen: Pick<Snapshot, "file" | "key">) => Promise<Remembered>;

export interface ActionResult {
  readonly message: string;
  readonly help?: string | undefined;
  readonly isDone: boolean;
}

/** What would be applied after the end of a hold. */
export interface PlanAfterUnhold {
  readonly digest: string;
  readonly changes: readonly ChangeJson[];
  /** Those that block it. */
  readonly guards: readonly string[];
}

export interface Actor {
  readonly actor: string;
}

/** As the command line names them; a hold includes its end. */
export const ACTIONS = ["refresh", "apply", "hold"] as const;
export type ActionName = (typeof ACTIONS)[number];

/** What operators do. None of them rejects. */
export interface Actions {
  /** Sends nothing. */
  refresh(key: string, by: Actor): Promise<ActionResult>;
  /** Applies the whole plan with this digest, or nothing. */
  apply(key: string, by: Actor & { readonly planDigest: string }): Promise<ActionResult>;
  hold(key: string, by: Actor & HoldRequest): Promise<ActionResult>;
  planAfterUnhold(key: string): Promise<PlanAfterUnhold | ActionResult>;
  unhold(key: string, by: Actor & { readonly planDigest: string }): Promise<ActionResult>;
}

export interface HoldRequest {
  readonly reason: string;
  /** A moment, as an ISO 8601 text. */
  readonly until?: string | undefined;
}

/** What a dashboard is opened with. */
export interface Shown {
  readonly board: Board;
  readonly remember: Remember;
  /** Whether there is something to show yet. */
  readonly isReady: () => boolean;
  /** Figures beside those of the board. */
  readonly metrics: () => Promise<readonly Metric[]>;
  readonly activity?: Activity | undefined;
  readonly workers?: (() => Promise<Workers>) | undefined;
  readonly actions?: Actions | undefined;
  /** What is applied without a person; absent where workers of a queue apply. */
  readonly automatic?: readonly Unasked[] | undefined;
  /** The newest commits of the branch, the newest first. */
  readonly commits?: ((most: number) => Promise<readonly RolloutCommit[]>) | undefined;
  /** Where a file stands in its repository, and the newest commit that changed it. */
  readonly sourceOf?: ((file: string) => Promise<FileSource | undefined>) | undefined;
  /** Called by the webhook of a forge; absent where no checkout is pulled. */
  readonly pushed?: (() => void) | undefined;
}

export type { Workers };
