// Describes one portal of a run for every format: its status, its changes, and what stops or failed its apply.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import type { Change } from "../plan/diff.js";
import type { Drift } from "../plan/drift.js";
import { keepingCall, type Guard } from "../plan/guard.js";
import type { Identity } from "../plan/inputs.js";
import type { Note } from "../plan/note.js";
import type { ComparedWith, Plan, PlanNote } from "../plan/plan.js";
import { closedGuards, isHeldUp, stoppersOf, type PortalResult } from "../plan/result.js";
import { keyOf } from "../catalog/spelling.js";
import { counted, oneLine, sentence, shellWord } from "../lib/text.js";
import { clockOf } from "../moment.js";
import {
  changeEntry,
  isDrifted,
  planNoteEntry,
  type ChangeEntry,
  type NoteEntry,
} from "./change-entry.js";
import { PREVIEW, countsText, isStopped, STATUS, statusWord } from "./verdict.js";

export interface PortalEntry {
  readonly result: PortalResult;
  /** Then the changes lead from what the last apply left to what the portal shows. */
  readonly isDrift: boolean;
  readonly isDone: boolean;
  readonly status: string;
  /** The first is the main one. */
  readonly states: readonly Badge[];
  /** "2 to set, 1 to track" or "3 settings changed" */
  readonly counts: string;
  /** What concerns the portal as a whole. */
  readonly notes: readonly NoteEntry[];
  readonly changes: readonly ChangeEntry[];
  /** Settings that are in sync already are counted, not listed; empty where there are none. */
  readonly tracked: string;
  /** The names of what stops an apply, each once. */
  readonly stoppers: readonly string[];
  /** Why that stops it; shown once, above the changes. */
  readonly blocks: readonly Block[];
  /** Commands that explain the blocks or resolve them; never one that skips a guard. */
  readonly steps: readonly Step[];
  readonly allowed: readonly AllowedGuard[];
  readonly callouts: readonly Callout[];
  /** The last apply before a drift. */
  readonly last: LastApply | undefined;
}

export type Badge = PortalResult["status"] | "guarded" | "drift";

/** A guard, a policy or a hold. */
export interface Block {
  readonly name: string;
  readonly reason: string;
}

export interface Step {
  /** Without the colon before the command. */
  readonly text: string;
  readonly command: string;
}

export interface AllowedGuard extends Block {
  /** By whom. */
  readonly allowed: string;
}

/** What else is wrong, and what to do: the lines of the help after its first are for copying. */
export interface Callout {
  readonly kind: "held" | "unfit" | "failed";
  readonly title: string;
  readonly message: string;
  readonly code?: string;
  readonly help: string;
}

export interface LastApply {
  /** As ISO 8601, in UTC. */
  readonly time: string;
  readonly by: string;
}

/** What was changed by hand on a portal since the last apply. */
export interface PortalDrift {
  readonly result: PortalResult;
  readonly drifts: readonly Drift[];
  /** How many more --path leaves out. */
  readonly leftOut?: number;
  /** Where a setting stands in the file. */
  readonly placeOf: (drift: Drift) => Change["place"];
  /** What prevents a comparison; undefined where it was made. */
  readonly remark?: string;
  readonly last?: LastApply;
}

interface Context {
  /** In UTC where left out, as in all that is read elsewhere. */
  readonly time?: (moment: string) => string;
  /** Among them is what policies found. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** All files of the run. */
  readonly files?: readonly string[] | undefined;
}

/** The clock of the file's time zone; without one, UTC for what is read elsewhere. */
export function clockIn({ timeZone }: PortalResult, time = clockOf()): (moment: string) => string {
  return timeZone === undefined ? time : clockOf(timeZone);
}

/** What is compared is said where it is not the live portal. */
const COMPARED_WITH: Partial<Record<ComparedWith, string>> = {
  last: "Compared with the last apply. The portal was not read.",
  nothing: "Compared with nothing: the portal was not read, and nothing was applied before.",
};

function comparedText({ comparedWith, reason }: Plan): string | undefined {
  if (reason?.code === "anonymous-view") {
    return "Compared with the public settings. Lintel did not sign in.";
  }
  if (reason?.code === "preview" && comparedWith.startsWith("live")) {
    return "Compared with the public settings.";
  }
  return COMPARED_WITH[comparedWith];
}

