// Declares what the dashboard shows and does, which a single serve and the queue supply alike.
import type { State } from "../../state/state.js";
import type { Failure } from "../../failure.js";
import type { Seen } from "../known.js";
import type { ChangeJson } from "../news/changes.js";
import type { Event } from "../news/event.js";
import type { Metric } from "./metrics.js";
import type { FileSource } from "./views/portal-page.js";
import type { RolloutCommit } from "./views/rollout-page.js";
import type { Workers } from "./views/workers-page.js";

export interface Board {
  /** Each has a key of its own, and stays the same object as long as nothing of it changes. */
  portals(): readonly Seen[];
  /** Since when the database does not answer, so that the portals are shown as they were then. */
  outageSinceMs?(): number | undefined;
  /** Calls the listener whenever something may have changed; the returned function ends that. */
  changed(listener: () => void): () => void;
}

export interface Remembered {
  /** Absent where nothing was ever applied, and where it cannot be read. */
  readonly state?: State | undefined;
  readonly failure?: Pick<Failure, "code" | "message" | "help">;
}

/** Reads the state alone: no portal is called. Never rejects. */
export type Remember = (seen: Pick<Seen, "file" | "key">) => Promise<Remembered>;

/** Events of all portals, by UTC day such as "2026-06-15". */
export interface Activity {
  /** Newest first. */
  days(): Promise<readonly string[]>;
  eventsOn(day: string): Promise<readonly Event[]>;
}

export interface ActionResult {
  readonly message: string;
  readonly help?: string | undefined;
  readonly isDone: boolean;
}

/** What would be applied after the end of a hold. */
export interface PlanAfterUnhold {
  readonly digest: string;
  readonly changes: readonly ChangeJson[];
}

export interface Actor {
  readonly actor: string;
}

/** What an operator may do. None of them rejects. */
export interface Actions {
  /** Whether `--apply` permits anything. */
  readonly mayApply: boolean;
  refresh(key: string, by: Actor): Promise<ActionResult>;
  /** Applies the plan with this digest as far as `--apply` permits it, or nothing. */
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
  /** The newest commits of the branch, the newest first. */
  readonly commits?: ((most: number) => Promise<readonly RolloutCommit[]>) | undefined;
  /** Where a file stands in its repository, and the newest commit that changed it. */
  readonly sourceOf?: ((file: string) => Promise<FileSource | undefined>) | undefined;
  /** Called by the webhook of a forge; absent where no checkout is pulled. */
  readonly pushed?: (() => void) | undefined;
}

export type { Workers };
