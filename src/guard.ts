// Noun: the names of the guards that stop an apply until a person opens them.
import type { Path } from "./settings.js";

export const GUARDS = [
  "disable-notice",
  "disconnect",
  "shrink-list",
  "wide-change",
  "older-portal",
  "overwrite-drift",
  "token-lifetime",
  "unread-portal",
] as const;

export type GuardName = (typeof GUARDS)[number];

/** What becomes of what somebody changed by hand: an apply stops before it, or puts back what the file wants. */
export const DRIFT_CHOICES = ["stop", "restore"] as const;

export type DriftChoice = (typeof DRIFT_CHOICES)[number];

/** Whether an update holds all parameters that the file or the portal knows, or those with a change. */
export type SendChoice = "all" | "touched";

/** A guard that a review has opened. */
export interface AllowEntry {
  readonly guard: GuardName;
  /** What it is opened for, and all below; everything when left out. */
  readonly path?: Path;
  /** The last day on which it is open, as YYYY-MM-DD; or the moment from which on it is not, in UTC. */
  readonly until: string;
  readonly reason: string;
}