export function portalEntry(result: PortalResult, context: Context = {}): PortalEntry {
  const { status, plan } = result;
  const isDone = status === "applied";
  const changes = plan?.changes ?? [];
  const isListed = ({ action, notes }: Change) => action !== "adopt" || notes.length > 0;
  const guards = plan?.guards ?? [];
  const compared = plan && comparedText(plan);
  const isGuarded = closedGuards(result).length > 0;
  return {
    result,
    isDrift: false,
    isDone,
    status: statusWord(result),
    states: [
      status,
      ...(isGuarded ? ["guarded" as const] : []),
      ...(changes.some(isDrifted) ? ["drift" as const] : []),
    ],
    counts: countsText(changes, isDone),
    notes: [
      ...(compared ? [{ text: compared, isUnexpected: false }] : []),
      ...(plan?.notes ?? []).map((note) => planNoteEntry(withFileName(note, result.file))),
    ],
    changes: withoutRepeats(
      changes.filter(isListed).map((each) => withoutGuarded(each, guards)),
    ).map((each) => changeEntry(each, isDone)),
    tracked: trackedText(changes.filter((each) => !isListed(each)).length, isDone),
    stoppers: stoppersOf(result),
    ...blocksOf(result, context),
    allowed: guards.flatMap(({ name, message: reason, openedBy }) =>
      openedBy ? [{ name, reason, allowed: allowedText(openedBy) }] : [],
    ),
    callouts: calloutsOf(result, context),
    last: undefined,
  };
}

/** Whether there is more to report than the status. */
export function hasDetails(entry: PortalEntry): boolean {
  const { notes, changes, tracked, blocks, allowed, callouts } = entry;
  const parts = [notes, changes, blocks, allowed, callouts];
  return tracked !== "" || parts.some(({ length }) => length > 0);
}

