// Reconciles one portal: plans it, and applies what may be applied without a person.
import { recoverable } from "./snapshot.js";
import { driftIn, hiddenDrift, type Drift } from "./drift.js";
import { applyPrepared, prepareApplies } from "./apply-fleet.js";
import { diagnosticsOf } from "./each-portal.js";
import { unappliedWindows } from "./missed-windows.js";
import type { Waiting } from "./wait.js";
import { planAgain, planOptionsOf, planPortals } from "./plan-portal.js";
import type { PlannedPortal, PlanOptions } from "./plan-portal.js";
import type { Member } from "./portal-context.js";
import { assertHeldByNobody, assertWithinPolicies } from "./preconditions.js";
import type { RunContext } from "./run-context.js";
import { resultOf } from "./portal-result.js";
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import { shellWord } from "../lib/text.js";
import { asFailure, EXIT, type Exit, type Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import { digestOfPlan } from "../plan/binding.js";
import type { Change } from "../plan/diff.js";
import { UNASKED, type Identity, type Unasked } from "../plan/inputs.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import { keyOf } from "../catalog/spelling.js";
import type { Path } from "../settings.js";
import type { State } from "../state/state.js";

export { UNASKED };
export type { Change, Drift, Identity, Unasked };

export interface Reconciling {
  /** What may be applied. Empty for a check that only reads. */
  readonly mayApply: readonly Unasked[];
  /** The longest wait for another run, in milliseconds. */
  readonly waitMs: number;
  /** How long the journal of that run has been known, for callers that do not wait but call again. */
  readonly seenForMs?: Waiting["seenForMs"];
  /** Asked right before anything is applied. Undefined discards what was found. */
  readonly mayGoOn: (
    found: Pick<Reconciled, "changes" | "state" | "planDigest">,
  ) => Promise<readonly Unasked[] | undefined>;
  /** A person confirmed the plan: the whole plan is applied, or nothing. `mayApply` does not count. */
  readonly isBound?: boolean;
}

export type History = Pick<State, "lineage" | "history">;

/** What was found at a portal, and what was applied. */
export interface Reconciled {
  readonly portal: Identity;
  /** Undefined if there is nothing to compare with. */
  readonly drift: readonly Drift[] | undefined;
  /** All changes of the plan for the whole file. */
  readonly changes: readonly Change[];
  /** The guards that would block these changes. */
  readonly guards: readonly GuardName[];
  /** The findings of these guards, in words. */
  readonly blockers?: readonly { readonly guard: GuardName; readonly reason: string }[];
  /** Of the plan with all changes; absent without a plan. */
  readonly planDigest?: string;
  /** The names of windows that open only after an apply of the file. */
  readonly unapplied?: readonly string[];
  readonly applied: readonly Change[];
  /** The newest state that was read; undefined if none was. */
  readonly state: History | undefined;
  readonly failure?: Stopped;
  /** A guard, a hold or a policy blocks the apply, so a person has to decide. False for a failure. */
  readonly isStopped: boolean;
  /** All notices meanwhile, without duplicates. */
  readonly notices: readonly string[];
}

export interface Stopped extends Pick<Failure, "code" | "message" | "help"> {
  readonly exit: Exit;
}

/** Undefined if the files changed meanwhile. */
export async function reconcile(
  run: RunContext,
  file: string,
  { mayApply, waitMs, seenForMs, mayGoOn, isBound = false }: Reconciling,
): Promise<Reconciled | undefined> {
  const notices = new Set<string>();
  const noting = { ...run, notice: (sentence: string) => void notices.add(sentence) };
  const options = planOptionsOf({});
  const permitted = isBound ? options : { ...options, due: mayApply };
  const members = await planPortals(noting, [file], options);
  const [member] = members;
  if (!member) throw new TypeError("a portal that was planned has no result");
  const found = foundAt(member, noting, permitted);
  const { isToDo, blocked, narrowed: plan, ...rest } = found;
  const before = { ...rest, applied: [], isStopped: false, notices: [...notices] };
  if (rest.failure) {
    // Other notices are about what could not be read.
    return { ...before, failure: withPlace(rest.failure, diagnosticsOf(members)), notices: [] };
  }
  // For a confirmed plan, report first that it changed.
  const due = isToDo || isBound ? await mayGoOn(rest) : [];
  if (!due) return undefined;
  if (!isToDo) return blocked ? { ...before, failure: blocked, isStopped: true } : before;
  if (due.length === 0) return before;
  const waiting = { waitMs, ...(seenForMs && { seenForMs }) };
  const saved = isBound && plan ? [{ file, portal: rest.portal, plan }] : undefined;
  const applying = { options: isBound ? options : { ...options, due }, waiting, saved };
  const prepared = await prepareApplies(noting, [file], applying);
  const [last] = await applyPrepared(noting, prepared, { waiting, isBound });
  if (!last) throw new TypeError("a portal that was applied has no result");
  const { result, applied } = last;
  const { failure: stopped, exit } = result;
  const failure = stopped && { ...forUnattended(stopped, file), exit };
  return {
    ...before,
    applied: result.status === "applied" ? (result.plan?.changes ?? []) : [],
    state: applied?.state ?? rest.state,
    ...(failure && { failure: withPlace(failure, diagnosticsOf(prepared)) }),
    isStopped: result.exit === EXIT.stopped,
    notices: [...notices],
  };
}

interface Assessment extends Omit<Reconciled, "applied" | "isStopped" | "notices"> {
  /** The plan of what may be applied. */
  readonly narrowed?: Plan | undefined;
  /** Why an apply would fail, if none is tried. */
  readonly blocked?: Stopped | undefined;
  /** Whether an apply would do anything. */
  readonly isToDo: boolean;
}

function foundAt(member: Member<PlannedPortal>, run: RunContext, options: PlanOptions): Assessment {
  const { value: planned, failure: stopped, portal } = member;
  if (!planned) {
    return {
      portal,
      drift: undefined,
      changes: [],
      guards: [],
      state: undefined,
      isToDo: false,
      ...(stopped && { failure: stoppedBy(stopped) }),
    };
  }
  const { plan, unable, state } = planned;
  const closed = plan.guards.filter(({ isOpen }) => !isOpen);
  const guards = [...new Set(closed.map(({ name }) => name))];
  const blockers = closed.map(({ name, message }) => ({ guard: name, reason: message }));
  const planDigest = digestOfPlan(plan);
  const seen = {
    portal,
    drift: driftIn(planned),
    changes: plan.changes,
    guards,
    blockers,
    planDigest,
    unapplied: unappliedWindows(planned),
    state,
  };
  // A guard that blocks the update reports the same.
  const failure = unable ?? (guards.length === 0 ? hiddenDrift(planned) : undefined);
  if (failure) return { ...seen, isToDo: false, failure: stoppedBy(failure) };
  const { due } = options;
  const narrowed = due?.length === 0 ? undefined : planAgain(run, planned, options);
  // A file that agrees with a hold ends it, even if nothing is sent.
  const isHoldOver =
    narrowed && due?.includes("files") !== false && resultOf(narrowed, "changes").hold?.isAgreed;
  if (isHoldOver || (narrowed && !isNothingToDo(narrowed.plan)))
    return { ...seen, narrowed: narrowed.plan, isToDo: true };
  return { ...seen, blocked: blockIn(planned, run), isToDo: false };
}

function stoppedBy({ code, message, help, exit }: Failure): Stopped {
  return { code, message, help, exit };
}

/** Reports a hold or a policy even if no apply is tried. */
function blockIn(planned: PlannedPortal, { io }: RunContext): Stopped | undefined {
  const { divergent, desired, plan, findings = [] } = planned;
  const state = recoverable(planned) ?? planned.state;
  try {
    assertHeldByNobody(planned, state, { file: desired.file, io, divergent });
    if (!isNothingToDo(plan)) assertWithinPolicies(findings);
    return undefined;
  } catch (error) {
    return stoppedBy(asFailure(error, false));
  }
}

/** Names the error in the file, not only that there is one. */
function withPlace(failure: Stopped, diagnostics: readonly Diagnostic[]): Stopped {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (failure.code !== "file-invalid" || !first) return failure;
  return { ...failure, message: `${formatPlace(first)}: ${first.message}`, help: first.help };
}

/** Readers of a report cannot add an option to this command. */
function forUnattended<T extends Pick<Stopped, "code" | "help">>(failure: T, file: string): T {
  if (failure.code !== "guarded") return failure;
  const byHand = `apply the file by hand, with credentials of the portal:\n  lintel apply ${shellWord(file)} `;
  const help = failure.help?.replace(/run the command again with:\n {2}(?=--allow )/, byHand);
  return { ...failure, help };
}

/** The items whose path is not among the others. */
export function without<T extends { readonly path: Path }>(
  all: readonly T[],
  others: readonly { readonly path: Path }[],
): readonly T[] {
  const keys = new Set(others.map(({ path }) => keyOf(path)));
  return all.filter(({ path }) => !keys.has(keyOf(path)));
}
