// Core type: the names of the guards that block an apply until a person allows it.
import type { Path } from "./settings.js";

export const GUARDS = [
  "disable-notice",
  "disconnect",
  "shrink-list",
  "wide-change",
  "older-portal",
  "overwrite-drift",
  "older-checkout",
  "token-lifetime",
  "unread-portal",
] as const;

export type GuardName = (typeof GUARDS)[number];

/** What happens to a manual change: it blocks the apply, or the apply restores the file's value. */
export const DRIFT_CHOICES = ["stop", "restore"] as const;

export type DriftChoice = (typeof DRIFT_CHOICES)[number];

/** Whether an update holds all parameters that the file or the portal knows, or those with a change. */
export type SendChoice = "all" | "touched";

/** A guard that the file allows. */
export interface AllowEntry {
  readonly guard: GuardName;
  /** The allowed path, with everything below; all paths if absent. */
  readonly path?: Path;
  /** The last allowed day, as YYYY-MM-DD; or the moment of the end, in UTC. */
  readonly until: string;
  readonly reason: string;
}
