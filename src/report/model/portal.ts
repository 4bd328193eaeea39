// What became of a portal, or what somebody else changed on it → what every format tells of it, made once.
import type { Change } from "../../plan/diff.js";
import type { Drift } from "../../plan/drift.js";
import type { Identity } from "../../plan/inputs.js";
import type { ComparedWith, Plan, PlanNote } from "../../plan/plan.js";
import { closedGuards, type PortalResult } from "../../plan/result.js";
import { counted, oneLine, shellWord, showTime, UTC } from "../../lib/text.js";
import type { LastApply } from "./drift.js";
import { isDrifted, reportPlanNote, type NoteReport } from "./change.js";
import { openingOf, reportGuard, type GuardReport, type Opening } from "./guard.js";
import { countsText, STATUS } from "./verdict.js";

export interface PortalReport {
  readonly result: PortalResult;
  /** Then the changes are from what was proven last to what the portal shows. */
  readonly isDrift: boolean;
  readonly isDone: boolean;
  readonly where: string;
  readonly status: string;
  /** By which portals can be chosen; one may be in several. */
  readonly states: readonly State[];
  /** "2 to set, 1 to track" or "3 settings changed" */
  readonly counts: string;
  /** The file and its target, and what was compared with what. */
  readonly basis: readonly string[];
  /** The same without what is this portal's own. */
  readonly commonBasis: string;
  /** Above the changes of a drift. */
  readonly remarks: readonly string[];
  readonly notes: readonly NoteReport[];
  /** What is told of each is made when it is drawn: of alike changes on a thousand portals that is once. */
  readonly changes: readonly Change[];
  readonly guards: readonly GuardReport[];
  /** What would open the closed guards; undefined where none is closed. */
  readonly opening: Opening | undefined;
  readonly callouts: readonly Callout[];
  /** When it was applied before what somebody else changed. */
  readonly last: LastApply | undefined;
  /** What would be sent: the first names, how many there are beside them; undefined where that is not known. */
  readonly request: ReturnType<typeof requestOf>;
}

export type State = PortalResult["status"] | "guarded" | "drift";

/** What stands in the way, and what to do: the lines of the help after the first are to be copied. */
export interface Callout {
  readonly kind: "held" | "unfit" | "failed";
  readonly title: string;
  readonly message: string;
  readonly code?: string;
  readonly help: string;
}

export interface PortalDrift {
  readonly result: PortalResult;
  readonly drifts: readonly Drift[];
  /** How many more there are, which --path leaves out. */
  readonly leftOut?: number;
  /** Lines of the file by setting, for those that stand in it. */
  readonly placeOf: (drift: Drift) => Change["place"];
  /** What stands in the way of a comparison; undefined where it was made. */
  readonly remark?: string;
  readonly last?: LastApply;
}

type Clock = (moment: string) => string;

const inUtc: Clock = (moment) => showTime(moment, UTC);

const MOST_NAMES = 20;

const COMPARED_WITH = {
  "live-and-last": "compared with the live portal and what was applied last",
  live: "compared with the live portal alone",
  last: "compared with what was applied last; the portal was not read",
  nothing: "compared with nothing, since the portal was not read and nothing was applied before",
} as const satisfies Record<ComparedWith, string>;

/** Times are as the reader writes them: in UTC, and said so, in what is read elsewhere. */
export function reportPortal(result: PortalResult, time: Clock = inUtc): PortalReport {
  const { status, plan } = result;
  const isDone = status === "applied";
  const changes = plan?.changes ?? [];
  const isGuarded = closedGuards(result).length > 0;
  const file = oneLine(result.file);
  return {
    ...common(result, time),
    isDone,
    status: STATUS[status],
    states: [
      status,
      ...(isGuarded ? ["guarded" as const] : []),
      ...(changes.some(isDrifted) ? ["drift" as const] : []),
    ],
    counts: countsText(changes, isDone),
    notes: (plan?.notes ?? []).map((note) => reportPlanNote(withFileName(note, file))),
    changes,
    guards: (plan?.guards ?? []).map(reportGuard),
    opening: isGuarded && plan ? openingOf(plan.guards, file, shellWord(file)) : undefined,
    request: plan ? requestOf(plan) : undefined,
  };
}

/** The command to begin with, as a person can paste it. */
function withFileName(note: PlanNote, file: string): PlanNote {
  if (note.code !== "nothing-managed" || note.help === undefined) return note;
  return { ...note, help: note.help.replace("FILE", () => shellWord(file)) };
}

