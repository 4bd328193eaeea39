// Computes the events of one check: what was found and done, each thing reported once.
import type { PassedBoundary } from "../poll-times.js";
import { changeJson, driftJson, pathsIn } from "./change-json.js";
import type { EventDraft } from "./event.js";
import {
  without,
  type Change,
  type Drift,
  type History,
  type Reconciled,
  type Stopped,
} from "../../apply/reconcile.js";
import { digest } from "../../lib/digest.js";
import type { Json } from "../../lib/json.js";
import { counted, listed } from "../../lib/text.js";
import { failureJson } from "../../report/json-report.js";
import { isSent } from "../../settings.js";
import { appliesOf, authorText, type Applied, type SettledChange } from "../../state/state.js";

/** What was reported of a portal: digests, because thousands are kept for months. */
export interface Reported {
  /** "" for nothing. */
  readonly drift: string;
  readonly pending: string;
  /** What failed, or what blocks the apply; "" for nothing. */
  readonly failure: string;
  readonly notices: readonly string[];
  /** The newest apply. Absent before the first check that has read the state. */
  readonly applied?: ReportedApply;
  /** When the portal was first reported on, and how many events it has had since: the same may happen again. */
  readonly sinceMs: number;
  readonly count: number;
}

export interface ReportedApply {
  /** Absent where there was no state. */
  readonly lineage?: string;
  /** 0 before the first apply. */
  readonly number: number;
}

export const NOTHING_REPORTED: Reported = {
  drift: "",
  pending: "",
  failure: "",
  notices: [],
  sinceMs: 0,
  count: 0,
};

interface CheckFindings {
  readonly reconciled: Reconciled;
  /** Those that passed since the check before. */
  readonly boundaries: readonly PassedBoundary[];
  /** The moment of the check before. */
  readonly checkedMs: number;
}

interface Events {
  readonly events: readonly EventDraft[];
  readonly reported: Reported;
}

export function eventsOfCheck(
  before: Reported,
  { reconciled, boundaries, checkedMs }: CheckFindings,
): Events {
  const { failure: stopped, isStopped, notices, state, applied } = reconciled;
  const applies = appliesSince(before.applied ?? newestApply(state), state, checkedMs);
  const arrived = applies.flatMap(({ outcome, changes }) => (outcome ? [] : changes));
  const { drift } = reconciled;
  const foundDrift = drift ? digestOf(drift.map(driftJson)) : before.drift;
  // Drift has events of its own, and so has what blocks the apply.
  const changes = stopped
    ? []
    : without(reconciled.changes, applied).filter(({ cause }) => cause !== "drift");
  const pending = stopped ? before.pending : digestOf(changes.map(changeJson));
  // Without the permission to apply, a check does not try what a guard blocks.
  const isStillBlocked = reconciled.guards.length > 0 && before.failure.startsWith(GUARDED);
  const failure = stopped ? failureKey(stopped, isStopped) : isStillBlocked ? before.failure : "";
  const events: EventDraft[] = [
    ...(before.failure !== "" && failure === "" ? [recoveredEvent(before.failure)] : []),
    ...(drift && drift.length > 0 && foundDrift !== before.drift ? [driftEvent(drift)] : []),
    ...(drift?.length === 0 && before.drift !== "" ? [driftGoneEvent()] : []),
    ...(stopped && failure !== before.failure ? [failureEvent(stopped, isStopped)] : []),
    ...boundaries.map((each) => windowEvent(each, reconciled, arrived)),
    ...(state ? applies.flatMap((each) => eventsOfApply(each, boundaries, state)) : []),
    ...(changes.length > 0 && pending !== before.pending ? [pendingEvent(changes)] : []),
    ...notices.filter((each) => !before.notices.includes(each)).map(noticeEvent),
  ];
  return numbered(events, {
    ...before,
    drift: drift ? digestOf(without(drift, applied).map(driftJson)) : before.drift,
    pending,
    failure,
    notices,
    ...(state && { applied: newestApply(state) }),
  });
}

/** The events of a portal that is not checked, or whose check does not count: only why. */
export function eventsOfInvalid(before: Reported, problem: Stopped, isStopped: boolean): Events {
  const failure = failureKey(problem, isStopped);
  const events = failure === before.failure ? [] : [failureEvent(problem, isStopped)];
  return numbered(events, { ...before, failure });
}

/** The number distinguishes repetitions. */
function numbered(events: readonly EventDraft[], reported: Reported): Events {
  const { sinceMs, count } = reported;
  return {
    events: events.map((each, at) => ({
      fact: [each.message, each.more ?? null, sinceMs, count + at],
      ...each,
    })),
    reported: { ...reported, count: count + events.length },
  };
}

function digestOf(all: readonly Json[]): string {
  return all.length === 0 ? "" : digest(all);
}

export function newestApply(state: History | undefined): ReportedApply {
  if (!state) return { number: 0 };
  const { lineage } = state;
  return { lineage, number: appliesOf(state).at(-1)?.number ?? 0 };
}

/** The applies that were not reported; of a state with a new lineage, those since the check before. */
function appliesSince(
  { lineage, number }: ReportedApply,
  state: History | undefined,
  checkedMs: number,
): readonly Applied[] {
  if (!state) return [];
  const isNew = (each: Applied) =>
    state.lineage === lineage ? each.number > number : Date.parse(each.time) >= checkedMs;
  return appliesOf(state).filter(isNew);
}

