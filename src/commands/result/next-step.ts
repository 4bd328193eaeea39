// How a portal stands → the command that goes on from there, so that a person who follows it gets further.
import { isRollbackOpen } from "../../apply/preconditions.js";
import type { FailureCode } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Change } from "../../plan/diff.js";
import { keepingCall } from "../../plan/guard.js";
import { isNothingToDo } from "../../plan/plan.js";
import { closedGuards, type PortalResult } from "../../plan/result.js";
import type { PlannedPortal } from "../../run/portal.js";
import { NOTHING_TO_DO } from "../../report/status-report.js";
import { isSent } from "../../settings.js";
import { oneLine, shellWord } from "../../lib/text.js";
import { DEFAULT_STATE } from "../../state-address/kinds.js";
import { notKept } from "../../state/open.js";
import { trustIn } from "../../state/trust/signature.js";

export function nextStep(
  result: PortalResult,
  planned: PlannedPortal | undefined,
  io: Pick<Io, "env">,
): string {
  const step = stepOf(result, planned, io);
  const { state } = planned ?? {};
  const isWrite = /\blintel (apply|rollback|state unhold) /.test(step);
  return isWrite && state && trustIn(state, io) === "not-verified"
    ? `${step}; where LINTEL_STATE_KEY is set, such as in the pipeline, because the state is signed`
    : step;
}

function stepOf(
  result: PortalResult,
  planned: PlannedPortal | undefined,
  { env }: Pick<Io, "env">,
): string {
  const { failure, hold } = result;
  const word = shellWord(oneLine(result.file));
  if (!planned) return failure ? stepAfter(failure.code, word) : `lintel doctor ${word}`;
  const { state, plan, unable, desired } = planned;
  const isLost = notKept(desired.state, env) !== undefined;
  const isUndoing = plan.notes.some(({ code }) => code === "other-commit");
  if (unable) return `lintel doctor ${word}, because nobody is signed in`;
  // Held by hand, an apply or a rollback that was interrupted is not gone on with either.
  if (hold?.isByHand) {
    const lift = `lintel state unhold ${word}`;
    return hold.until === null
      ? `${lift}, once what it is held for is done`
      : `wait until the hold ends, or ${lift}`;
  }
  if (state?.journal && !isLost && !isUndoing)
    return `lintel ${isRollbackOpen(state) ? "rollback" : "apply"} ${word}`;
  if (hold?.isOlder) {
    return `git pull, because ${word} is no newer than what was rolled back, or lintel state unhold ${word} to end the hold`;
  }
  if (hold && !hold.isAgreed) {
    return `lintel pull ${word} to keep what the portal has, or lintel state unhold ${word} to apply the file as it is`;
  }
  if (isLost && !isNothingToDo(plan)) {
    return `write into ${word} where the state is kept, such as "state: ${DEFAULT_STATE}" where this folder stays: apply refuses to lose it with this pipeline`;
  }
  if (isUndoing) {
    return `git pull where the checkout is old, because what was applied last is not part of it; then lintel plan ${word}, and if that is meant: lintel apply ${word}`;
  }
  // What the portal shows already, and what is left as it is, was drift that the file agrees with.
  const undoesDrift = (each: Change) =>
    isSent(each) && each.notes.some(({ code }) => code === "drift");
  if (plan.changes.some(undoesDrift)) {
    const pull = keepingCall(plan.guards, word) ?? `lintel pull ${word}`;
    return `changed by hand: lintel drift ${word}, then ${pull} to keep that, or lintel apply ${word} to undo it`;
  }
  if (closedGuards(result).length > 0) {
    return `lintel plan ${word}`;
  }
  if (hold) return `lintel apply ${word}, which ends the hold, because the file agrees`;
  if (!isNothingToDo(plan)) return `lintel apply ${word}`;
  if (plan.leaves.length > 0) return NOTHING_TO_DO;
  return `add settings to ${word}, or start from the live values: lintel pull ${word} --all`;
}

const TOLD_BY_THE_ERROR: readonly FailureCode[] = [
  "state-damaged",
  "state-unmerged",
  "state-not-trusted",
  "state-rewound",
  "bad-state-key",
  "state-not-ours",
  "state-place-shared",
  "state-newer",
  "state-of-another-portal",
  "state-not-readable",
  "bad-state-address",
  "same-portal-twice",
];

function stepAfter(code: FailureCode, word: string): string {
  if (code === "file-invalid") return `lintel validate ${word}`;
  if (code === "state-moved") return `git pull, or change "state:" in ${word} as the error says`;
  if (code === "interrupted") return `lintel status ${word}`;
  return TOLD_BY_THE_ERROR.includes(code) ? "see the error" : `lintel doctor ${word}`;
}