/** The same for what somebody else changed, as if it were the changes of a plan. */
export function reportDrift(
  { result, drifts, placeOf, remark, last }: PortalDrift,
  time: Clock = inUtc,
): PortalReport {
  const { status } = result;
  const calm = last ? "no drift" : "nothing applied yet";
  const changes = drifts.map((drift): Change => {
    const { path, proven: before, live: after, isManaged } = drift;
    const notes = isManaged ? [] : [UNMANAGED];
    return { path, action: "set", cause: "drift", before, after, place: placeOf(drift), notes };
  });
  return {
    ...common(result, time),
    callouts: calloutsOf({ ...result, plan: null }, time),
    isDrift: true,
    status: status === "changes" ? "with drift" : status === "unchanged" ? calm : STATUS[status],
    states: [status === "changes" ? "drift" : status],
    counts: changes.length > 0 ? `${counted(changes.length, "setting")} changed` : "",
    remarks: remark === undefined ? [] : [remark],
    changes,
    last,
  };
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;

/** Above the changes of a drift, because there is no plan beside them that tells which side is which. */
export const DRIFT_SIDES = "what the last apply left → what the portal shows now";

export function whereOf({ url, id }: Identity): string {
  return [url, id === "self" ? "" : `portal ${id}`].filter(Boolean).join(" · ");
}

export function calloutOf(failure: NonNullable<PortalResult["failure"]>): Callout {
  const { code, message, help = "" } = failure;
  return { kind: "failed", title: "Failed", message, code, help };
}

function common(result: PortalResult, time: Clock) {
  const { file, plan } = result;
  return {
    result,
    where: whereOf(result.portal),
    basis: plan ? [`${file} · ${targetOf(plan)}`, COMPARED_WITH[plan.comparedWith]] : [file],
    commonBasis: plan ? `${targetOf(plan)}; ${COMPARED_WITH[plan.comparedWith]}` : "",
    callouts: calloutsOf(result, time),
    isDrift: false,
    isDone: false,
    remarks: [],
    notes: [],
    guards: [],
    opening: undefined,
    last: undefined,
    request: undefined,
  };
}

function targetOf({ target, deployment }: Plan): string {
  return `target ${target}, ${deployment}`;
}

function whoIsHeld({ isByHand, until }: NonNullable<PortalResult["hold"]>): string {
  if (!isByHand) return "Apply is blocked until the file matches the portal.";
  return `Apply and rollback are blocked${until === null ? "" : " until then"}, whatever the file says.`;
}

function calloutsOf({ file, plan, hold, failure }: PortalResult, time: Clock): Callout[] {
  const until = hold?.until ? ` until ${time(hold.until)}` : "";
  const held = hold && `since ${time(hold.since)}${until} by ${hold.by}: ${hold.why}`;
  const callouts: Callout[] = [];
  // A failure that is about the hold says the same and more.
  if (hold && failure?.code !== "held") {
    const lift = `To end the hold:\n  lintel state unhold ${shellWord(oneLine(file))}`;
    const [more, help] =
      hold.isAgreed && !hold.isUnsettled
        ? [". The file matches the portal, so apply ends the hold.", ""]
        : hold.isOlder && !hold.isUnsettled
          ? [
              ". The file matches the portal, but is older than the rollback, so apply does not end the hold.",
              `Update the checkout, and change the file there:\n  git pull\n${lift}`,
            ]
          : hold.isUnsettled
            ? [
                ", which is not settled",
                `Finish it:\n  lintel rollback ${shellWord(oneLine(file))}\nor give it up:\n  lintel state unhold ${shellWord(oneLine(file))}`,
              ]
            : ["", `${whoIsHeld(hold)} ${lift}`];
    callouts.push({ kind: "held", title: "On hold", message: `Held ${held}${more}`, help });
  }
  if (plan?.reason) {
    const { message, help } = plan.reason;
    callouts.push({ kind: "unfit", title: "This plan cannot be applied", message, help });
  }
  return failure ? [...callouts, calloutOf(failure)] : callouts;
}

function requestOf({ request, applicable }: Plan) {
  if (!request && !applicable) return undefined;
  const { parameters = [], settings } = request ?? {};
  const names = parameters.slice(0, MOST_NAMES);
  return { names, left: parameters.length - names.length, settings };
}
