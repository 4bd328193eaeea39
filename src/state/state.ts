// What is remembered of a portal: what was applied last, what is about to be sent, who holds it back, and its history.
import type { JsonObject, Json } from "../json.js";
import type { AppliedLeaf, Path } from "../settings.js";
import type { PortalIdentity } from "./key.js";

export interface State {
  /** Given once and kept for life, so that a state that was begun anew is not taken for the one before. */
  readonly lineage: string;
  /** Goes up by one with every write, so that two writers cannot both win; 0 before the first. */
  readonly serial: number;
  readonly portal: PortalIdentity;
  /** The leaves that are managed. */
  readonly leaves: readonly AppliedLeaf[];
  /** Of a portal that is never read: leaves that are managed no longer, and go on being sent beside those that are. */
  readonly alsoSent?: readonly PendingLeaf[];
  /** Present while it is not known whether a request reached the portal. */
  readonly journal?: Journal;
  /** Present while applies are held back. */
  readonly hold?: Hold;
  /** Every settled apply, the oldest first. */
  readonly history: readonly Entry[];
}

/** On whose behalf something was done, and from where. */
export interface Author {
  readonly actor: string;
  /** The portal's account, where there was a sign-in. */
  readonly account?: string;
  readonly host: string;
  readonly commit?: string;
  readonly job?: string;
}

/** Written immediately before a request is sent; whoever finds it open can tell what became of that, and write the history. */
export interface Journal extends Pick<
  Entry,
  "time" | "by" | "planDigest" | "guards" | "changes" | "kind" | "alsoSent"
> {
  /** Everything that the request says, parameter by parameter. */
  readonly settings: JsonObject;
  /** How long its call may take: no longer is its sender waiting for the answer. */
  readonly timeoutMs: number;
  /** All parameters of the reference as the portal showed them before; absent where it could not be read. */
  readonly before?: JsonObject;
  /** Every leaf that is managed once this is settled. */
  readonly leaves: readonly PendingLeaf[];
}

export type PendingLeaf = Omit<AppliedLeaf, "shown">;

/** Applies refuse until the file wants these values too, or a person ends it. */
export interface Hold {
  readonly since: string;
  readonly by: Author;
  readonly why: string;
  readonly wants: readonly WantedLeaf[];
}

export interface WantedLeaf {
  readonly path: Path;
  readonly value: Json;
}

export const KINDS = ["apply", "rollback"] as const;

/** A settled apply or rollback; or one of unknown outcome, after which something else was sent. */
export interface Entry {
  readonly kind: (typeof KINDS)[number];
  /** The serial of the write that settled it, or that went over it. */
  readonly serial: number;
  readonly time: string;
  /** Absent for what the portal is known to have taken. */
  readonly outcome?: "unknown";
  readonly by: Author;
  readonly planDigest: string;
  readonly guards: readonly OpenedGuard[];
  readonly changes: readonly SettledChange[];
  /** As it was sent, or is going to be, though nobody manages it any more. */
  readonly alsoSent?: readonly PendingLeaf[];
  /** Only the newest entries keep them. */
  readonly live?: LiveValues;
}

export interface OpenedGuard {
  readonly guard: string;
  readonly reason: string;
}

export const ACTIONS = ["set", "default", "release", "adopt"] as const;

export interface SettledChange {
  readonly path: Path;
  readonly action: (typeof ACTIONS)[number];
  /** Null where nothing stood; absent where nobody knows. */
  readonly before?: Json;
  readonly after: Json;
}

export function isSent({ action }: Pick<SettledChange, "action">): boolean {
  return action === "set" || action === "default";
}

/** All parameters of the reference as the portal showed them; absent where it could not be read. */
export interface LiveValues {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}
