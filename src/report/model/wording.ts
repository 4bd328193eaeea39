// A plan's facts → the words that every format uses for them.
import type { Diagnostic } from "../../diagnostic.js";
import type { Change } from "../../plan/diff.js";
import type { Guard } from "../../plan/guard.js";
import type { Note } from "../../plan/note.js";
import type { ComparedWith, Plan } from "../../plan/plan.js";
import {
  closedGuards,
  type HoldShown,
  type PortalResult,
  type Remainder,
  type Status,
} from "../../plan/result.js";
import { type Paint } from "../text/paint.js";
import { counted, grouped, oneLine, shellWord } from "../../text.js";

const COMPARED_WITH = {
  "live-and-last": "compared with the live portal and what was applied last",
  live: "compared with the live portal alone",
  last: "compared with what was applied last; the portal was not read",
  nothing: "compared with nothing, since the portal was not read and nothing was applied before",
} as const satisfies Record<ComparedWith, string>;

/** "portal.yaml · target 11.5, enterprise" and "compared with …" */
export function basisOf(
  file: string,
  { target, deployment, comparedWith }: Plan,
): readonly [string, string] {
  return [`${file} · target ${target}, ${deployment}`, COMPARED_WITH[comparedWith]];
}

export function sendsOf({ request, applicable }: Plan): string | undefined {
  if (request) return `sends: ${request.parameters.map(oneLine).join(", ")}`;
  return applicable ? "sends: nothing; only the state is written" : undefined;
}

export function holdOf(
  { since, by, why, isAgreed }: HoldShown,
  status: Status,
  { time }: Pick<Paint, "time">,
): string {
  const held = `since ${time(since)} by ${by}: ${why}`;
  if (!isAgreed) return `Held ${held}`;
  return status === "applied"
    ? `The hold ${held}, is over, because the file agrees.`
    : `Held ${held}. The file agrees by now, so that the next apply ends the hold.`;
}

export function holdHelp({ isAgreed }: HoldShown, file: string): string | undefined {
  if (isAgreed) return undefined;
  return `Apply is refused until the file agrees with the portal. To end the hold:\n  lintel state unhold ${shellWord(file)}`;
}

/** Beside a change, whose own words say already that the setting is no longer managed. */
export function noteText(note: Note): string {
  return note.code === "undo" && note.help !== undefined ? note.help : wholeNote(note);
}

export function wholeNote({ message, help }: Note): string {
  return help === undefined ? message : `${message} ${help}`;
}

/** What is to be said at a change; that it is deprecated is said once, of the plan, with the names of all. */
export function notesBeside({ notes }: Change): Note[] {
  return notes.filter(({ code }) => code !== "deprecated");
}

export function openingText({ openedBy }: Guard): string {
  if (!openedBy) return "";
  if (openedBy.by === "command-line") return "Opened by --allow.";
  return `Opened by the file until ${openedBy.until}: ${openedBy.reason}`;
}

/** What would open the closed guards; empty where none is closed. */
export function openingHelp(guards: readonly Guard[], file: string): string {
  if (guards.every(({ isOpen }) => isOpen)) return "";
  const head = `Apply with ${openingWords(guards)}, or write in ${file} for a while:`;
  return [head, ...openingEntries(guards)].join("\n");
}

/** Those given already are named again: what is copied must be enough. */
export function openingWords(guards: readonly Guard[]): string {
  const given = guards.filter(({ openedBy }) => openedBy?.by === "command-line");
  const names = [...given, ...closedOf(guards)].map(({ name }) => `--allow ${name}`);
  return [...new Set(names)].join(" ");
}

export function openingEntries(guards: readonly Guard[]): string[] {
  return ["allow:", ...new Set(closedOf(guards).map(entryLine))];
}

function closedOf(guards: readonly Guard[]): Guard[] {
  return guards.filter(({ isOpen }) => !isOpen);
}

