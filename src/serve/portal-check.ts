// Checks one portal: plans its file, applies what may be applied, and returns the record and the events of it.
import {
  passedBoundaries,
  afterFailureMs,
  dueAtMs,
  regularPollMs,
  type PollTimes,
} from "./poll-times.js";
import { changeJson, driftJson } from "./events/change-json.js";
import { eventOf, type Event, type EventDraft } from "./events/event.js";
import { eventsOfCheck, eventsOfInvalid, helpHere, newestApply } from "./events/portal-events.js";
import type { PortalFile, Problem } from "./portal-files.js";
import type { RunSessions } from "./run-sessions.js";
import { namesOf, type PortalRecord, type Snapshot, type Status } from "./snapshot.js";
import { caught, EXIT, type Failure } from "../failure.js";
import type { Io } from "../io.js";
import { reconcile, without, type Reconciled, type Reconciling } from "../apply/reconcile.js";
import { appliesOf, authorText } from "../state/state.js";

export interface CheckOptions extends Reconciling {
  readonly io: Io;
  readonly sessions: Pick<RunSessions, "within">;
  readonly everyMs: number;
  /** As of which moment. */
  readonly atMs: number;
  /** The user who asked for it, and saw the plan. */
  readonly actor?: string | undefined;
  /** Stores the record before the first apply, so that an apply is reported even after a kill. */
  readonly note: (record: PortalRecord) => Promise<void>;
}

/** The author of automatic applies, in place of the git user of this machine. */
export const AUTOMATIC = "lintel (automatic)";

/** Stored in one step, before any event is sent. */
export interface CheckResult {
  readonly record: PortalRecord;
  readonly events: readonly Event[];
}

/** "outdated": the files were changed meanwhile, so that nothing was applied and nothing is recorded. */
export async function runCheck(
  portalFile: PortalFile,
  before: PortalRecord,
  options: CheckOptions,
): Promise<CheckResult | "outdated" | "interrupted"> {
  const { io, sessions, everyMs, atMs, actor = AUTOMATIC } = options;
  let { reported } = before;
  const mayGoOn: Reconciling["mayGoOn"] = async (found) => {
    const may = await options.mayGoOn(found);
    if (may && may.length > 0 && !reported.applied) {
      reported = { ...reported, applied: newestApply(found.state) };
      await options.note({ ...before, reported });
    }
    return may;
  };
  const reconciled = await sessions
    .within((contextAt) =>
      reconcile({ ...contextAt(atMs), actor }, portalFile.file, { ...options, mayGoOn }),
    )
    .catch((error: unknown) => brokenCheck(portalFile, caught(error, io)));
  if (!reconciled) return "outdated";
  const { portal, failure, isStopped } = reconciled;
  if (io.signal.aborted && failure?.code === "interrupted") return "interrupted";
  const nowMs = io.now();
  const { key, windows } = portalFile;
  const { checkedMs } = before;
  const boundaries = passedBoundaries(windows, checkedMs, atMs);
  const found = eventsOfCheck(reported, { reconciled, boundaries, checkedMs });
  const failures = failure && !isStopped ? before.failures + 1 : 0;
  const nextPollMs =
    failures > 0
      ? nowMs + afterFailureMs(key, failures, everyMs)
      : regularPollMs(key, everyMs, nowMs);
  const times = { checkedMs: atMs, nextPollMs };
  const snapshot = snapshotAfter(before.snapshot, { portalFile, reconciled, times, nowMs });
  return {
    record: { ...times, failures, reported: found.reported, snapshot },
    events: eventsAbout({ ...portalFile, portal }, found.events, nowMs),
  };
}

/** The result for a file with errors, whose portal is not checked. */
export function resultOfInvalid(
  portalFile: PortalFile,
  before: PortalRecord,
  { problem, nowMs }: { readonly problem: Problem; readonly nowMs: number },
): CheckResult {
  const { events, reported } = eventsOfInvalid(before.reported, problem, false);
  const { nextMs: _, ...rest } = before.snapshot;
  const failure = failureSince(problem, before.snapshot, nowMs);
  const snapshot = {
    ...rest,
    ...namesOf(portalFile),
    windows: [],
    status: "invalid",
    failure,
  } as const;
  return {
    record: { ...before, reported, snapshot },
    events: eventsAbout(portalFile, events, nowMs),
  };
}

/** For a check that does not count: shows what it found, but nothing is applied before a person decides. */
export function resultOfStopped(
  { record }: CheckResult,
  portalFile: PortalFile,
  before: PortalRecord,
  { problem, nowMs }: { readonly problem: Problem; readonly nowMs: number },
): CheckResult {
  const { events, reported } = eventsOfInvalid(before.reported, problem, true);
  const failure = failureSince(problem, before.snapshot, nowMs);
  const snapshot = { ...record.snapshot, status: "blocked", failure } as const;
  return {
    record: { ...record, failures: 0, reported, snapshot },
    events: eventsAbout(portalFile, events, nowMs),
  };
}

