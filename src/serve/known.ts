// Noun: all that is kept of one portal from one look to the next, as plain JSON: what was told, when its turn is, what people see.
import type { Timed, TimedWindow } from "./due.js";
import type { Followed } from "./follow/files.js";
import type { ChangeJson, DriftJson } from "./news/changes.js";
import { canonicalText, type Json } from "../lib/json.js";
import { NOTHING_TOLD, type Standing } from "./news/news.js";

/** `lookedMs`: what opened or closed until then is told. */
export interface Known extends Timed {
  readonly standing: Standing;
  /** In a row. */
  readonly failures: number;
  readonly seen: Seen;
}

/**
 * In the order in which they need attention:
 *
 * - invalid: its file cannot be used · unreachable: the portal, its sign-in service or its state gave no usable answer
 * - drifted: changed outside Lintel · held: by a rollback or by hand
 * - pending: its file sets something that is not applied, be it that a guard or a policy blocks it
 * - unknown: not checked yet · in-sync: none of these
 */
export const STATUSES = [
  "invalid",
  "unreachable",
  "drifted",
  "held",
  "pending",
  "unknown",
  "in-sync",
] as const;
export type Status = (typeof STATUSES)[number];

/** What people see of a portal. */
export interface Seen {
  readonly key: string;
  readonly name: string;
  /** Empty where its file does not tell it. */
  readonly url: string;
  readonly id: string;
  readonly file: string;
  readonly pool?: string;
  readonly status: Status;
  readonly lookedMs?: number;
  /** The last time that it could be looked at. */
  readonly answeredMs?: number;
  /** When it is looked at next; absent where its file is wrong. */
  readonly nextMs?: number;
  /** Those that are not over. */
  readonly windows: readonly TimedWindow[];
  /** What its file wants otherwise, and nobody has applied. */
  readonly waiting: readonly ChangeJson[];
  /** What `--apply` of the worker that checked it would have to name for that. */
  readonly needs?: readonly string[];
  /** What would stop an apply of that, by name. */
  readonly guards?: readonly string[];
  /** The same with the reason of each. */
  readonly blockers?: readonly { readonly guard: string; readonly reason: string }[];
  /** What somebody else changed, as far as it is not put back. */
  readonly drift: readonly DriftJson[];
  readonly failure?: {
    readonly code: string;
    readonly message: string;
    readonly help: string | null;
    readonly sinceMs: number;
  };
  /** Of the newest entry of its history, and the commit that this came from. */
  readonly lastApply?: number;
  readonly commit?: string;
  readonly author?: string;
  /** Of the plan that would apply all of that, where there is anything to apply. */
  readonly planDigest?: string;
}

/** Of a portal at which nobody has looked yet. */
export function notLookedAt(followed: Followed, nowMs: number, turnMs: number): Known {
  return {
    standing: { ...NOTHING_TOLD, sinceMs: nowMs },
    lookedMs: nowMs,
    failures: 0,
    turnMs,
    seen: { ...namesOf(followed), status: "unknown", windows: [], waiting: [], drift: [] },
  };
}

/** Whether nothing else happened than that time went by. */
export function isSameButTimes(one: Known, other: Known): boolean {
  return one === other || lastingText(one) === lastingText(other);
}

function lastingText({ standing, seen }: Known): string {
  const { lookedMs: _, answeredMs: _1, nextMs: _2, ...rest } = seen;
  return canonicalText([standing, rest] as unknown as Json);
}

export function namesOf({ key, portal: { name, url, id }, file }: Followed) {
  return { key, name, url, id, file };
}
