// Applies the plans of many portals: prepares each one, then applies them, the canaries first.
import { randomUUID } from "node:crypto";
import { applyPortal, type CarriedOut } from "./apply-portal.js";
import { openBatches, type BatchedPortal, type BatchOptions } from "./batches.js";
import { divergentApplies, changedInFile } from "./divergent-applies.js";
import { eachPortal, outcomeOf, sideBySide, withAllHosts } from "./each-portal.js";
import { lateTexts, missedTexts, remark, printRemarks, type Remarks } from "./missed-windows.js";
import { assertApplicable, planPortal, withoutOldValues } from "./plan-portal.js";
import type { PlannedPortal, PlanOptions } from "./plan-portal.js";
import type { Member, PortalContext } from "./portal-context.js";
import { afterApply, resultOf, resultWithoutPlan, SkippedFailure } from "./portal-result.js";
import { assertFileAgrees, assertNotHeldManually, isByClock } from "./preconditions.js";
import type { RunContext } from "./run-context.js";
import { skippingHeld } from "./skip-held.js";
import { assertFresh } from "./stale.js";
import { awaitOutcome, type Waiting } from "./wait.js";
import { Failure } from "../failure.js";
import { changedEnds } from "../plan/binding.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import type { Saved } from "../plan/saved.js";
import type { DesiredLeaf } from "../settings.js";
import { authorOf } from "../state/author/author.js";
import { rollbackHoldOf, type Entry, type WantedLeaf } from "../state/state.js";
import type { Stored } from "../state/state-store.js";

/** An apply in the history: its time, run and commit. */
export type PastApply = Pick<Entry, "time" | "run" | "by">;

/** What will be applied to a portal, and what the prompt shows of it. */
export interface Prepared {
  readonly planned: PlannedPortal;
  /** The plan to show if a yes at the prompt allows guards. */
  readonly shown?: PlannedPortal;
  readonly options: PlanOptions;
  /** The settings of the file, also for a rollback. */
  readonly wanted: readonly DesiredLeaf[];
  /** Absent for an apply. */
  readonly rollback?: {
    readonly why: string;
    readonly wants: readonly WantedLeaf[];
    /** The target of the rollback, in words. */
    readonly aim: string;
    readonly undone: PastApply | undefined;
  };
  /** The apply that an earlier rollback has already undone. */
  readonly undone?: PastApply | undefined;
  readonly isSettled: boolean;
  /** Why it cannot be applied, if that is known before the prompt. */
  readonly failure?: Failure | undefined;
}

export interface PrepareOptions {
  readonly options: PlanOptions;
  readonly waiting: Waiting;
  /** The plans of a saved plan. */
  readonly saved?: Saved["portals"] | undefined;
}

/** Plans the portals of all files, and finds why any of them cannot be applied. */
export async function prepareApplies(
  run: RunContext,
  files: readonly string[],
  applying: PrepareOptions,
): Promise<Member<Prepared>[]> {
  const missed: Remarks = new Map();
  const members = await eachPortal(run, files, (portal) =>
    skippingHeld(run, portal, async () => {
      const { portal: settled, known } = await awaitOutcome(portal, run, "apply", applying.waiting);
      if (known) askAhead(portal, known, run);
      const planned = await planPortal(run, settled, applying.options, known);
      const failure = await obstacleTo(planned, run, applying.saved);
      if (run.skipsHeld && failure?.code === "held") throw new SkippedFailure(failure, planned);
      remark(missed, missedTexts(planned, run.io), portal.portal.name);
      return prepared(run, {
        planned,
        options: applying.options,
        wanted: portal.leaves,
        isSettled: isSettled(planned),
        failure,
      });
    }),
  );
  printRemarks(missed, run);
  return members;
}

/** Adds the portal's own identity, which reveals duplicates, and the findings of policies. */
export function prepared(run: RunContext, made: Prepared) {
  const planned = withoutOldValues(made.planned);
  if (!isNothingToDo(planned.plan)) run.progress.changes(planned.desired.file);
  return { ...made, planned, own: planned.own, findings: planned.findings };
}

/** Asks git for the author while the portal answers, because both take long. Skipped if nothing seems to change. */
function askAhead({ desired, leaves }: PortalContext, { state }: Stored, { io }: RunContext): void {
  if (state && changedInFile(state, leaves).length === 0) return;
  // The apply asks again, and reports the error.
  authorOf(io, desired.paths).catch(() => undefined);
}

/** Why a plan cannot be applied, as far as known before the prompt. */
async function obstacleTo(
  planned: PlannedPortal,
  run: RunContext,
  saved: Saved["portals"] = [],
): Promise<Failure | undefined> {
  const checked = await outcomeOf(async () => {
    // A missing secret must not look like "nothing to do".
    if (planned.unable) throw planned.unable;
    const { state, divergent, desired } = planned;
    const { file } = desired;
    const before = saved.find((each) => each.file === file)?.plan;
    if (isSettled(planned) && !(before && isOvertaken(before, planned.plan))) {
      // A rollback is no success of a run by the clock, even if nothing is due: the file must change.
      if (state) assertFileAgrees(planned, state, { file, io: run.io, divergent });
      return;
    }
    if (!isNothingToDo(planned.plan)) assertNotHeldManually(state, { file, io: run.io });
    if (before) assertFresh(before, planned, run.io);
    assertApplicable(run, planned);
  }, run);
  return "failure" in checked ? checked.failure : undefined;
}

/** For an empty plan: whether the file changed, or a window closed, after the saved plan was made. */
function isOvertaken(saved: Plan, fresh: Plan): boolean {
  if (isNothingToDo(saved)) return false;
  const ends = changedEnds(saved, fresh);
  return ends.includes("schedule") ? !ends.includes("state") : ends.includes("desired");
}

