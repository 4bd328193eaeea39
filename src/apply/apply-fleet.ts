// Applies the plans of many portals: prepares each, then carries out what may go on, the canaries first.
import { randomUUID } from "node:crypto";
import { applyPortal, type CarriedOut } from "./apply-portal.js";
import { openBatches, type BatchedPortal, type BatchOptions } from "./batches.js";
import { appliesApart, wantedOtherwise } from "./divergent-applies.js";
import { eachPortal, outcomeOf, sideBySide, withAllHosts } from "./each-portal.js";
import { lateTexts, missedTexts, remark, printRemarks, type Remarks } from "./missed-windows.js";
import { assertApplicable, planPortal, withoutOldValues } from "./plan-portal.js";
import type { PlannedPortal, PlanOptions } from "./plan-portal.js";
import type { Member, PortalContext } from "./portal-context.js";
import { afterApply, resultOf, resultWithoutPlan } from "./portal-result.js";
import { assertNotHeldManually, isByClock } from "./preconditions.js";
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

/** An apply of the history: when, by which run and from which commit. */
export type PastApply = Pick<Entry, "time" | "run" | "by">;

/** What is to be done at a portal, and what a person is shown of it before. */
export interface Prepared {
  readonly planned: PlannedPortal;
  /** The plan to show, where a yes to it allows guards. */
  readonly shown?: PlannedPortal;
  readonly options: PlanOptions;
  /** What the file wants, also where something else is to be applied. */
  readonly wanted: readonly DesiredLeaf[];
  /** Absent for an apply. */
  readonly rollback?: {
    readonly why: string;
    readonly wants: readonly WantedLeaf[];
    /** Where it goes, in words. */
    readonly aim: string;
    readonly undone: PastApply | undefined;
  };
  /** What its rollback has undone, where it is rolled back already. */
  readonly undone?: PastApply | undefined;
  /** Nothing is to be done at all. */
  readonly isSettled: boolean;
  /** Why it cannot be applied, as far as that is known before a person is asked. */
  readonly failure?: Failure | undefined;
}

export interface PrepareOptions {
  readonly options: PlanOptions;
  readonly waiting: Waiting;
  /** The plans of a saved plan; absent where there is none. */
  readonly saved?: Saved["portals"] | undefined;
}

/** Plans the portals of all files, and says of each why it cannot be applied. */
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
      if (run.skipsHeld && failure?.code === "held") throw failure;
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

/** With what two files about one portal are found by, and what policies found. */
export function prepared(run: RunContext, made: Prepared) {
  const planned = withoutOldValues(made.planned);
  if (!isNothingToDo(planned.plan)) run.progress.changes(planned.desired.file);
  return { ...made, planned, own: planned.own, findings: planned.findings };
}

/** Asks git who applies while the portal answers, for both take as long; not where nothing seems to differ. */
function askAhead({ desired, leaves }: PortalContext, { state }: Stored, { io }: RunContext): void {
  if (state && wantedOtherwise(state, leaves).length === 0) return;
  // The apply asks again, and reports why git cannot answer.
  authorOf(io, desired.paths).catch(() => undefined);
}

/** Why a plan cannot be applied, known before a person is asked. */
async function obstacleTo(
  planned: PlannedPortal,
  run: RunContext,
  saved: Saved["portals"] = [],
): Promise<Failure | undefined> {
  const checked = await outcomeOf(async () => {
    // A secret that was lost must not read like "nothing to do".
    if (planned.unable) throw planned.unable;
    const { file } = planned.desired;
    const before = saved.find((each) => each.file === file)?.plan;
    if (isSettled(planned) && !(before && isOvertaken(before, planned.plan))) return;
    if (!isNothingToDo(planned.plan)) assertNotHeldManually(planned.state, { file, io: run.io });
    if (before) assertFresh(before, planned, run.io);
    assertApplicable(run, planned);
  }, run);
  return "failure" in checked ? checked.failure : undefined;
}

/** Where nothing is left to do: whether the file sets other values now, or a window closed before its plan was applied. */
function isOvertaken(saved: Plan, fresh: Plan): boolean {
  if (isNothingToDo(saved)) return false;
  const ends = changedEnds(saved, fresh);
  return ends.includes("schedule") ? !ends.includes("state") : ends.includes("desired");
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && (!(state && rollbackHoldOf(state)) || isByClock(plan));
}

