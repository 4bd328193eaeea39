// The inputs of a plan. Everything is known beforehand, so the same inputs give the same plan.
import type { Deployment, Version } from "../../schemas/names.js";
import type { AllowEntry, DriftChoice, GuardName, SendChoice } from "../guard.js";
import type { JsonObject } from "../lib/json.js";
import type { Schedule } from "../schedule.js";
import type { AppliedLeaf, DesiredLeaf, Path } from "../settings.js";

export interface Inputs {
  readonly toolVersion: string;
  readonly portal: Identity;
  readonly target: { readonly asked: string; readonly known: Version };
  readonly deployment: Deployment;
  readonly desired: readonly DesiredLeaf[];
  /** The zone of the file, for the times in notes. */
  readonly timeZone?: string;
  /** At the moment of the run; absent without a schedule. */
  readonly schedule?: Schedule;
  /** In UTC, if not now. Such a plan cannot be applied. */
  readonly asOf?: string;
  /** For a rollback: `desired` holds earlier values, not those of the file. */
  readonly isRollback?: boolean;
  readonly allow: {
    readonly entries: readonly AllowEntry[];
    /** By --allow. */
    readonly names: readonly GuardName[];
    /** Confirmed at the prompt. */
    readonly atPrompt?: readonly GuardName[];
    /** Whether to overwrite drift. */
    readonly drift?: DriftChoice;
  };
  /** The moment that `desired` is of. */
  readonly atMs: number;
  /** As YYYY-MM-DD. */
  readonly today: string;
  /** Undefined before the first apply, and with --no-state. */
  readonly last: Last | undefined;
  /** Applies from commits that are not checked out, newest first. */
  readonly divergent?: readonly DivergentApply[];
  readonly live: Live;
  readonly options: Options;
}

export interface Identity {
  readonly name: string;
  readonly url: string;
  readonly id: string;
}

/** An apply from a commit that is not checked out. */
export interface DivergentApply {
  readonly time: string;
  readonly by: string;
  /** With "-dirty" for uncommitted changes. */
  readonly commit: string;
  /** The settings that it changed. */
  readonly paths: readonly Path[];
  /** Its outcome is unknown. */
  readonly isPending: boolean;
}

export interface Last {
  readonly lineage: string;
  readonly serial: number;
  /** For a state in a folder: a checkout or a backup may contain an older copy. */
  readonly mayBeOlder?: boolean;
  readonly leaves: readonly AppliedLeaf[];
  /** The newest apply or rollback: when, and by whom. */
  readonly applied?: { readonly number: number; readonly time: string; readonly by: string };
  /** Leaves that are no longer managed but were sent. */
  readonly alsoSent?: readonly Pick<AppliedLeaf, "path" | "sent">[];
  /** Leaves with the value of a window. */
  readonly windows?: readonly WindowOfLeaf[];
  /** The parameters that the portal showed after the last apply. */
  readonly seen: readonly string[];
  /** An open journal: an update whose outcome is unknown. */
  readonly pending?: {
    readonly kind: "apply" | "rollback";
    readonly settings: JsonObject;
    readonly windows?: readonly WindowOfLeaf[];
    readonly planDigest: string;
    /** For how long the update may still arrive. */
    readonly unknownForMs: number;
    /** How much of it the portal shows; also `unknown` if the portal may hide it. */
    readonly arrival: "all" | "part" | "none" | "unknown";
  };
}

export interface WindowOfLeaf {
  readonly path: Path;
  readonly window: string;
}

export type Live =
  | {
      readonly kind: "read";
      /** An anonymous view hides settings. */
      readonly view: "signed-in" | "anonymous";
      readonly settings: JsonObject;
      /** In the reference's numbering, if the portal shows it. */
      readonly version?: string;
      /** The portal's own name of its release, if the reference does not list it. */
      readonly unlistedRelease?: string;
      /** The portal's own id and host, if it shows them. */
      readonly own?: { readonly id: string; readonly hostname?: string };
      /** The account that was signed in. */
      readonly account?: string;
      /** Why the account may not see all settings; absent for an administrator. */
      readonly unproven?: string;
    }
  /** `never`: the file forbids it · `not-asked`: this run did not read · `failed`: the portal could not be read. */
  | { readonly kind: "unread"; readonly why: "never" | "not-asked" | "failed" };

export type LiveRead = Extract<Live, { readonly kind: "read" }>;

/** Whether an administrator read it: then a missing setting is not set, and a shown one is verified. */
export function isWhole(live: Live): live is LiveRead {
  return live.kind === "read" && live.view === "signed-in" && live.unproven === undefined;
}

/** Causes that may be applied without approval of a file. */
export const DUES = ["schedule", "drift"] as const;

/** The same, and changed files that need no approval. */
export const UNASKED = [...DUES, "files"] as const;

export type Unasked = (typeof UNASKED)[number];

export interface Options {
  /** Only these settings and those below them, in the reference's spelling. Default: all. */
  readonly paths?: readonly Path[];
  /** Only changes with these causes. Default: all. */
  readonly due?: readonly Unasked[];
  readonly send: SendChoice;
  readonly compareWith: "live-and-last" | "live" | "last";
}
