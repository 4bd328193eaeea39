// Declares the stored record of a portal as plain JSON: snapshot, reported events and times of checks.
import type { PollTimes, TimedWindow } from "./poll-times.js";
import type { PortalFile } from "./portal-files.js";
import type { ChangeJson, DriftJson } from "./events/change-json.js";
import { canonicalText, type Json } from "../lib/json.js";
import { NOTHING_REPORTED, type Reported } from "./events/portal-events.js";

/** `checkedMs`: boundaries of windows until then are reported. */
export interface PortalRecord extends PollTimes {
  readonly reported: Reported;
  /** The number of failed checks in a row. */
  readonly failures: number;
  readonly snapshot: Snapshot;
}

/**
 * In the order in which they need attention:
 *
 * - invalid: its file cannot be used · unreachable: the portal, its sign-in service or its state gave no usable answer
 * - drifted: changed outside Lintel · held: by a rollback or by hand
 * - blocked: a guard or a policy blocks an apply of its file
 * - pending: its file sets something that is not applied
 * - unknown: not checked yet · in-sync: none of these
 */
export const STATUSES = [
  "invalid",
  "unreachable",
  "drifted",
  "held",
  "blocked",
  "pending",
  "unknown",
  "in-sync",
] as const;
export type Status = (typeof STATUSES)[number];

/** The result of the last check, as the dashboard shows it. */
export interface Snapshot {
  readonly key: string;
  readonly name: string;
  /** Empty if a file with errors does not name it. */
  readonly url: string;
  readonly id: string;
  readonly file: string;
  readonly pool?: string;
  readonly status: Status;
  readonly checkedMs?: number;
  /** The last check with an answer from the portal. */
  readonly answeredMs?: number;
  /** The time of the next check; absent if the file has errors. */
  readonly nextMs?: number;
  /** The windows that are not over. */
  readonly windows: readonly TimedWindow[];
  /** The pending changes of its plan. */
  readonly waiting: readonly ChangeJson[];
  /** The kinds of `--apply` that the worker lacks for these changes. */
  readonly needs?: readonly string[];
  /** The guards that block these changes. */
  readonly guards?: readonly string[];
  /** These guards, with the reason of each. */
  readonly blockers?: readonly { readonly guard: string; readonly reason: string }[];
  /** Changed outside Lintel, and not restored. */
  readonly drift: readonly DriftJson[];
  readonly failure?: {
    readonly code: string;
    readonly message: string;
    readonly help: string | null;
    readonly sinceMs: number;
    /** All errors of an invalid file, if there are several. */
    readonly errors?: readonly string[];
  };
  /** At the last check with an answer, by a rollback or by hand. */
  readonly isHeld?: boolean;
  /** The number of the newest apply, and its commit. */
  readonly lastApply?: number;
  readonly commit?: string;
  readonly author?: string;
  /** Of the plan that applies these changes. */
  readonly planDigest?: string;
}

/** Before the first check. */
export function uncheckedRecord(
  portalFile: PortalFile,
  nowMs: number,
  nextPollMs: number,
): PortalRecord {
  return {
    reported: { ...NOTHING_REPORTED, sinceMs: nowMs },
    checkedMs: nowMs,
    failures: 0,
    nextPollMs,
    snapshot: { ...namesOf(portalFile), status: "unknown", windows: [], waiting: [], drift: [] },
  };
}

/** Whether the records differ in times only. */
export function isSameButTimes(one: PortalRecord, other: PortalRecord): boolean {
  return one === other || lastingText(one) === lastingText(other);
}

function lastingText({ reported, snapshot }: PortalRecord): string {
  const { checkedMs: _, answeredMs: _1, nextMs: _2, ...rest } = snapshot;
  return canonicalText([reported, rest] as unknown as Json);
}

export function namesOf({ key, portal: { name, url, id }, file }: PortalFile) {
  return { key, name, url, id, file };
}
