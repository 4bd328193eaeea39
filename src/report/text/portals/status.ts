// How portals stand → text for a terminal: the last apply, what holds the next one up, what it would do, and the command.
import type { Plan } from "../../../plan/plan.js";
import { closedGuards, type PortalResult } from "../../../plan/result.js";
import type { Arrival } from "../../../state/recover.js";
import { appliesOf, isManual, type Journal, type State } from "../../../state/state.js";
import type { Trust } from "../../../state/trust/signature.js";
import { scheduleText } from "../../../schedule.js";
import { counted, oneLine, shortened } from "../../../lib/text.js";
import { withFiles, withoutFile } from "../../model/alike.js";
import { countsText } from "../../model/verdict.js";
import { failureText } from "../diagnostic.js";
import { inColumns } from "../layout.js";
import type { Paint } from "../paint.js";
import { plainly, said, type Piece } from "../flow.js";
import { tableLines } from "../table.js";
import { filesOf, LONGEST_NAME, namesOf } from "./alike.js";
import { failuresText, headsOf } from "./plan.js";
import { titleOf } from "./portal.js";
import { entryHead, openText, holdText, TRUST } from "../state.js";

export interface Standing {
  readonly result: PortalResult;
  /** Otherwise it could not be read, or nobody knows which one it is. */
  readonly isStateKnown: boolean;
  readonly state: State | undefined;
  /** How long the update of an open journal may still be on its way. */
  readonly unknownMs: number;
  /** What the portal shows of it. */
  readonly arrival: Arrival;
  /** Whether somebody signed the state, and this run could see that. */
  readonly signature: Trust | null;
  /** The next command, or sentences with indented commands below them. */
  readonly next: string;
}

/** Of what holds a portal up, which takes a few words. */
const NARROWEST = 12;

/** In place of a command. */
export const NOTHING_TO_DO = "nothing to do";

export function statusText(standings: readonly Standing[], paint: Paint): string {
  const told =
    standings.length > 1
      ? standingsText(standings, paint)
      : standings.map((each) => standingText(each, paint));
  return told.join("\n");
}

/** Of many portals a table, then what there is to say of those that somebody has to look at, and what to do next. */
function standingsText(standings: readonly Standing[], paint: Paint): string[] {
  const head = ["portal", "last apply", "changes", "held up by"].map(cellOf);
  const rows = standings.map(({ result, state, isStateKnown, ...held }) => {
    const last = state && appliesOf(state).at(-1);
    const applied = last ? `${paint.time(last.time)} by ${last.by.actor}` : "never";
    return [
      [{ text: oneLine(shortened(result.portal.name, LONGEST_NAME)), paint: paint.bold }],
      cellOf(isStateKnown ? applied : "not known"),
      cellOf(result.plan ? countsText(result.plan.changes, false) || "none" : "not known"),
      cellOf(obstaclesOf({ result, state, isStateKnown, ...held })),
    ];
  });
  const troubled = standings.filter(({ state }) => state?.hold?.wants ?? state?.journal);
  const failed = standings.flatMap(({ result }) => (result.failure ? [result] : []));
  return [
    `${tableLines(head, rows, paint, NARROWEST).join("\n")}\n`,
    ...troubledText(troubled, paint),
    ...failuresText(failed, paint),
    ...heldText(standings, paint),
    ...schedulesText(standings, paint),
    ...nextText(standings, paint),
  ];
}

/** A rollback of many, or a run that was killed, leaves them alike; what differs comes first. */
function troubledText(standings: readonly Standing[], paint: Paint): string[] {
  const alike = new Map<string, PortalResult[]>();
  for (const each of standings) {
    const text = standingLines(withoutEnd(each), paint).join("\n");
    alike.set(text, [...(alike.get(text) ?? []), each.result]);
  }
  return [...alike]
    .toSorted(([, one], [, other]) => one.length - other.length)
    .map(([text, results]) => headsOf(results, paint).join("") + text);
}

/** Errors and commands are told once, of all portals. */
function withoutEnd(standing: Standing): Told {
  return { ...standing, result: { ...standing.result, failure: null }, next: undefined };
}

function obstaclesOf({ result, state }: Standing): string {
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

/** What a person holds by hand is held on many portals for one reason. */
function heldText(standings: readonly Standing[], paint: Paint): string[] {
  const groups = new Map<string, PortalResult[]>();
  for (const { state, result } of standings) {
    const hold = state?.hold;
    const text = hold && isManual(hold) ? holdText(hold, paint) : undefined;
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), result]);
  }
  return groupsText("held by hand", groups, paint);
}

