// Describes one portal of a run for every format: its status, its changes, and what stops or failed its apply.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import type { Change } from "../plan/diff.js";
import { keepingCall, type Guard } from "../plan/guard.js";
import type { Identity } from "../plan/inputs.js";
import type { Note } from "../plan/note.js";
import type { ComparedWith, Plan, PlanNote } from "../plan/plan.js";
import { isHeldUp, isSkipped, stoppersOf, type PortalResult } from "../plan/result.js";
import { keyOf } from "../catalog/spelling.js";
import type { JsonObject } from "../lib/json.js";
import { counted, oneLine, sentence, shellWord } from "../lib/text.js";
import { clockOf } from "../moment.js";
import { changeEntry, planNoteEntry, type ChangeEntry, type NoteEntry } from "./change-entry.js";
import { PREVIEW, countsText, isStopped, statusWord } from "./verdict.js";

export interface PortalEntry {
  readonly result: PortalResult;
  /** Then the changes lead from what the last apply left to what the portal shows. */
  readonly isDrift: boolean;
  readonly status: string;
  /** A class of the style sheet. */
  readonly badge: Badge;
  /** "2 to set, 1 to track" or "3 settings changed" */
  readonly counts: string;
  /** What concerns the portal as a whole. */
  readonly notes: readonly NoteEntry[];
  readonly changes: readonly ChangeEntry[];
  /** Settings that are in sync already are counted, not listed; empty where there are none. */
  readonly tracked: string;
  /** The names of what stops an apply, each once. */
  readonly stoppers: readonly string[];
  /** What stops an apply comes first. */
  readonly callouts: readonly Callout[];
  /** What to do next; never a command that skips a guard. */
  readonly steps: readonly Step[];
  /** The last apply before a drift. */
  readonly last: LastApply | undefined;
  /** All settings of both sides, where two sides are compared rather than a plan. */
  readonly sides?: {
    readonly captions: readonly [before: string, after: string];
    readonly before: JsonObject;
    readonly after: JsonObject;
  };
}

export type Badge = PortalResult["status"] | "drift";

export interface Step {
  /** Without the colon before the command. */
  readonly text: string;
  readonly command: string;
}

/** What stops an apply, what was allowed, or what is wrong. */
export interface Callout {
  readonly kind: "stopped" | "allowed" | "held" | "unfit" | "failed";
  readonly title: string;
  readonly items: readonly Item[];
  /** Of a failure. */
  readonly code?: string;
  /** What to do: the lines after its first are for copying. Empty where the steps of the entry say it. */
  readonly help: string;
}

export interface Item {
  /** Of a guard, a policy or a hold. */
  readonly name?: string;
  readonly text: string;
}

export interface LastApply {
  readonly time: string;
  readonly by: string;
}

export interface Context {
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
  return {
    result,
    isDrift: false,
    status: statusWord(result),
    badge: status,
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
    callouts: [
      ...guardCallout("stopped", "Stopped by", stopsOf(result, context)),
      ...guardCallout(
        "allowed",
        "Allowed",
        guards.flatMap(({ name, message, openedBy }) =>
          openedBy ? [{ name, text: `${message} ${allowedText(openedBy)}` }] : [],
        ),
      ),
      ...calloutsOf(result, context),
    ],
    steps: stepsOf(result),
    last: undefined,
  };
}

/** Whether there is more to report than the status. */
export function hasDetails(entry: PortalEntry): boolean {
  const { notes, changes, tracked, callouts } = entry;
  return tracked !== "" || [notes, changes, callouts].some(({ length }) => length > 0);
}

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
  return { kind: "failed", title, items: [{ text: message }], code, help };
}

function guardCallout(
  kind: "stopped" | "allowed",
  title: string,
  items: readonly Item[],
): Callout[] {
  return items.length > 0 ? [{ kind, title, items, help: "" }] : [];
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
  if (opened.by === "file")
    return `Allowed by the file until ${opened.until}: ${sentence(opened.reason)}`;
  return `Allowed, because the window "${opened.window}" ${opened.is === "open" ? "opened" : "closed"}.`;
}