/** What was changed by hand, as if it were the changes of a plan. */
export function driftEntry(
  { result, drifts, placeOf, remark, last }: PortalDrift,
  context: Context = {},
): PortalEntry {
  const { status } = result;
  const calm = last ? "no drift" : "nothing applied yet";
  const changes = drifts.map((drift) => {
    const { path, proven: before, live: after, isManaged } = drift;
    const notes = isManaged ? [] : [UNMANAGED];
    const about = { path, action: "set", cause: "drift", before, after } as const;
    return changeEntry({ ...about, place: placeOf(drift), notes }, false);
  });
  return {
    result,
    isDrift: true,
    isDone: false,
    status: status === "changes" ? "with drift" : status === "unchanged" ? calm : STATUS[status],
    states: [status === "changes" ? "drift" : status],
    counts: changes.length > 0 ? `${counted(changes.length, "setting")} changed` : "",
    notes: remark === undefined ? [] : [{ text: remark, isUnexpected: false }],
    changes,
    tracked: "",
    stoppers: [],
    blocks: [],
    steps: [],
    allowed: [],
    callouts: calloutsOf({ ...result, plan: null }, context),
    last,
  };
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;

/** The failure of a portal alone, for commands that show no plan. */
export function failureEntry(result: PortalResult): PortalEntry {
  return portalEntry({ ...result, plan: null, hold: null, policies: [] });
}

export function whereOf({ url, id }: Identity): string {
  return [url, id === "self" ? "" : `portal ${id}`].filter(Boolean).join(" · ");
}

export function failureCallout(failure: NonNullable<PortalResult["failure"]>): Callout {
  const { code, message, help = "" } = failure;
  const title = code === "not-begun" ? "Skipped" : "Failed";
  return { kind: "failed", title, message, code, help };
}

/** A person can paste the command then. */
function withFileName(note: PlanNote, file: string): PlanNote {
  if (note.code !== "nothing-managed" || note.help === undefined) return note;
  return { ...note, help: note.help.replace("FILE", () => shellWord(oneLine(file))) };
}

/** The guard says already what was changed by hand. */
function withoutGuarded(change: Change, guards: readonly Guard[]): Change {
  const key = keyOf(change.path);
  const isGuarded = guards.some(
    ({ name, path }) => name === "overwrite-drift" && path && keyOf(path) === key,
  );
  return isGuarded
    ? { ...change, notes: change.notes.filter(({ code }) => code !== "drift") }
    : change;
}

/** A note that the next setting of the same parameter has as well is shown there alone. */
function withoutRepeats(changes: readonly Change[]): Change[] {
  return changes.map((each, at) => {
    const next = changes[at + 1];
    if (!next || next.path[0] !== each.path[0]) return each;
    const isRepeated = (note: Note) =>
      next.notes.some(({ message, help }) => message === note.message && help === note.help);
    return { ...each, notes: each.notes.filter((note) => !isRepeated(note)) };
  });
}

function trackedText(count: number, isDone: boolean): string {
  if (count === 0) return "";
  const are = `${counted(count, "setting")} ${count === 1 ? "is" : "are"} already in sync`;
  return `${are} and ${isDone ? "now" : "will be"} tracked.`;
}

function allowedText(opened: NonNullable<Guard["openedBy"]>): string {
  if (opened.by === "command-line") return "Allowed by --allow.";
  if (opened.by === "prompt") return "Allowed at the prompt.";
  if (opened.by === "drift") return 'Allowed by "drift: restore" in the file.';
  if (opened.by === "file") return `Allowed by the file until ${opened.until}: ${opened.reason}`;
  return `Allowed, because the window "${opened.window}" ${opened.is === "open" ? "opened" : "closed"}.`;
}

function blocksOf(
  result: PortalResult,
  { time: usual, ...found }: Context,
): Pick<PortalEntry, "blocks" | "steps"> {
  const { plan, policies, failure, file, status } = result;
  if (status === "applied") return { blocks: [], steps: [] };
  const time = clockIn(result, usual);
  const word = shellWord(oneLine(file));
  const hold = isHeldUp(result) ? result.hold : null;
  const closed = plan?.guards.filter(({ isOpen }) => !isOpen) ?? [];
  const blocks = [
    ...(hold
      ? [
          {
            name: "hold",
            reason: failure?.code === "held" ? failure.message : heldText(hold, time),
          },
        ]
      : []),
    ...policies.flatMap((name) =>
      policyReasons(name, file, found).map((reason) => ({ name: `policy/${name}`, reason })),
    ),
    ...closed.map(({ name, message: reason }) => ({ name, reason })),
  ];
  const pull = keepingCall(closed, word);
  const names = new Set(closed.map(({ name }) => name));
  const steps = [
    ...(hold ? holdSteps(hold, word) : []),
    ...(policies.length > 0 ? [{ text: "See", command: "lintel help policy" }] : []),
    ...(pull ? [{ text: "Keep the change", command: pull }] : []),
    ...[...names].map((name) => ({ text: "See", command: `lintel explain ${name}` })),
  ];
  return { blocks, steps };
}

function holdSteps(
  { isByHand, isOlder, inBase, isUnsettled }: NonNullable<PortalResult["hold"]>,
  word: string,
): Step[] {
  const first = isUnsettled
    ? [{ text: "Finish the rollback", command: `lintel rollback ${word}` }]
    : isOlder
      ? [{ text: "Update the checkout", command: "git pull" }]
      : isByHand
        ? []
        : [
            ...(inBase ? [{ text: "Fix the value in the base", command: inBase }] : []),
            { text: "Keep the portal's values", command: `lintel pull ${word}` },
          ];
  return [...first, { text: "End the hold", command: `lintel unhold ${word}` }];
}

/** In the portal's own file or a base, not in another portal's file. */
function policyReasons(
  name: string,
  file: string,
  { diagnostics = [], files = [] }: Context,
): string[] {
  const found = diagnostics.filter(
    (each) => isFindingOf(name, each) && (each.file === file || !files.includes(each.file)),
  );
  if (found.length === 0) return ["The file or the plan breaks this policy."];
  return found.map((each) => {
    const [help = ""] = each.help.split("\n");
    return `${formatPlace(each)}: ${each.message} ${help}`.trim();
  });
}

function isFindingOf(name: string, { code, severity }: Diagnostic): boolean {
  return code === `policy/${name}` && severity === "error";
}

/** Without what the blocks of the portals report. */
export function otherProblems(
  diagnostics: readonly Diagnostic[],
  results: readonly PortalResult[],
): Diagnostic[] {
  const stopped = results.filter(({ status }) => status !== "applied");
  const names = [...new Set(stopped.flatMap(({ policies }) => policies))];
  return diagnostics.filter((each) => !names.some((name) => isFindingOf(name, each)));
}

function heldText(
  { since, by, why, until, isByHand, isOlder, isUnsettled }: NonNullable<PortalResult["hold"]>,
  time: (moment: string) => string,
): string {
  const end = until === null ? "" : ` until ${time(until)}`;
  const more = isUnsettled
    ? "The rollback is not settled."
    : isOlder
      ? "The file matches the portal, but is older than the rollback: update the checkout."
      : isByHand
        ? ""
        : "Apply is blocked until the file matches the portal.";
  return `Held since ${time(since)}${end} by ${by}: ${sentence(why)} ${more}`.trim();
}

function calloutsOf(result: PortalResult, context: Context): Callout[] {
  const time = clockIn(result, context.time);
  const { file, plan, hold, failure } = result;
  const callouts: Callout[] = [];
  if (hold && !isHeldUp(result)) {
    const isEnding = hold.isAgreed && !hold.isUnsettled;
    const steps = isEnding ? [] : holdSteps(hold, shellWord(oneLine(file)));
    const more = isEnding ? " The file matches the portal, so apply ends the hold." : "";
    const help = steps.map(({ text, command }) => `${text}:\n  ${command}`).join("\n");
    const message = `${heldText({ ...hold, isByHand: hold.isByHand || isEnding }, time)}${more}`;
    callouts.push({ kind: "held", title: "On hold", message, help });
  }
  if (plan?.reason) {
    const { code, message, help } = plan.reason;
    const title = code === "preview" ? PREVIEW : "This plan cannot be applied";
    callouts.push({ kind: "unfit", title, message, help });
  }
  const isShown = isStopped(result) || (failure?.code === "held" && isHeldUp(result));
  return failure && !isShown ? [...callouts, failureCallout(failure)] : callouts;
}

export function targetOf({ target, deployment }: Plan): string {
  return `target ${target}, ${deployment}`;
}
