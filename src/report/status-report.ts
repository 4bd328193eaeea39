// Prints the status of portals for a terminal: the last apply, what stops the next one, what it would do, and the next command.
import type { Plan } from "../plan/plan.js";
import { closedGuards, type PortalResult } from "../plan/result.js";
import type { Arrival } from "../state/recover.js";
import { appliesOf, type Journal, type State } from "../state/state.js";
import type { Trust } from "../state/signature.js";
import { scheduleText } from "../schedule.js";
import { groupBy } from "../lib/lists.js";
import { counted, shortened } from "../lib/text.js";
import { isToCopy, LONGEST_NAME, namesOf, withFiles, withoutFile, type Naming } from "./group.js";
import { clockText, failuresText, headsOf, isInvalid, titleOf } from "./plan-report.js";
import { failureText } from "./problem-text.js";
import { entryHead, holdText, openText, TRUST } from "./state-report.js";
import type { Styles } from "./styles.js";
import { cellOf, inColumns, plainly, sentenceLines, tableLines } from "./text-layout.js";
import { countsText } from "./verdict.js";

export interface PortalStatus {
  readonly result: PortalResult;
  /** Else the state could not be read. */
  readonly isStateKnown: boolean;
  readonly state: State | undefined;
  /** How long the update of an open journal may still be on its way. */
  readonly unknownMs: number;
  /** What the portal shows of it. */
  readonly arrival: Arrival;
  readonly signature: Trust | null;
  /** The next command, or sentences with indented commands below them. */
  readonly next: string;
}

/** Of what stops a portal, which takes a few words. */
const NARROWEST = 12;

/** In place of a command. */
export const NOTHING_TO_DO = "nothing to do";

export function statusReport(
  portals: readonly PortalStatus[],
  styles: Styles,
  naming: Naming = {},
): string {
  const paragraphs =
    portals.length > 1
      ? paragraphsOfMany(portals, styles, naming)
      : portals.map((each) => oneText(each, styles));
  const results = portals.map(({ result }) => result);
  const clock = clockText(results, styles);
  return [...paragraphs, nextText(portals, styles, naming, clock.length > 0), ...clock].join("\n");
}

function oneText(portal: PortalStatus, styles: Styles): string {
  const { result } = portal;
  const rows: Rows = [
    ["last apply", lastApplyOf(portal, styles)],
    ...detailsOf(portal, styles),
    ["changes", result.plan ? changesText(result, result.plan) : undefined],
  ];
  const failure = result.failure ? failureText(result.failure, styles) : "";
  return `${[titleOf(result, styles), ...rowLines(rows, styles)].join("\n")}\n${failure}`;
}

/** A table, then the details of portals that have any. */
function paragraphsOfMany(
  portals: readonly PortalStatus[],
  styles: Styles,
  naming: Naming,
): string[] {
  const head = ["portal", "last apply", "changes", "held up by"].map((name) => cellOf(name));
  const rows = portals.map((each) => {
    const { result, state, isStateKnown } = each;
    const last = state && appliesOf(state).at(-1);
    const applied = last ? `${styles.time(last.time)} by ${last.by.actor}` : "never";
    return [
      cellOf(shortened(result.portal.name, LONGEST_NAME), styles.bold),
      cellOf(isStateKnown ? applied : "not known"),
      cellOf(result.plan ? countsText(result.plan.changes, false) || "none" : "not known"),
      cellOf(obstaclesOf(each)),
    ];
  });
  const details = grouped(portals, (each) => rowLines(detailsOf(each, styles), styles).join("\n"));
  const failed = portals.flatMap(({ result }) =>
    result.failure && !isInvalid(result) ? [result] : [],
  );
  return [
    `${tableLines(head, rows, styles, NARROWEST).join("\n")}\n`,
    ...details.map(([text, results]) => `${[...headsOf(results, styles), text].join("\n")}\n`),
    ...failuresText(failed, styles, naming),
  ];
}