function stopsOf(result: PortalResult, { time: usual, ...found }: Context): Item[] {
  const { policies, failure, file, status } = result;
  if (status === "applied") return [];
  const hold = isHeldUp(result) ? result.hold : null;
  const held = failure?.code === "held" ? failure.message : undefined;
  return [
    ...(hold ? [{ name: "hold", text: held ?? heldText(hold, clockIn(result, usual)) }] : []),
    ...policies.flatMap((name) =>
      policyReasons(name, file, found).map((text) => ({ name: `policy/${name}`, text })),
    ),
    ...closedIn(result).map(({ name, message: text }) => ({ name, text })),
  ];
}

function closedIn({ plan }: PortalResult): Guard[] {
  return plan?.guards.filter(({ isOpen }) => !isOpen) ?? [];
}

/** Explain what stops an apply, or resolve it. */
function stepsOf(result: PortalResult): Step[] {
  const { policies, file, status, hold } = result;
  if (status === "applied") return [];
  const word = shellWord(oneLine(file));
  const closed = closedIn(result);
  const pull = keepingCall(closed, word);
  const names = new Set(closed.map(({ name }) => name));
  return [
    ...(hold && isHeldUp(result) ? holdSteps(hold, word) : []),
    ...(policies.length > 0 ? [{ text: "See", command: "lintel help policy" }] : []),
    ...(pull ? [{ text: "Keep the change", command: pull }] : []),
    ...[...names].map((name) => ({ text: "See", command: `lintel explain ${name}` })),
  ];
}

function holdSteps(
  { isByHand, isAgreed, isOlder, inBase, inWindow, isUnsettled }: NonNullable<PortalResult["hold"]>,
  word: string,
): Step[] {
  if (isAgreed && !isUnsettled) return [];
  const first = isUnsettled
    ? [{ text: "Finish the rollback", command: `lintel rollback ${word}` }]
    : isOlder
      ? [{ text: "Update the checkout", command: "git pull" }]
      : isByHand
        ? []
        : inWindow
          ? [{ text: "Correct the value in the open window", command: inWindow }]
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

/** Without what the portals' entries report. */
export function otherProblems(
  diagnostics: readonly Diagnostic[],
  results: readonly PortalResult[],
): Diagnostic[] {
  const stopped = results.filter(({ status }) => status !== "applied");
  const names = [...new Set(stopped.flatMap(({ policies }) => policies))];
  return diagnostics.filter((each) => !names.some((name) => isFindingOf(name, each)));
}

function heldText(
  { since, by, why, until, ...hold }: NonNullable<PortalResult["hold"]>,
  time: (moment: string) => string,
): string {
  const end = until === null ? "" : ` until ${time(until)}`;
  const more = hold.isUnsettled
    ? "The rollback is not settled."
    : hold.isOlder
      ? "The file matches the portal, but is older than the rollback: update the checkout."
      : hold.isAgreed
        ? "The file matches the portal, so apply ends the hold."
        : hold.isByHand
          ? ""
          : "Apply is blocked until the file matches the portal.";
  return `Held since ${time(since)}${end} by ${by}: ${sentence(why)} ${more}`.trim();
}

export function calloutsOf(result: PortalResult, context: Context): Callout[] {
  const time = clockIn(result, context.time);
  const { file, plan, hold, failure } = result;
  const callouts: Callout[] = [];
  // The failure of a skipped portal says the same of its hold.
  if (hold && !isHeldUp(result) && !isSkipped(result)) {
    const steps = holdSteps(hold, shellWord(oneLine(file)));
    const help = steps.map(({ text, command }) => `${text}:\n  ${command}`).join("\n");
    const items = [{ text: heldText(hold, time) }];
    callouts.push({ kind: "held", title: "On hold", items, help });
  }
  if (plan?.reason) {
    const { code, message, help } = plan.reason;
    const title = code === "preview" ? PREVIEW : "This plan cannot be applied";
    callouts.push({ kind: "unfit", title, items: [{ text: message }], help });
  }
  const isShown = isStopped(result) || (failure?.code === "held" && isHeldUp(result));
  return failure && !isShown ? [...callouts, failureCallout(failure)] : callouts;
}

export function targetOf({ target, deployment }: Plan): string {
  return `target ${target}, ${deployment}`;
}
