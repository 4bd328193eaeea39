// Builds the result of a portal for reports: its plan, the outcome and the reason.
import { baseOf, disagreements, isByClock, windowLineOf } from "./preconditions.js";
import type { PlannedPortal } from "./plan-portal.js";
import type { Member } from "./portal-context.js";
import { policiesIn } from "../policy/policy.js";
import { EXIT, Failure, type FailureCode } from "../failure.js";
import type { DivergentApply } from "../plan/inputs.js";
import { isNothingToDo } from "../plan/plan.js";
import type { PortalResult, Status } from "../plan/result.js";
import { rollbackHoldOf, type Hold, type Journal, type State } from "../state/state.js";

export type Holding = Pick<PlannedPortal, "desired" | "leaves"> & {
  readonly manualHold?: Hold | undefined;
  readonly state:
    | ({ readonly [K in "hold" | "history" | "leaves"]?: State[K] | undefined } & {
        readonly journal?: Pick<Journal, "kind"> | undefined;
      })
    | undefined;
  readonly divergent?: readonly DivergentApply[];
};

type Ended = Holding & Pick<PlannedPortal, "portal" | "plan" | "findings">;

/** The leaves are those of the file. `done` is the status after success, if there was something to do. */
export function resultOf(
  { portal, plan, findings = [], ...holding }: Ended,
  done: Status,
  failure?: Failure,
): PortalResult {
  const ended = ending(failure, isNothingToDo(plan) ? "unchanged" : done);
  const policies = ended.status === "applied" ? [] : policiesIn(findings);
  const { file, timeZone } = holding.desired;
  const named = { file, portal, ...(timeZone !== undefined && { timeZone }) };
  return { ...ended, ...named, plan, policies, hold: holdFor(holding) };
}

/** The hold of a portal as reports show it. */
function holdFor(holding: Holding): PortalResult["hold"] {
  const { desired, leaves, manualHold, state, divergent = [] } = holding;
  if (manualHold) {
    const { since, by, why, until = null } = manualHold;
    return {
      since,
      by: by.actor,
      why,
      isByHand: true,
      until,
      isAgreed: false,
      isOlder: false,
      inBase: null,
      inWindow: null,
      isUnsettled: false,
    };
  }
  const held = state && rollbackHoldOf(state);
  if (!held) return null;
  const { since, by, why } = held;
  const differing = disagreements({ leaves }, { ...state, hold: held });
  const [first] = differing;
  const isWanted = first === undefined;
  const inBase = first ? baseOf(first.path, { leaves, desired }) : null;
  const inWindow = windowLineOf(differing, { leaves });
  const isOlder = isWanted && divergent.length > 0;
  const isAgreed = isWanted && !isOlder;
  const isUnsettled = state.journal?.kind === "rollback";
  const own = { isByHand: false, until: null, isAgreed, isOlder, inBase, inWindow, isUnsettled };
  return { since, by: by.actor, why, ...own };
}

/** Of a portal on hold that is skipped, which is not a failure of the run. Reports show the hold. */
export class SkippedFailure extends Failure {
  readonly hold: PortalResult["hold"];

  constructor(held: Failure, holding: Holding) {
    super("not-begun", held.message, held.help, { cause: held });
    this.hold = holdFor(holding);
  }
}

export function plannedResult({ value, ...member }: Member<PlannedPortal>): PortalResult {
  return value ? resultOf(value, "changes") : resultWithoutPlan(member);
}

/** For a portal without a plan. */
export function resultWithoutPlan({ file, portal, failure }: Member<unknown>): PortalResult {
  return {
    ...ending(failure, "skipped"),
    file,
    portal,
    plan: null,
    hold: failure instanceof SkippedFailure ? failure.hold : null,
    policies: [],
  };
}

/** After an apply, notes on an unknown outcome, or on a hold that the file agrees with, no longer apply. */
export function afterApply(result: PortalResult, notice: (sentence: string) => void): PortalResult {
  const { plan, hold, portal } = result;
  const isHoldEnded = (hold?.isAgreed ?? false) && !(plan && isByClock(plan));
  if (isHoldEnded)
    notice(`The hold on "${portal.name}" has ended, because the file matches the portal.`);
  const notes = plan?.notes.filter(({ code }) => code !== "outcome-unknown") ?? [];
  return {
    ...result,
    hold: isHoldEnded ? null : hold,
    isHoldEnded,
    plan: plan && { ...plan, isJournalOpen: false, notes },
  };
}

const STATUSES: Partial<Record<FailureCode, Status>> = {
  held: "held",
  interrupted: "skipped",
  declined: "skipped",
  "not-begun": "skipped",
};

function ending(
  failure: Failure | undefined,
  otherwise: Status,
): Pick<PortalResult, "status" | "failure" | "exit"> {
  if (!failure) return { status: otherwise, failure: null, exit: EXIT.done };
  const { code, message, help, exit } = failure;
  return { status: STATUSES[code] ?? "failed", failure: { code, message, help }, exit };
}
