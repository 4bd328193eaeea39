// Prints the status of portals for a terminal: the last apply, what stops the next one, what it would do, and the next command.
import type { Plan } from "../plan/plan.js";
import { closedGuards, type PortalResult } from "../plan/result.js";
import type { Arrival } from "../state/recover.js";
import { appliesOf, isManual, type Journal, type State } from "../state/state.js";
import type { Trust } from "../state/trust/signature.js";
import { scheduleText } from "../schedule.js";
import { groupBy } from "../lib/lists.js";
import { counted, oneLine, shortened } from "../lib/text.js";
import { isToCopy, LONGEST_NAME, namesOf, withFiles, withoutFile, type Naming } from "./group.js";
import { failuresText, headsOf, isInvalid, titleOf } from "./plan-report.js";
import { failureText } from "./problem-text.js";
import { entryHead, holdText, openText, TRUST } from "./state-report.js";
import type { Styles } from "./styles.js";
import { cellOf, inColumns, plainly, sentenceLines, tableLines } from "./text-layout.js";
import { countsText } from "./verdict.js";

export interface PortalStatus {
  readonly result: PortalResult;
  /** Otherwise the state could not be read. */
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
      ? fleetParagraphs(portals, styles, naming)
      : portals.map((each) =>
          [titleOf(each.result, styles), ...statusLines(each, styles)].join("\n"),
        );
  return paragraphs.join("\n");
}

/** A table, then what there is to say of portals with an open journal or a hold, and what to do next. */
function fleetParagraphs(
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
  const failed = portals.flatMap(({ result }) =>
    result.failure && !isInvalid(result) ? [result] : [],
  );
  return [
    `${tableLines(head, rows, styles, NARROWEST).join("\n")}\n`,
    ...unsettledText(
      portals.filter(({ state }) => state?.hold?.wants ?? state?.journal),
      styles,
    ),
    ...failuresText(failed, styles, naming),
    ...sharedText("held by hand", portals, styles, ({ state }) =>
      state?.hold && isManual(state.hold) ? holdText(state.hold, styles) : undefined,
    ),
    ...sharedText("schedule", portals, styles, ({ result: { plan } }) =>
      plan?.schedule ? scheduleText(plan.schedule) : undefined,
    ),
    nextText(portals, styles, naming),
  ];
}

/** Rolled-back portals have much in common; what differs comes first. */
function unsettledText(portals: readonly PortalStatus[], styles: Styles): string[] {
  const groups = grouped(portals, ({ result, ...rest }) =>
    statusLines({ ...rest, result: { ...result, failure: null }, next: undefined }, styles).join(
      "\n",
    ),
  );
  return groups
    .toSorted(([, one], [, other]) => one.length - other.length)
    .map(([text, results]) => [...headsOf(results, styles), text].join("\n"));
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

/** Each text once, with the portals that share it. */
function grouped(
  portals: readonly PortalStatus[],
  textOf: (portal: PortalStatus) => string | undefined,
): (readonly [text: string, results: readonly PortalResult[]])[] {
  return [...groupBy(portals, textOf)].flatMap(([text, held]) =>
    text === undefined ? [] : [[text, held.map(({ result }) => result)] as const],
  );
}

function sharedText(
  head: string,
  portals: readonly PortalStatus[],
  styles: Styles,
  textOf: (portal: PortalStatus) => string | undefined,
): string[] {
  const lines = grouped(portals, textOf).flatMap(([text, results]) => [
    ...sentenceLines(namesOf(results), plainly, "  ", styles),
    ...sentenceLines(oneLine(text), plainly, "    ", styles),
  ]);
  return lines.length === 0 ? [] : [`${[styles.bold(head), ...lines].join("\n")}\n`];
}

/** A command that several portals share is shown once, with all their files, below their names. */
function nextText(portals: readonly PortalStatus[], styles: Styles, naming: Naming): string {
  const groups = grouped(portals, ({ next, result }) =>
    next === NOTHING_TO_DO ? undefined : withoutFile(next, result.file),
  );
  if (groups.length === 0) return `${styles.green("Nothing to do.")}\n`;
  const lines = groups.flatMap(([next, results]) => {
    const text = withFiles(next, results, naming);
    if (results.length === portals.length) return nextLines(text, "  ", styles);
    const names = sentenceLines(namesOf(results), plainly, "  ", styles);
    return [...names, ...nextLines(text, "    ", styles)];
  });
  return `${[styles.bold("next"), ...lines].join("\n")}\n`;
}

type Shown = Omit<PortalStatus, "next"> & { readonly next: string | undefined };

function statusLines(portal: Shown, styles: Styles): string[] {
  const { result, isStateKnown, state, signature, next } = portal;
  const { plan, failure } = result;
  const { hold, journal } = state ?? {};
  const last = state && appliesOf(state).at(-1);
  const open = journal && `${openText(journal, styles)}: ${outcomeText(journal, portal)}`;
  const rows = [
    ["last apply", last ? entryHead(last, styles) : isStateKnown ? "never" : "not known"],
    ["hold", hold && holdText(hold, styles)],
    ["journal", open],
    ["signature", signature === "not-verified" ? TRUST[signature] : undefined],
    ["schedule", plan?.schedule && scheduleText(plan.schedule)],
    ["changes", plan ? changesText(result, plan) : undefined],
  ] as const;
  const shown = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [[`  ${name}`, text] as const],
  );
  return [
    ...inColumns(shown, styles),
    ...(next === undefined ? [] : besideHead("next", nextLines(next, LEDGE, styles))),
    ...(failure ? [failureText(failure, styles).trimEnd()] : []),
    "",
  ];
}

/** As wide as the heads of the other rows. */
const LEDGE = " ".repeat("  last apply  ".length);

function besideHead(head: string, [first = "", ...more]: readonly string[]): string[] {
  return [`  ${head}`.padEnd(LEDGE.length) + first.slice(LEDGE.length), ...more];
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
