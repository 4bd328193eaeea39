// What became of one portal in a run: its plan, whether that was carried out, and why not. Plain data for the reports.
import type { Exit, Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Sends } from "../outcome.js";
import type { Identity } from "./inputs.js";
import type { Plan } from "./plan.js";

/**
 * - unchanged: nothing to do · changes: a plan that was not carried out · applied: carried out and proven
 * - failed: see the failure · skipped: not begun, as when others failed before it or the run was interrupted
 * - held: stopped by a hold
 */
export type Status = "unchanged" | "changes" | "applied" | "failed" | "skipped" | "held";

export interface PortalResult {
  readonly file: string;
  /** The address is empty where the file does not tell it. */
  readonly portal: Identity;
  /** The one that the file names, for its times. */
  readonly timeZone?: string;
  readonly status: Status;
  /** Null where it did not come to that. */
  readonly plan: Plan | null;
  /** Since when applies are held back, by whom and why. */
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
    /** Whether the outcome of its rollback is unknown. */
    readonly isUnsettled: boolean;
  } | null;
  /** The policies that stop its apply, by name. */
  readonly policies: readonly string[];
  /** This apply ended a hold, which writes the state even where nothing else was to be done. */
  readonly isHoldEnded?: boolean;
  readonly failure: Pick<Failure, "code" | "message" | "help"> | null;
  readonly exit: Exit;
}

/** Others, or a hold, kept it from being begun: there is no plan, and that is no failure. */
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
    // Portals whose apply a guard stops.
    guarded: results.filter((each) => closedGuards(each).length > 0).length,
    // Those whose apply a policy stops.
    againstPolicy: results.filter(({ policies }) => policies.length > 0).length,
  };
}

/** What an apply would send; taking over what is there, or letting it go, sends nothing. */
export function sendsIn({ changes }: Pick<Plan, "changes">): Sends {
  const sent = changes.filter(({ action }) => action === "set");
  const create = sent.filter(({ before }) => before === null).length;
  const back = changes.filter(({ action }) => action === "default").length;
  return { create, update: sent.length - create, delete: back };
}

/** The names of the guards that stop the apply, each once; an apply that was carried out was stopped by none. */
export function closedGuards({ plan, status }: PortalResult): GuardName[] {
  if (status === "applied") return [];
  const closed = plan?.guards.filter(({ isOpen }) => !isOpen) ?? [];
  return [...new Set(closed.map(({ name }) => name))];
}

/** Whether the hold stops something: an agreed one ends with the next apply. */
export function isHeldUp({ hold, plan, failure, status }: PortalResult): boolean {
  if (!hold || status === "applied") return false;
  if (failure?.code === "held") return true;
  return plan !== null && plan.changes.length > 0 && (!hold.isAgreed || hold.isUnsettled);
}

/** The names of what stops its apply. */
export function stoppersOf(result: PortalResult): string[] {
  if (result.status === "applied") return [];
  const hold = isHeldUp(result) ? ["hold"] : [];
  return [...hold, ...result.policies.map((name) => `policy/${name}`), ...closedGuards(result)];
}