/** Whether there is nothing to send, record or end. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && (!(state && rollbackHoldOf(state)) || isByClock(plan));
}

/** The result of a portal for the prompt. */
export function preparedResult({ value, ...member }: Member<Prepared>): PortalResult {
  if (!value) return resultWithoutPlan(member);
  const { planned, shown = planned, wanted: leaves, failure } = value;
  return resultOf({ ...shown, leaves }, "changes", failure);
}

/** Whether a prompt is needed: not for a hold to end, or a portal that is blocked. */
export function isToSend({ value }: Member<Prepared>): boolean {
  return value !== undefined && !value.failure && !isNothingToDo(value.planned.plan);
}

export interface FleetOptions {
  readonly waiting: Waiting;
  /** Whether only the plan in hand may be applied, because it was confirmed or saved. */
  readonly isBound: boolean;
  /** Why nothing is applied, such as a refusal at the prompt. */
  readonly declined?: Failure | undefined;
  readonly batches?: BatchOptions;
}

export interface FleetResult {
  readonly result: PortalResult;
  /** The portal with its new state; absent if nothing was applied. */
  readonly applied?: PortalContext & Pick<CarriedOut, "state">;
}

/** Applies what was prepared, and returns the results in the order of the files. */
export async function applyPrepared(
  run: RunContext,
  members: readonly Member<Prepared>[],
  { waiting, isBound, declined, batches: how = { keepGoing: true } }: FleetOptions,
): Promise<FleetResult[]> {
  const runId = randomUUID();
  const late: Remarks = new Map();
  const batches = openBatches(members.map(batchOf), how);
  const results: FleetResult[] = [];
  run.progress.begin(members.filter(isOpen).length);
  for (const [number, batch] of batches.batches.entries()) {
    const between = number > 0 && !declined ? batches.next() : undefined;
    if (between !== undefined) run.notice(between);
    await sideBySide(batch, run, async (at) => {
      const member = members[at] as Member<Prepared>;
      const { file, portal, value } = member;
      if (!value || !isOpen(member)) {
        results[at] = { result: value ? settledResult(value) : resultWithoutPlan(member) };
        return;
      }
      run.progress.at(file, "lock", portal.name);
      const applying = { waiting, isBound, runId, late };
      const ended = await applyOne(run, value, declined ?? batches.why(), applying);
      const { failure } = ended.result;
      batches.ended(at, failure);
      run.progress.end(file, failure ? "failed" : "done");
      results[at] = ended;
    });
  }
  printRemarks(late, run);
  return results;
}

/** Whether there is something to do, or a reason why it cannot be done. */
function isOpen({ value }: Member<Prepared>): boolean {
  return value !== undefined && (!value.isSettled || value.failure !== undefined);
}

function settledResult({ planned, wanted: leaves }: Prepared): PortalResult {
  return resultOf({ ...planned, leaves }, "applied");
}

function batchOf(member: Member<Prepared>): BatchedPortal {
  const { portal, value, failure } = member;
  const hasWork = isOpen(member);
  // On hold with nothing to do, it cannot be a canary either.
  const isIdle = value?.isSettled === true && value.failure?.code === "held";
  const isSkipped = failure?.code === "not-begun" || isIdle;
  return {
    name: portal.name,
    isDone: isSkipped || (value !== undefined && !hasWork),
    isSkipped,
    hasFailed: (failure !== undefined && !isSkipped) || (hasWork && value?.failure !== undefined),
    canVerify: (hasWork && value?.planned.desired.portal.mayRead) ?? false,
  };
}

interface ApplyingOne extends Pick<FleetOptions, "waiting" | "isBound"> {
  /** Groups the applies of one run in the history. */
  readonly runId: string;
  readonly late: Remarks;
}

async function applyOne(
  run: RunContext,
  { planned, wanted: leaves, options, rollback, failure }: Prepared,
  stopped: Failure | undefined,
  { waiting, isBound, runId, late }: ApplyingOne,
): Promise<FleetResult> {
  const why = failure ? withAllHosts(failure, planned.credentialHosts, run) : stopped;
  const confirmed = isBound ? planned.plan : undefined;
  const how = { options, waiting, confirmed, rollback, runId };
  const outcome = why
    ? { failure: why }
    : await outcomeOf(() => skippingHeld(run, planned, () => applyPortal(run, planned, how)), run);
  // The hold before the apply, so that the report can show whether the apply ended it.
  const { hold, leaves: applied = [], journal } = planned.state ?? {};
  // A rollback ignores the hold of another rollback.
  const held =
    hold && !rollback
      ? { hold: planned.state && rollbackHoldOf(planned.state), leaves: applied, journal }
      : undefined;
  if ("failure" in outcome) {
    return { result: resultOf({ ...planned, leaves, state: held }, "applied", outcome.failure) };
  }
  // Without a confirmed plan, the applied plan may differ from the first one.
  const { plan, state } = outcome.value;
  if (isByClock(plan)) remark(late, lateTexts(plan, run.io.now()), planned.portal.name);
  const after = { ...planned, plan, leaves };
  if (rollback) {
    const own = { desired: planned.desired, leaves, isRollback: false };
    const divergent = await divergentApplies({ state, live: planned.live }, own, run.io);
    return {
      result: resultOf({ ...after, state, divergent }, "applied"),
      applied: { ...planned, state },
    };
  }
  const shown = { ...after, state: { ...state, hold: undefined, ...held } };
  const result = afterApply(resultOf(shown, "applied"), run.notice);
  return { result, applied: { ...planned, state } };
}
