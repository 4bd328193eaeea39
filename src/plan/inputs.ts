// What a plan is made from: everything is known beforehand, so that the same inputs give the same plan.
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
  /** The one that the file names, for the times in notes. */
  readonly timeZone?: string;
  /** At the moment of the run; absent where the file has none. */
  readonly schedule?: Schedule;
  /** As a moment in UTC, where that is not now: such a plan is for looking at alone. */
  readonly asOf?: string;
  /** Then what is desired is of an earlier time, and not what the file wants. */
  readonly isPutBack?: boolean;
  readonly allow: {
    readonly entries: readonly AllowEntry[];
    /** By --allow. */
    readonly names: readonly GuardName[];
    /** By a yes at the prompt. */
    readonly atPrompt?: readonly GuardName[];
    /** Whether what somebody changed by hand is to be overwritten. */
    readonly drift?: DriftChoice;
  };
  /** The moment that `desired` is of. */
  readonly atMs: number;
  /** As YYYY-MM-DD. */
  readonly today: string;
  /** Undefined where nothing was ever applied, or the state is left out on purpose. */
  readonly last: Last | undefined;
  /** Applies that the files know nothing of, the newest first; none where nobody can tell. */
  readonly apart?: readonly Apart[];
  readonly live: Live;
  readonly options: Options;
}

export interface Identity {
  readonly name: string;
  readonly url: string;
  readonly id: string;
}

/** From a commit that is no part of what is checked out. */
export interface Apart {
  readonly time: string;
  readonly by: string;
  /** With "-dirty" where it was made from changes that were not committed. */
  readonly commit: string;
  /** What it set. */
  readonly paths: readonly Path[];
  /** Its outcome is not known, so that it may have set that or not. */
  readonly isPending: boolean;
}

export interface Last {
  readonly lineage: string;
  readonly serial: number;
  /** In a folder: a checkout or a backup may hold an older copy. */
  readonly mayBeOlder?: boolean;
  readonly leaves: readonly AppliedLeaf[];
  /** The newest apply or rollback: when, and by whom. */
  readonly applied?: { readonly number: number; readonly time: string; readonly by: string };
  /** Leaves that are managed no longer, and were sent all the same. */
  readonly alsoSent?: readonly Pick<AppliedLeaf, "path" | "sent">[];
  /** Leaves whose value was that of a window. */
  readonly windows?: readonly WindowOfLeaf[];
  /** The parameters that the portal showed after the last apply. */
  readonly seen: readonly string[];
  /** An open journal: what it was about to send, of which nobody knows whether the portal took it. */
  readonly pending?: {
    readonly kind: "apply" | "rollback";
    readonly settings: JsonObject;
    readonly windows?: readonly WindowOfLeaf[];
    readonly planDigest: string;
    /** How long the update may still be on its way. */
    readonly unknownForMs: number;
    /** What the portal shows of it; unknown also where that may be hidden. */
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
      /** An anonymous view leaves things out, so that what it lacks may still be set. */
      readonly view: "signed-in" | "anonymous";
      readonly settings: JsonObject;
      /** In the reference's numbering, where the portal tells it. */
      readonly version?: string;
      /** What the portal calls its release, where the reference does not list that. */
      readonly unlistedRelease?: string;
      /** The id and the host by which the portal knows itself, where it tells them. */
      readonly own?: { readonly id: string; readonly hostname?: string };
      /** Who was signed in, as the portal calls them. */
      readonly account?: string;
      /** Why settings may be hidden from them; absent where the portal says that they are an administrator. */
      readonly unproven?: string;
    }
  /** `never`: the file forbids it · `not-asked`: this run went without · `failed`: the portal could not be read. */
  | { readonly kind: "unread"; readonly why: "never" | "not-asked" | "failed" };

export type LiveRead = Extract<Live, { readonly kind: "read" }>;

/** Whether an administrator saw it: what it lacks is not set, and what it shows is proof. */
export function isWhole(live: Live): live is LiveRead {
  return live.kind === "read" && live.view === "signed-in" && live.unproven === undefined;
}

/** What may be applied without a person who approves a file. */
export const DUES = ["schedule", "drift"] as const;

/** The same, and changed files, where no person is asked for them either. */
export const UNASKED = [...DUES, "files"] as const;

export type Unasked = (typeof UNASKED)[number];

export interface Options {
  /** Only these settings, and all below them, in the reference's spelling; all, when left out. */
  readonly paths?: readonly Path[];
  /** Only what windows, hands where the file says so, or a changed file have brought since somebody applied it; all, when left out. */
  readonly due?: readonly Unasked[];
  readonly send: SendChoice;
  readonly compareWith: "live-and-last" | "live" | "last";
}