function obstaclesOf({ result, state }: PortalStatus): string {
  const closed = closedGuards(result).length;
  return [
    result.failure && "an error",
    state?.hold && "a hold",
    state?.journal && "an open journal",
    closed > 0 && counted(closed, "guard"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Each text once, with the portals that share it; an empty one is none. */
function grouped(
  portals: readonly PortalStatus[],
  textOf: (portal: PortalStatus) => string,
): (readonly [text: string, results: readonly PortalResult[]])[] {
  return [...groupBy(portals, textOf)].flatMap(([text, held]) =>
    text === "" ? [] : [[text, held.map(({ result }) => result)] as const],
  );
}

/** A command that several portals share is shown once, with all their files, below their names. */
function nextText(
  portals: readonly PortalStatus[],
  styles: Styles,
  naming: Naming,
  isForNow: boolean,
): string {
  const groups = grouped(portals, ({ next, result }) =>
    next === NOTHING_TO_DO ? "" : withoutFile(next, result.file),
  );
  if (groups.length === 0) return `${styles.green(`Nothing to do${isForNow ? " now" : ""}.`)}\n`;
  const lines = groups.flatMap(([next, results]) => {
    const text = withFiles(next, results, naming);
    if (results.length === portals.length) return nextLines(text, "  ", styles);
    const names = sentenceLines(namesOf(results), plainly, "  ", styles);
    return [...names, ...nextLines(text, "    ", styles)];
  });
  return `${[styles.bold("next"), ...lines].join("\n")}\n`;
}

type Rows = readonly (readonly [name: string, text: string | undefined])[];

/** Rows without a text are left out. */
function rowLines(rows: Rows, styles: Styles): string[] {
  const shown = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [[`  ${name}`, text] as const],
  );
  return inColumns(shown, styles);
}

function lastApplyOf({ state, isStateKnown }: PortalStatus, styles: Styles): string {
  const last = state && appliesOf(state).at(-1);
  return last ? entryHead(last, styles) : isStateKnown ? "never" : "not known";
}

/** What not every portal has. */
function detailsOf(portal: PortalStatus, styles: Styles): Rows {
  const { result, state, signature } = portal;
  const { hold, journal } = state ?? {};
  const schedule = result.plan?.schedule;
  return [
    ["hold", hold && holdText(hold, styles)],
    ["journal", journal && `${openText(journal, styles)}: ${outcomeText(journal, portal)}`],
    ["signature", signature === "not-verified" ? TRUST[signature] : undefined],
    ["schedule", schedule && scheduleText(schedule)],
  ];
}

/** Sentences are wrapped. Commands are not, because they are for copying. */
function nextLines(next: string, indent: string, styles: Styles): string[] {
  return next.split("\n").flatMap((line) => {
    if (isToCopy(line)) return [indent + styles.cyan(line)];
    return sentenceLines(line, plainly, indent, styles);
  });
}

function outcomeText(
  { kind }: Pick<Journal, "kind">,
  { arrival, unknownMs }: Pick<PortalStatus, "arrival" | "unknownMs">,
): string {
  if (arrival === "none") return `the portal shows nothing of this ${kind}`;
  if (arrival !== "unknown")
    return `the portal shows ${arrival === "all" ? "all" : "a part"} of this ${kind}`;
  const unknown = unknownMs > 0 ? ` for up to ${Math.ceil(unknownMs / 1000)} s` : "";
  return `the outcome of this ${kind} is unknown${unknown}`;
}

function changesText(result: PortalResult, { changes, comparedWith, applicable }: Plan): string {
  const names = closedGuards(result).join(", ");
  const stops = names === "" ? "" : `; stopped by ${names}`;
  const basis =
    comparedWith === "last" || comparedWith === "nothing"
      ? " (the portal was not read)"
      : applicable
        ? ""
        : " (compared without signing in)";
  return `${countsText(changes, false) || "none"}${stops}${basis}`;
}
