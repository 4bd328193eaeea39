// What people saw of a portal until now × what a look found there → what they see from now on.
import { whenDueMs, type Timed } from "./due.js";
import type { Followed } from "./follow/files.js";
import { namesOf, type Seen, type Status } from "./known.js";
import { changeJson, driftJson } from "./news/changes.js";
import { helpHere, waitingIn } from "./news/news.js";
import { EXIT } from "../failure.js";
import { appliesOf, authorText } from "../state/state.js";
import { without, type Stopped, type Reconciled } from "../apply/reconcile.js";

interface Looked {
  readonly followed: Followed;
  readonly reconciled: Reconciled;
  readonly times: Timed;
  readonly nowMs: number;
}

export function seenAfter(before: Seen, { followed, reconciled, times, nowMs }: Looked): Seen {
  const { failure, isStopped, applied, state } = reconciled;
  const newest = state && appliesOf(state).at(-1);
  const isAnswered = failure === undefined || isStopped;
  const windows = followed.windows.filter(({ untilMs }) => untilMs > times.lookedMs);
  const drift = reconciled.drift ? without(reconciled.drift, applied).map(driftJson) : before.drift;
  const { failure: _, ...found } = reconciled;
  // Also of what is held or stopped, where somebody has to decide about just that.
  // Before the first apply there is a plan, and no drift.
  const isPlanned = reconciled.planDigest !== undefined;
  const waiting = isPlanned ? waitingIn(found).map(changeJson) : before.waiting;
  const isToDo = drift.length + waiting.length > 0;
  const { guards = [], blockers = [] } = isPlanned ? reconciled : before;
  const { answeredMs = isAnswered ? nowMs : undefined } = isAnswered ? {} : before;
  const { lastApply, commit, author } = newest
    ? { lastApply: newest.number, commit: newest.by.commit, author: authorText(newest.by) }
    : before;
  const planDigest = reconciled.planDigest ?? before.planDigest;
  return {
    ...namesOf(followed),
    ...(before.pool !== undefined && { pool: before.pool }),
    status: statusOf({ ...reconciled, drift: drift.length, waiting: waiting.length }),
    lookedMs: times.lookedMs,
    ...(answeredMs !== undefined && { answeredMs }),
    nextMs: whenDueMs(times, windows),
    windows,
    waiting,
    ...(isToDo && guards.length > 0 && { guards }),
    ...(isToDo && blockers.length > 0 && { blockers }),
    drift,
    ...(failure && { failure: failureOf(failure, before, nowMs) }),
    ...(lastApply !== undefined && { lastApply }),
    ...(commit !== undefined && { commit }),
    ...(author !== undefined && { author }),
    ...(isToDo && planDigest !== undefined && { planDigest }),
  };
}

/** Of a portal at which nobody can look, because its file is wrong. */
export function seenWithout(
  before: Seen,
  followed: Followed,
  problem: Stopped,
  nowMs: number,
): Seen {
  const { nextMs: _, ...rest } = before;
  const failure = failureOf(problem, before, nowMs);
  return { ...rest, ...namesOf(followed), windows: [], status: "invalid", failure };
}

/** Of a portal whose changes wait for a decision. */
export function seenStopped(seen: Seen, before: Seen, problem: Stopped, nowMs: number): Seen {
  return { ...seen, status: "pending", failure: failureOf(problem, before, nowMs) };
}

interface Counted extends Pick<Reconciled, "failure" | "isStopped"> {
  readonly drift: number;
  readonly waiting: number;
}

function statusOf({ failure, isStopped, drift, waiting }: Counted): Status {
  if (failure?.code === "held") return "held";
  if (failure && !isStopped) return failure.exit === EXIT.invalid ? "invalid" : "unreachable";
  // What a guard or a policy blocks is not applied yet, and the failure says why.
  if (drift > 0 && (!failure || waiting === 0)) return "drifted";
  return failure || waiting > 0 ? "pending" : "in-sync";
}

/** Since when it fails in the same way. */
function failureOf(problem: Stopped, before: Seen, nowMs: number) {
  const { code, message } = problem;
  const isSame = before.failure?.code === code;
  const sinceMs = isSame ? before.failure.sinceMs : nowMs;
  return { code, message, help: helpHere(problem) ?? null, sinceMs };
}
