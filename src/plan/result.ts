// The result of one portal in a run: its plan, whether it was applied, and why not. Plain data for reports.
import type { Exit, Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Sends } from "../outcome.js";
import type { Identity } from "./inputs.js";
import type { Plan } from "./plan.js";

/**
 * - unchanged: nothing to do · changes: planned, not applied · applied: applied and verified
 * - failed: see the failure · skipped: not started, such as after a failure of others or an interrupt
 * - held: blocked by a hold
 */
export type Status = "unchanged" | "changes" | "applied" | "failed" | "skipped" | "held";

export interface PortalResult {
  readonly file: string;
  /** The address is empty if the file does not set it. */
  readonly portal: Identity;
  /** The zone of the file, for its times. */
  readonly timeZone?: string;
  readonly status: Status;
  /** Null if there is none. */
  readonly plan: Plan | null;
  /** The hold on the portal; else null. */
  readonly hold: {
    /** When it started. */
    readonly since: string;
    /** The person who set it. */
    readonly by: string;
    /** The reason. */
    readonly why: string;
    /** True for `lintel hold`, false for a rollback's hold. */
    readonly isByHand: boolean;
    /** When it ends; null without an end. */
    readonly until: string | null;
    /** Whether the file matches the rollback, so that the next apply ends the hold. */
    readonly isAgreed: boolean;
    /** Whether the file matches the rollback but is too old to end the hold. */
    readonly isOlder: boolean;
    /** The line of a base that sets another value than the rollback, as `_base.yaml:4`; else null. */
    readonly inBase: string | null;
    /** The line of an open window that sets another value than the rollback, as `portal.yaml:46`; else null. */
    readonly inWindow: string | null;
    /** Whether the outcome of its rollback is unknown. */
    readonly isUnsettled: boolean;
  } | null;
  /** The names of the policies that block its apply. */
  readonly policies: readonly string[];
  /** Whether this apply ended a hold, which writes the state even without changes. */
  readonly isHoldEnded?: boolean;
  readonly failure: Pick<Failure, "code" | "message" | "help"> | null;
  readonly exit: Exit;
}

/** Not started because of other portals or a hold: there is no plan, and it is not a failure. */
export function isSkipped({ plan, failure }: PortalResult): boolean {
  return plan === null && failure?.code === "not-begun";
}

export function summarise(results: readonly PortalResult[]) {
  const changing = results.filter(({ plan }) => (plan?.changes.length ?? 0) > 0);
  return {
    portals: results.length,
    changing: changing.length,
    changes: changing.reduce((sum, { plan }) => sum + (plan?.changes.length ?? 0), 0),
    changesLeftOut: results.reduce((sum, { plan }) => sum + (plan?.leftOut ?? 0), 0),
    failed: results.filter(({ exit, status }) => status === "failed" || exit > 2).length,
    guarded: results.filter((each) => closedGuards(each).length > 0).length,
    againstPolicy: results.filter(({ policies }) => policies.length > 0).length,
  };
}

/** Counts what an apply would send. Changes to the state alone send nothing. */
export function sendsIn({ changes }: Pick<Plan, "changes">): Sends {
  const sent = changes.filter(({ action }) => action === "set");
  const create = sent.filter(({ before }) => before === null).length;
  const back = changes.filter(({ action }) => action === "default").length;
  return { create, update: sent.length - create, delete: back };
}

/** The names of the guards that block the apply, each once. */
export function closedGuards({ plan, status }: PortalResult): GuardName[] {
  if (status === "applied") return [];
  const closed = plan?.guards.filter(({ isOpen }) => !isOpen) ?? [];
  return [...new Set(closed.map(({ name }) => name))];
}

/** Whether the hold blocks something: an agreed one ends with the next apply. */
export function isHeldUp({ hold, plan, failure, status }: PortalResult): boolean {
  if (!hold || status === "applied") return false;
  if (failure?.code === "held") return true;
  return plan !== null && plan.changes.length > 0 && (!hold.isAgreed || hold.isUnsettled);
}

/** The names of everything that blocks its apply. */
export function stoppersOf(result: PortalResult): string[] {
  if (result.status === "applied") return [];
  const hold = isHeldUp(result) ? ["hold"] : [];
  return [...hold, ...result.policies.map((name) => `policy/${name}`), ...closedGuards(result)];
}