/** What a person is shown before. */
export function preparedResult({ value, ...member }: Member<Prepared>): PortalResult {
  if (!value) return resultWithoutPlan(member);
  const { planned, shown = planned, wanted: leaves, failure } = value;
  return resultOf({ ...shown, leaves }, "changes", failure);
}

/** Whether there is a question to ask. Elsewhere there is only a hold to end, or something stands in the way. */
export function isToSend({ value }: Member<Prepared>): boolean {
  return value !== undefined && !value.failure && !isNothingToDo(value.planned.plan);
}

export interface FleetOptions {
  readonly waiting: Waiting;
  /** Only the plan that was made may be applied: a person has seen it, or it was saved. */
  readonly isBound: boolean;
  /** Why none is applied; undefined where they may be. */
  readonly declined?: Failure | undefined;
  readonly batches?: BatchOptions;
}

export interface FleetResult {
  readonly result: PortalResult;
  /** The portal with the state as it was left; absent where nothing was applied. */
  readonly applied?: PortalContext & Pick<CarriedOut, "state">;
}

/** Applies what was prepared, and returns the results in the order of the files. */
export async function applyPrepared(
  run: RunContext,
  members: readonly Member<Prepared>[],
  { waiting, isBound, declined, batches: how = { keepGoing: true } }: FleetOptions,
): Promise<FleetResult[]> {
  const together = randomUUID();
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
      const applying = { waiting, isBound, together, late };
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

/** There is something to do, or a reason why it cannot be done. */
function isOpen({ value }: Member<Prepared>): boolean {
  return value !== undefined && (!value.isSettled || value.failure !== undefined);
}

function settledResult({ planned, wanted: leaves }: Prepared): PortalResult {
  return resultOf({ ...planned, leaves }, "applied");
}

function batchOf(member: Member<Prepared>): BatchedPortal {
  const { portal, value, failure } = member;
  const hasWork = isOpen(member);
  const isSkipped = failure?.code === "not-begun";
  return {
    name: portal.name,
    isDone: isSkipped || (value !== undefined && !hasWork),
    isSkipped,
    hasFailed: (failure !== undefined && !isSkipped) || (hasWork && value?.failure !== undefined),
    canProve: (hasWork && value?.planned.desired.portal.mayRead) ?? false,
  };
}

interface ApplyingOne extends Pick<FleetOptions, "waiting" | "isBound"> {
  /** By which the history shows what was applied together. */
  readonly together: string;
  readonly late: Remarks;
}

async function applyOne(
  run: RunContext,
  { planned, wanted: leaves, options, rollback, failure }: Prepared,
  stopped: Failure | undefined,
  { waiting, isBound, together, late }: ApplyingOne,
): Promise<FleetResult> {
  const why = failure ? withAllHosts(failure, planned.credentialHosts, run) : stopped;
  const confirmed = isBound ? planned.plan : undefined;
  const how = { options, waiting, confirmed, rollback, together };
  const outcome = why
    ? { failure: why }
    : await outcomeOf(() => skippingHeld(run, planned, () => applyPortal(run, planned, how)), run);
  // The hold as it was before: the report says whether this apply ended it.
  const { hold, leaves: applied = [], journal } = planned.state ?? {};
  // A rollback goes through the hold of another.
  const held =
    hold && !rollback
      ? { hold: planned.state && rollbackHoldOf(planned.state), leaves: applied, journal }
      : undefined;
  if ("failure" in outcome) {
    return { result: resultOf({ ...planned, leaves, state: held }, "applied", outcome.failure) };
  }
  // Where no plan was confirmed, another one than the first may have been applied.
  const { plan, state } = outcome.value;
  if (isByClock(plan)) remark(late, lateTexts(plan, run.io.now()), planned.portal.name);
  const after = { ...planned, plan, leaves };
  if (rollback) {
    const own = { desired: planned.desired, leaves, isPutBack: false };
    const apart = await appliesApart({ state, live: planned.live }, own, run.io);
    return {
      result: resultOf({ ...after, state, apart }, "applied"),
      applied: { ...planned, state },
    };
  }
  const shown = { ...after, state: { ...state, hold: undefined, ...held } };
  const result = afterApply(resultOf(shown, "applied"), run.notice);
  return { result, applied: { ...planned, state } };
}