/** Without the changes that the event of a window reports. */
function eventsOfApply(
  entry: Applied,
  boundaries: readonly PassedBoundary[],
  state: History,
): EventDraft[] {
  const isOfWindow = (change: SettledChange) => boundaries.some((each) => isOf(each, change));
  const rest = entry.outcome ? entry.changes : entry.changes.filter((each) => !isOfWindow(each));
  return rest.length === 0 ? [] : [appliedEvent(entry, rest, state)];
}

function isOf({ window, is }: PassedBoundary, { window: by }: Pick<Change, "window">): boolean {
  return by?.name === window.name && by.is === is;
}

/** In one outage, calls fail in different ways. */
const AWAY = ["not-reachable", "no-answer", "too-many-requests"];

const BLOCKED = "blocked";
const GUARDED = `${BLOCKED} guarded`;

function failureKey({ code, message }: Stopped, isStopped: boolean): string {
  if (AWAY.includes(code)) return "failed away";
  // The message of a hold changes with each window that it keeps back; a hold is reported once.
  if (code === "held") return `${BLOCKED} held`;
  if (code === "guarded") return `${GUARDED} ${digest(message)}`;
  if (isStopped) return `${BLOCKED} ${digest(message)}`;
  return code === "file-invalid" ? `failed ${digest(message)}` : `failed ${code}`;
}

const LATER = "Run the command again later.";

/** Without advice to run the command again, because `serve` retries. */
export function helpHere({ code, help }: Pick<Stopped, "code" | "help">): string | undefined {
  if (code === "too-many-requests") return undefined;
  return help === LATER ? undefined : help?.replace(", then run the command again.", ".");
}

function failureEvent(failure: Stopped, isStopped: boolean): EventDraft {
  const { code, message, exit } = failure;
  const help = helpHere(failure);
  return {
    kind: isStopped ? "blocked" : "failed",
    message,
    help,
    isProblem: true,
    more: { exitCode: exit, failure: failureJson({ code, message, help }) },
  };
}

function recoveredEvent(failure: string): EventDraft {
  const message = failure.startsWith(BLOCKED)
    ? "No longer blocked."
    : "The portal can be checked again.";
  return { kind: "recovered", message, isProblem: true };
}

function driftEvent(drift: readonly Drift[]): EventDraft {
  const message = `Changed on the portal: ${pathsIn(drift)}.`;
  return { kind: "drift", message, isProblem: true, more: { drift: drift.map(driftJson) } };
}

function driftGoneEvent(): EventDraft {
  const message = "No drift: all managed settings match the last apply.";
  return { kind: "drift", message, isProblem: true, more: { drift: [] } };
}

function pendingEvent(changes: readonly Change[]): EventDraft {
  const message = `Changes wait for an apply: ${pathsIn(changes)}.`;
  return { kind: "pending", message, isProblem: false, more: { changes: changes.map(changeJson) } };
}

function noticeEvent(message: string): EventDraft {
  return { kind: "notice", message, isProblem: false };
}

/** Reported when the boundary passes, even if nothing was sent. */
function windowEvent(
  boundary: PassedBoundary,
  { applied, changes, failure }: Reconciled,
  arrived: readonly SettledChange[],
): EventDraft {
  const { window, is, ms } = boundary;
  const sent = arrived.filter((each) => isOf(boundary, each) && isSent(each));
  const left = without(changes, applied).filter((each) => isOf(boundary, each));
  const what = `The window "${window.name}" ${is === "open" ? "opened" : "closed"}`;
  const end =
    sent.length > 0
      ? `: applied ${pathsIn(sent)}.`
      : failure
        ? "; nothing was sent, because the apply is blocked or failed."
        : left.length > 0
          ? "; nothing was sent. Its changes wait for an apply."
          : "; nothing had to be changed.";
  const more = { window: window.name, is, changes: sent.map(changeJson) };
  const fact = [window.name, is, ms];
  return { kind: "window", message: what + end, isProblem: false, more, fact };
}

const REASONS: Readonly<Record<SettledChange["cause"], string>> = {
  file: "from the file",
  schedule: "for a window",
  drift: "to restore drift",
  rollback: "for a rollback",
};

/** `rest`: the changes that no other event reports. */
function appliedEvent(
  { kind, number, time, by, outcome }: Applied,
  rest: readonly SettledChange[],
  { lineage }: History,
): EventDraft {
  const isKnown = outcome === undefined;
  const sent = rest.filter(isSent);
  const noted = rest.length - sent.length;
  const reasons = [...new Set(sent.map(({ cause }) => REASONS[cause]))];
  const isBack = kind === "rollback";
  const message = [
    ...(sent.length > 0 && isKnown
      ? [
          isBack
            ? `${authorText(by)} rolled back ${pathsIn(sent)}.`
            : `${authorText(by)} applied ${pathsIn(sent)} ${listed(reasons)}.`,
        ]
      : []),
    ...(sent.length > 0 && !isKnown
      ? [`Outcome unknown: ${authorText(by)} sent ${pathsIn(sent)}.`]
      : []),
    ...(noted > 0 ? [`Recorded ${counted(noted, "setting")}; nothing was sent.`] : []),
  ].join(" ");
  const more = {
    changes: rest.map(changeJson),
    number,
    lineage,
    appliedAt: time,
    by: { ...by },
    ...(!isKnown && { outcome }),
  };
  return { kind: "applied", message, isProblem: false, more, fact: [lineage, number] };
}