/** A path with other letters cannot be written there, so that the entry is for the guard as a whole. */
function entryLine({ name, path }: Guard): string {
  const isPlain = path?.every((part) => /^[\w$-]+$/.test(String(part))) ?? false;
  const where = isPlain && path ? `path: ${path.join(".")}, ` : "";
  return `  - { guard: ${name}, ${where}until: YYYY-MM-DD, reason: WHY }`;
}

type Actions = readonly Pick<Change, "action">[];

/** How many changes of each kind, as far as there are any. */
export function countsOf(results: readonly Remainder[]): string[] {
  const of = (status: readonly PortalResult["status"][]) =>
    results
      .filter((each) => status.includes(each.status))
      .flatMap(({ plan }) => plan?.changes ?? []);
  const [coming, done] = [of(["changes", "held"]), of(["applied"])];
  return [
    ...counts(coming, ["to set", "to adopt", "to release"]),
    ...counts(done, ["set", "adopted", "released"]),
  ];
}

export function numbersOf(changes: Actions) {
  const of = (...actions: readonly Change["action"][]) =>
    changes.filter(({ action }) => actions.includes(action)).length;
  return { set: of("set", "default"), adopt: of("adopt"), release: of("release") };
}

function counts(changes: Actions, words: readonly [string, string, string]): string[] {
  const { set, adopt, release } = numbersOf(changes);
  return [set, adopt, release].flatMap((count, at) =>
    count > 0 ? [`${grouped(count)} ${words[at]}`] : [],
  );
}

export const STATUS = {
  changes: "with changes",
  applied: "applied",
  held: "on hold",
  unchanged: "unchanged",
  skipped: "skipped",
  failed: "failed",
} as const satisfies Record<PortalResult["status"], string>;

/** "2 errors, 1 warning"; empty where there are none. */
export function problemsIn(diagnostics: readonly Diagnostic[]): string {
  return (["error", "warning", "notice"] as const)
    .map((severity) => ({
      severity,
      count: diagnostics.filter((each) => each.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => counted(count, severity))
    .join(", ");
}

/** "1 portal: 3 to set, 1 to release. Stopped by the guard "disable-notice"." */
export function verdictOf(results: readonly Remainder[]): string {
  return [outcomeOf(results), ...stopsOf(results)].join(" ");
}

function outcomeOf(results: readonly Remainder[]): string {
  const head = counted(results.length, "portal");
  const changes = countsOf(results).join(", ");
  const told = (Object.keys(STATUS) as (keyof typeof STATUS)[])
    .map((status) => ({ status, count: results.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => ({ status, text: `${grouped(count)} ${STATUS[status]}` }));
  const [only] = told;
  if (!only) return `${head}.`;
  if (results.length > 1) {
    return `${head}: ${told.map(({ text }) => text).join(", ")}.${changes ? ` ${changes}.` : ""}`;
  }
  if (only.status === "changes" || only.status === "applied") {
    return `${head}: ${changes || "the outcome of the last apply to settle"}.`;
  }
  return `${head}: ${[STATUS[only.status], changes].filter(Boolean).join(", ")}.`;
}

/** Without it, a plan whose apply will be stopped would read like one that is ready. */
function stopsOf(results: readonly Remainder[]): string[] {
  const waiting = results.filter(({ status }) => status === "changes");
  const unfit = waiting.filter(({ plan }) => plan && !plan.applicable).length;
  const held = waiting.filter(({ hold }) => hold && !hold.isAgreed).length;
  const guarded = results.map(closedGuards).filter((names) => names.length > 0);
  const names = [...new Set(guarded.flat())].map((name) => `"${name}"`);
  const guards = `by the guard${names.length > 1 ? "s" : ""} ${names.join(", ")}.`;
  const isOne = results.length === 1;
  return [
    ...(unfit > 0
      ? [isOne ? "This plan cannot be applied." : `${counted(unfit, "plan")} cannot be applied.`]
      : []),
    ...(held > 0 ? [isOne ? "It is on hold." : `${grouped(held)} on hold.`] : []),
    ...(names.length > 0
      ? [isOne ? `Stopped ${guards}` : `${counted(guarded.length, "portal")} stopped ${guards}`]
      : []),
  ];
}
