// Declares what the dashboard shows and does; a single `serve` and a queue both implement it.
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

export interface SnapshotSource {
  /** Each has its own key, and stays the same object while nothing in it changes. */
  portals(): readonly Snapshot[];
  /** Why the portals are out of date; undefined while they are checked. */
  outage?(): Outage | undefined;
  /** Calls the listener whenever something may have changed; the returned function ends that. */
  changed(listener: () => void): () => void;
}

/** The database of a queue has not answered since a moment, or the queue cannot continue. */
export type Outage = { readonly sinceMs: number } | { readonly why: string };

/** The listeners of a source; `add` returns a function that removes the listener. */
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
  /** Absent if nothing was ever applied, or if it cannot be read. */
  readonly state?: State | undefined;
  readonly failure?: Pick<Failure, "code" | "message" | "help">;
}

/** Reads only the state, and calls no portal. Never rejects. */
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
  /** The guards that block it. */
  readonly guards: readonly string[];
}

export interface Actor {
  readonly actor: string;
}

/** Named as on the command line. "hold" includes its end. */
export const ACTIONS = ["refresh", "apply", "hold"] as const;
export type ActionName = (typeof ACTIONS)[number];

/** The actions of operators. They never reject. */
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
export interface DashboardSource {
  readonly snapshots: SnapshotSource;
  readonly remember: Remember;
  /** Whether there is anything to show yet. */
  readonly isReady: () => boolean;
  /** Metrics besides those of the portals. */
  readonly metrics: () => Promise<readonly Metric[]>;
  readonly activity?: Activity | undefined;
  readonly workers?: (() => Promise<Workers>) | undefined;
  readonly actions?: Actions | undefined;
  /** What is applied automatically; absent if the workers of a queue apply. */
  readonly automatic?: readonly Unasked[] | undefined;
  /** The newest commits of the branch, newest first. */
  readonly commits?: ((most: number) => Promise<readonly RolloutCommit[]>) | undefined;
  /** The path of a file in its repository, and the newest commit that changed it. */
  readonly sourceOf?: ((file: string) => Promise<FileSource | undefined>) | undefined;
  /** Called by the webhook of a forge; absent without a checkout to pull. */
  readonly pushed?: (() => void) | undefined;
}

export type { Workers };