function eventsAbout(
  { key, portal, file }: PortalFile,
  drafts: readonly EventDraft[],
  timeMs: number,
): readonly Event[] {
  return drafts.map((draft) => eventOf(draft, { key, about: { portal, file }, timeMs }));
}

/** A check that threw. */
function brokenCheck({ portal }: PortalFile, failure: Failure): Reconciled {
  const { code, message, help, exit } = failure;
  return {
    portal,
    drift: undefined,
    changes: [],
    guards: [],
    applied: [],
    state: undefined,
    failure: { code, message, help, exit },
    isStopped: false,
    notices: [],
  };
}

interface Checked {
  readonly portalFile: PortalFile;
  readonly reconciled: Reconciled;
  readonly times: PollTimes;
  readonly nowMs: number;
}

export function snapshotAfter(
  before: Snapshot,
  { portalFile, reconciled, times, nowMs }: Checked,
): Snapshot {
  const { failure, isStopped, applied, state } = reconciled;
  const newest = state && appliesOf(state).at(-1);
  const isAnswered = failure === undefined || isStopped;
  const windows = windowsAfter(portalFile.windows, before.windows, reconciled).filter(
    ({ untilMs }) => untilMs > times.checkedMs,
  );
  const drift = reconciled.drift ? without(reconciled.drift, applied).map(driftJson) : before.drift;
  // All changes of the plan, even if the portal is held or blocked: a person decides about these.
  const isPlanned = reconciled.planDigest !== undefined;
  const waiting = isPlanned ? without(reconciled.changes, applied).map(changeJson) : before.waiting;
  const isToDo = waiting.length > 0;
  const { guards = [], blockers = [] } = isPlanned ? reconciled : before;
  const { answeredMs = isAnswered ? nowMs : undefined } = isAnswered ? {} : before;
  const { lastApply, commit, author } = newest
    ? { lastApply: newest.number, commit: newest.by.commit, author: authorText(newest.by) }
    : before;
  const planDigest = reconciled.planDigest ?? before.planDigest;
  return {
    ...namesOf(portalFile),
    ...(before.pool !== undefined && { pool: before.pool }),
    status: statusOf(reconciled, { drift, waiting, guards }),
    checkedMs: times.checkedMs,
    ...(answeredMs !== undefined && { answeredMs }),
    nextMs: dueAtMs(times, windows),
    windows,
    waiting,
    ...(isToDo && guards.length > 0 && { guards }),
    ...(isToDo && blockers.length > 0 && { blockers }),
    drift,
    ...(failure && { failure: failureSince(failure, before, nowMs) }),
    ...((failure?.code === "held" || (!isAnswered && before.isHeld)) && { isHeld: true }),
    ...(lastApply !== undefined && { lastApply }),
    ...(commit !== undefined && { commit }),
    ...(author !== undefined && { author }),
    ...(isToDo && planDigest !== undefined && { planDigest }),
  };
}

/** Without a plan, the windows of the last plan remain. */
function windowsAfter(
  windows: Snapshot["windows"],
  before: Snapshot["windows"],
  { planDigest, unapplied = [], applied }: Reconciled,
): Snapshot["windows"] {
  const isUnapplied = (name: string) =>
    planDigest === undefined
      ? before.some((each) => each.name === name && each.isUnapplied)
      : applied.length === 0 && unapplied.includes(name);
  return windows.map((each) => (isUnapplied(each.name) ? { ...each, isUnapplied: true } : each));
}

function statusOf(
  { failure, isStopped }: Reconciled,
  { drift, waiting, guards = [] }: Pick<Snapshot, "drift" | "waiting" | "guards">,
): Status {
  if (failure?.code === "held") return "held";
  if (failure && !isStopped) return failure.exit === EXIT.invalid ? "invalid" : "unreachable";
  if (drift.length > 0) return "drifted";
  if (failure) return "blocked";
  if (waiting.length === 0) return "in-sync";
  return guards.length > 0 ? "blocked" : "pending";
}

/** Adds the time since when the portal fails in the same way. */
function failureSince(problem: Problem, before: Snapshot, nowMs: number) {
  const { code, message, errors } = problem;
  const isSame = before.failure?.code === code;
  const sinceMs = isSame ? before.failure.sinceMs : nowMs;
  const help = helpHere(problem) ?? null;
  return { code, message, help, sinceMs, ...(errors && { errors }) };
}