/** Each text once, with the portals that it is about. */
function groupsText(
  head: string,
  groups: ReadonlyMap<string, readonly PortalResult[]>,
  paint: Paint,
): string[] {
  const lines = [...groups].flatMap(([text, held]) => [
    ...said(oneLine(text), plainly, "  ", paint),
    ...said(namesOf(held), paint.dim, "    ", paint),
  ]);
  return lines.length === 0 ? [] : [`${[paint.bold(head), ...lines].join("\n")}\n`];
}

/** What many files say of their time is mostly one thing. */
function schedulesText(standings: readonly Standing[], paint: Paint): string[] {
  const groups = new Map<string, PortalResult[]>();
  for (const { result } of standings) {
    const { schedule } = result.plan ?? {};
    if (!schedule) continue;
    const text = scheduleText(schedule, paint.time);
    groups.set(text, [...(groups.get(text) ?? []), result]);
  }
  return groupsText("schedule", groups, paint);
}

/** What is next for several is told once, with their names. */
function nextText(standings: readonly Standing[], paint: Paint): string[] {
  const groups = new Map<string, Standing[]>();
  for (const each of standings) {
    const next = withoutFile(each.next, each.result.file);
    groups.set(next, [...(groups.get(next) ?? []), each]);
  }
  groups.delete(NOTHING_TO_DO);
  const lines = [...groups].flatMap(([next, held]) => {
    const results = held.map(({ result }) => result);
    return [
      ...nextLines(withFiles(next, filesOf(results)), "  ", paint),
      ...said(namesOf(results), paint.dim, "    ", paint),
    ];
  });
  if (lines.length === 0) return [`${paint.green("Nothing to do.")}\n`];
  return [`${[paint.bold("next"), ...lines].join("\n")}\n`];
}

function cellOf(text: string): Piece[] {
  return text === "" ? [] : [{ text: oneLine(text), paint: plainly }];
}

type Told = Omit<Standing, "next"> & { readonly next: string | undefined };

function standingText(standing: Told, paint: Paint): string {
  return [titleOf(standing.result, paint), ...standingLines(standing, paint)].join("\n");
}

function standingLines(standing: Told, paint: Paint): string[] {
  const { result, isStateKnown, state, signature, next } = standing;
  const { plan, failure } = result;
  const { hold, journal } = state ?? {};
  const last = state && appliesOf(state).at(-1);
  const open = journal && `${openText(journal, paint)}: ${outcomeText(journal, standing)}`;
  const rows = [
    ["last apply", last ? entryHead(last, paint) : isStateKnown ? "never" : "not known"],
    ["hold", hold && holdText(hold, paint)],
    ["journal", open],
    ["signature", signature === "not-verified" ? TRUST[signature] : undefined],
    ["schedule", plan?.schedule && scheduleText(plan.schedule, paint.time)],
    ["changes", plan ? changesOf(plan) : undefined],
  ] as const;
  const told = rows.flatMap(([name, text]) =>
    text === undefined ? [] : [[`  ${name}`, text] as const],
  );
  return [
    ...inColumns(told, paint),
    ...(next === undefined ? [] : besideHead("next", nextLines(next, LEDGE, paint))),
    ...(failure ? [failureText(failure, paint).trimEnd()] : []),
    "",
  ];
}

/** As wide as the heads of the other rows. */
const LEDGE = " ".repeat("  last apply  ".length);

function besideHead(head: string, [first = "", ...more]: readonly string[]): string[] {
  return [`  ${head}`.padEnd(LEDGE.length) + first.slice(LEDGE.length), ...more];
}

/** Sentences are wrapped. Commands are not, because they are there to be copied. */
function nextLines(next: string, indent: string, paint: Paint): string[] {
  return next.split("\n").flatMap((line) => {
    if (/^( {2}|lintel )/.test(line)) return [indent + paint.cyan(line)];
    return said(line, plainly, indent, paint);
  });
}

function outcomeText(
  { kind }: Pick<Journal, "kind">,
  { arrival, unknownMs }: Pick<Standing, "arrival" | "unknownMs">,
): string {
  if (arrival === "none") return `the portal shows nothing of this ${kind}`;
  if (arrival !== "unknown")
    return `the portal shows ${arrival === "all" ? "all" : "a part"} of this ${kind}`;
  const unknown = unknownMs > 0 ? ` for up to ${Math.ceil(unknownMs / 1000)} s` : "";
  return `the outcome of this ${kind} is unknown${unknown}`;
}

function changesOf({ changes, guards, comparedWith, applicable }: Plan): string {
  const closed = guards.filter(({ isOpen }) => !isOpen).length;
  const stops = closed > 0 ? `; blocked by ${counted(closed, "guard")}` : "";
  const basis =
    comparedWith === "last" || comparedWith === "nothing"
      ? " (the portal was not read)"
      : applicable
        ? ""
        : " (compared without signing in)";
  return `${countsText(changes, false) || "none"}${stops}${basis}`;
}
