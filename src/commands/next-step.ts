// Chooses the next step for a portal: one command, or sentences with each command on a line of its own, indented.
import { isRollbackOpen } from "../apply/preconditions.js";
import type { FailureCode } from "../failure.js";
import type { Io } from "../io.js";
import type { Change } from "../plan/diff.js";
import { keepingCall } from "../plan/guard.js";
import { isNothingToDo } from "../plan/plan.js";
import { closedGuards, stoppersOf, type PortalResult } from "../plan/result.js";
import type { PlannedPortal } from "../apply/plan-portal.js";
import { NOTHING_TO_DO } from "../report/status-report.js";
import { isSent } from "../settings.js";
import { oneLine, shellWord } from "../lib/text.js";
import { DEFAULT_STATE, stateKindOf } from "../state-address/kinds.js";
import { notKept } from "../state/open.js";
import { appliesOf } from "../state/state.js";
import { trustIn } from "../state/signature.js";

export function nextStep(
  result: PortalResult,
  planned: PlannedPortal | undefined,
  io: Pick<Io, "env">,
): string {
  const step = stepOf(result, planned, io);
  const { state } = planned ?? {};
  const isWrite = /\blintel (apply|rollback|unhold) /.test(step);
  if (!isWrite || !state || trustIn(state, io) !== "not-verified") return step;
  const rest = step.startsWith("lintel ") ? `  ${step}` : step;
  return `The state is signed. Set LINTEL_STATE_KEY, or let the pipeline run this:\n${rest}`;
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
  const isUndoing = plan.guards.some(({ name }) => name === "older-checkout");
  if (unable) return `Not signed in. Find out why:\n  lintel doctor ${word}`;
  // Held by hand, an apply or a rollback that was interrupted is not gone on with either.
  if (hold?.isByHand) {
    const when =
      hold.until === null
        ? "End the hold when its reason is gone:"
        : "Wait until the hold ends, or end it now:";
    return `${when}\n  lintel unhold ${word}`;
  }
  if (state?.journal && !isLost && !isUndoing)
    return `lintel ${isRollbackOpen(state) ? "rollback" : "apply"} ${word}`;
  if (hold?.isOlder) {
    return `The checkout is older than the rollback. Update it:\n  git pull\nOr end the hold:\n  lintel unhold ${word}`;
  }
  if (hold && !hold.isAgreed) {
    const file = `Or apply the file:\n  lintel unhold ${word}\n  lintel apply ${word}`;
    if (hold.inWindow) return `Correct the value in the open window:\n  ${hold.inWindow}\n${file}`;
    const base = hold.inBase ? `Fix the value in the base:\n  ${hold.inBase}\nOr keep` : "Keep";
    return `${base} the values of the portal:\n  lintel pull ${word}\n${file}`;
  }
  if (isLost && !isNothingToDo(plan)) {
    return `Local state is lost when this job ends. Set "state:" in ${word}. If this folder is kept, add:\n  state: ${DEFAULT_STATE}`;
  }
  if (isUndoing) {
    return `The last apply was not made from this checkout's commits. Update it:\n  git pull\nIf no shared branch has that change, ask its author to push and merge it.`;
  }
  // What the portal shows already, and what is left as it is, was drift that the file agrees with.
  const undoesDrift = (each: Change) =>
    isSent(each) && each.notes.some(({ code }) => code === "drift");
  if (plan.changes.some(undoesDrift)) {
    const pull = keepingCall(plan.guards, word) ?? `lintel pull ${word}`;
    const isFolder = stateKindOf(planned.stateAddress.address) === "file";
    const older = isFolder ? ", or this state is an older copy" : "";
    const closed = closedGuards(result);
    const guard = closed.includes("overwrite-drift") ? "overwrite-drift" : closed[0];
    const overwrite = guard
      ? `To overwrite them, read first:\n  lintel explain ${guard}`
      : `Or overwrite them:\n  lintel apply ${word}`;
    return `The portal changed since the last apply${older}. Show the changes:\n  lintel drift ${word}\nKeep them in the file:\n  ${pull}\n${overwrite}`;
  }
  if (stoppersOf(result).length > 0) return `lintel plan ${word}`;
  if (hold) return `The file matches the portal. End the hold:\n  lintel apply ${word}`;
  const isFirst = !state || appliesOf(state).length === 0;
  if (isFirst && plan.changes.some((each) => isSent(each) && each.before !== null)) {
    return `No apply is recorded, so the next one may overwrite changes by hand. Read the plan:\n  lintel plan ${word}\nKeep values of the portal in the file:\n  lintel pull ${word}\nThen apply the rest:\n  lintel apply ${word}`;
  }
  if (!isNothingToDo(plan)) return `lintel apply ${word}`;
  if (plan.leaves.length > 0) return NOTHING_TO_DO;
  return `Add settings to ${word}, or start from the live values:\n  lintel pull ${word} --all`;
}

const TOLD_BY_THE_ERROR: readonly FailureCode[] = [
  "state-damaged",
  "state-moved",
  "state-unmerged",
  "state-not-trusted",
  "state-rewound",
  "bad-variable",
  "state-not-ours",
  "state-place-shared",
  "state-newer",
  "state-not-readable",
  "bad-state-address",
  "same-portal-twice",
  "file-incomplete",
];

function stepAfter(code: FailureCode, word: string): string {
  if (code === "file-invalid") return `lintel validate ${word}`;
  if (code === "interrupted") return `lintel status ${word}`;
  return TOLD_BY_THE_ERROR.includes(code) ? "see the error" : `lintel doctor ${word}`;
}
