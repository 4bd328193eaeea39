// Prints what became of portals, or what is wrong with files, as the Markdown of one comment on a pull request.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import type { Json } from "../lib/json.js";
import { counted, oneLine, shortened } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import type { PortalResult } from "../plan/result.js";
import type { ChangeEntry } from "./change-entry.js";
import { neighbours, textWithout, type Segment } from "./diff.js";
import {
  differenceBetween,
  firstRows,
  shortenedSegments,
  shownValue,
  withSpacesShown,
  type Difference,
  type Limits,
  type Row,
} from "./difference.js";
import { aboutDrift, driftVerdictOf, lastAppliesText, stepsOfGroup } from "./drift-report.js";
import { groupEntries, namesOf, type Group } from "./group.js";
import { code, codeInCell, codeInHtml, fenced, folded, sentences } from "./markdown-text.js";
import {
  driftEntry,
  failureCallout,
  clockIn,
  hasDetails,
  otherProblems,
  portalEntry,
  targetOf,
  whereOf,
  type Callout,
  type PortalDrift,
  type PortalEntry,
} from "./portal-entry.js";
import { elsewhereText, sameProblems } from "./problem-text.js";
import { flow, plainly, styled } from "./text-layout.js";
import { headlineOf, tallyOf, verdictOfPlans } from "./verdict.js";

/** In characters; a comment may have 65,536. */
const BUDGET = 60_000;

const GENEROUS: Limits = { text: 2_000, value: 400, entries: 40, changes: 200 };
const TERSE: Limits = { text: 200, value: 80, entries: 5, changes: 40 };

/** Longer details are shortened, so that one group leaves room for the others. */
const LONGEST_DETAILS = 6_000;
/** Room for the sentences about what is left out. */
const SENTENCES = 320;
/** More than these are counted. */
const MOST_NAMED = 20;
const MOST_IN_SUMMARY = 5;

interface Options extends Partial<Outcome> {
  readonly budget?: number;
}

/** What a table says of a portal beside its name. */
interface Table {
  readonly head: string;
  readonly cellsOf: (group: Group) => readonly (string | number)[];
}

const PLAN_TABLE: Table = {
  head: "| portal | status | to set | to track | to release | stopped by |\n| :-- | :-- | --: | --: | --: | :-- |",
  cellsOf({ entry: { result, status, stoppers } }) {
    const { set, adopt, release } = tallyOf(result.plan?.changes ?? []);
    return [status, set, adopt, release, stoppers.map(codeInCell).join(", ")];
  },
};

const DRIFT_TABLE: Table = {
  head: "| portal | status | settings changed | applied last |\n| :-- | :-- | --: | :-- |",
  cellsOf: ({ entries, entry: { result, status, changes } }) => {
    const last = entries.map((each) => each.last);
    return [
      status,
      changes.length > 0 ? changes.length : "",
      codeInCell(lastAppliesText(last, clockIn(result))),
    ];
  },
};

export function markdownReport(results: readonly PortalResult[], options: Options = {}): string {
  const { diagnostics = [], files } = options;
  const entries = results.map((result) => portalEntry(result, { diagnostics, files }));
  const others = { ...options, diagnostics: otherProblems(diagnostics, results) };
  return markdownOf(entries, others, { table: PLAN_TABLE, verdict: verdictOfPlans(results) });
}

export function markdownDriftReport(portals: readonly PortalDrift[], outcome: Outcome): string {
  const entries = portals.map((portal) => driftEntry(portal));
  return markdownOf(entries, outcome, { table: DRIFT_TABLE, verdict: driftVerdictOf(portals) });
}

function markdownOf(
  entries: readonly PortalEntry[],
  options: Options,
  { table, verdict }: { readonly table: Table; readonly verdict: string },
): string {
  const { command = "plan", diagnostics = [], failure, budget = BUDGET } = options;
  const groups = groupEntries(entries, { most: MOST_NAMED });
  const blocks = [
    `<!-- lintel ${command} -->\n## Lintel ${command}`,
    `**${headlineOf(options, verdict)}**`,
    ...(failure ? [fenced("text", sentences(calloutLines(failureCallout(failure))))] : []),
  ];
  const room = () => budget - SENTENCES - blocks.join("\n\n").length;
  if (diagnostics.length > 0) blocks.push(diagnosticsBlock(diagnostics, room() / 2));
  // Of one portal the headline and the details say all.
  if (entries.length > 1) blocks.push(tableBlock(groups, table, room() / 2));
  blocks.push(...detailsWithin(groups, room()));
  return `${blocks.join("\n\n")}\n`;
}

export function diagnosticsBlock(diagnostics: readonly Diagnostic[], room: number): string {
  const groups = sameProblems(diagnostics);
  const shown = fitting(groups.map(diagnosticText), room);
  const more = groups.slice(shown.length).flat().length;
  const block = fenced("text", shown);
  return more > 0 ? `${block}\n\nand ${counted(more, "more problem")}` : block;
}

function diagnosticText([first, ...more]: readonly Diagnostic[]): string {
  if (!first) return "";
  const { severity, message, code, help } = first;
  const below = [...help.split("\n"), elsewhereText(more)].filter(Boolean);
  const head = `${formatPlace(first)}: ${severity}: ${message} [${code}]`;
  return sentences([head, ...below.map((line) => `  ${line}`)]).join("\n");
}

/** A row per group; portals without room are counted. */
function tableBlock(groups: readonly Group[], { head, cellsOf }: Table, room: number): string {
  const rows = groups.map((group) => {
    const { entries } = group;
    const results = entries.map(({ result }) => result);
    const names = namesOf(results, MOST_NAMED, codeInCell);
    const portals = entries.length > 1 ? `${counted(entries.length, "portal")}, each: ` : "";
    return `| ${[portals + names, ...cellsOf(group)].join(" | ")} |`;
  });
  const listed = fitting(rows, room - head.length);
  const table = [head, ...listed].join("\n");
  const more = groups.slice(listed.length).reduce((sum, { entries }) => sum + entries.length, 0);
  if (more === 0) return table;
  const left = `${counted(more, "more portal")} not listed here.`;
  return listed.length > 0 ? `${table}\n\n${left}` : left;
}

/** Each try takes time: with less room than this, or after so many without room, none is made. */
const SHORTEST_DETAILS = 300;
const MOST_TRIED = 20;

/** Large groups come first to their room, and stand in the order of the table. */
function detailsWithin(groups: readonly Group[], room: number): string[] {
  const isOnly = groups.length === 1;
  let [left, failed] = [room, 0];
  const texts = new Map<Group, string>();
  const told = groups.filter(({ entry }) => hasDetails(entry));
  for (const group of told.toReversed()) {
    if (left < SHORTEST_DETAILS || failed >= MOST_TRIED) break;
    const generous = detailsText(group, GENEROUS, isOnly);
    const isLong = generous.length > (isOnly ? room : LONGEST_DETAILS);
    const text = isLong ? detailsText(group, TERSE, isOnly) : generous;
    if (text.length + 2 <= left) {
      texts.set(group, text);
      left -= text.length + 2;
    } else failed++;
  }
  const missed = told
    .filter((group) => !texts.has(group))
    .reduce((sum, { entries }) => sum + entries.length, 0);
  const shown = told.flatMap((group) => texts.get(group) ?? []);
  if (missed === 0) return shown;
  const are = `${counted(missed, "portal")} ${missed === 1 ? "is" : "are"}`;
  return [...shown, `${are} not shown in full; the plan is in the JSON report.`];
}

function detailsText(group: Group, limits: Limits, isOpen: boolean): string {
  const { entries, entry } = group;
  const results = entries.map(({ result }) => result);
  const { status, counts, result } = entry;
  const isCounted = result.status === "changes" || result.status === "applied";
  const about = [isCounted && counts ? "" : status, counts].filter(Boolean).join(", ");
  const names = namesOf(results, MOST_IN_SUMMARY, codeInHtml);
  const isOne = entries.length === 1;
  const summary = isOne ? names : `${counted(entries.length, "portal")} (${names})`;
  const where = [whereOf(result.portal), result.file, result.plan ? targetOf(result.plan) : ""];
  return folded(`${summary}: ${about}`, isOpen, [
    ...(isOne
      ? [
          where
            .filter(Boolean)
            .map((each) => code(each))
            .join(" ")
            .trim(),
        ]
      : []),
    ...(entries.length > MOST_IN_SUMMARY
      ? [namesOf(results, MOST_NAMED * 3, (name) => code(name))]
      : []),
    ...(entry.isDrift ? aboutDrift(group) : []),
    ...entryBlocks(entry, limits),
    ...(entry.isDrift ? stepsOfGroup(group) : []).flatMap(({ text, command }) => [
      `${text}:`,
      fenced("text", sentences([command])),
    ]),
  ]);
}

/** What would change comes first. The words that open a guard are for a desk, where somebody decides that. */
function entryBlocks(entry: PortalEntry, limits: Limits): string[] {
  const { notes, changes, tracked, blocks, steps, allowed, callouts } = entry;
  const ways = steps.filter(({ command }) => !/^lintel explain |--allow/.test(command));
  return [
    ...(changes.length > 0 ? [fenced("diff", diffLines(changes, limits))] : []),
    ...(tracked ? [tracked] : []),
    ...(blocks.length > 0
      ? [
          quoted(
            "Stopped by",
            blocks.map(({ name, reason }) => `${name}: ${reason}`),
          ),
        ]
      : []),
    ...ways.map(({ text, command }) => `- ${text}: ${code(command, 1_000)}`),
    ...(notes.length > 0
      ? [fenced("text", sentences(notes.flatMap(({ text }) => text.split("\n"))))]
      : []),
    ...(allowed.length > 0
      ? [
          quoted(
            "Allowed",
            allowed.map((each) => `${each.name}: ${each.reason} ${each.allowed}`),
          ),
        ]
      : []),
    ...callouts.map((callout) => quoted(callout.title, calloutLines(callout))),
  ];
}

/** What is wrong and what to do, without its title. */
function calloutLines({ message, code, help }: Callout): string[] {
  const head = code === undefined ? message : `${message} [${code}]`;
  return [head, ...(help ? help.split("\n") : [])];
}

function quoted(title: string, lines: readonly string[]): string {
  return `**${title}**\n\n${fenced("text", sentences(lines))}`;
}

/** As many as there is room for, from the first on. */
export function fitting(lines: readonly string[], room: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= room;
  });
}

const WIDTH = 100;
const LONGEST_NOTE = 400;

/** Lines of a diff block, under the name of their parameter; what concerns only the state is marked with !. */
function diffLines(changes: readonly ChangeEntry[], limits: Limits): string[] {
  const shown = changes.slice(0, limits.changes);
  const left = changes.length - shown.length;
  const groups = neighbours(shown, ({ name, parameter }) => (name ? parameter : ""));
  return [
    ...groups.flatMap(([parameter, held], at) => [
      // One that has no parameter above it would seem to belong to the one before.
      ...(parameter ? [`@@ ${parameter} @@`] : at > 0 ? ["@@ settings @@"] : []),
      ...held.flatMap((change) => changeLines(change, limits)),
    ]),
    ...(left > 0 ? [`# … ${counted(left, "more change")}`] : []),
  ];
}

function changeLines(change: ChangeEntry, limits: Limits): string[] {
  const { mark, parameter, name, difference, notes, words, at } = change;
  const remark = [words, at].filter(Boolean).join(", ");
  const end = remark ? `  # ${oneLine(remark)}` : "";
  const sign = mark === "+" || mark === "~" ? "+ " : "! ";
  return [
    ...differenceLines(difference, name || parameter, limits, sign, end),
    ...notes.flatMap(({ text }) => prefixed("# ", shortened(text, LONGEST_NOTE))),
  ];
}

function differenceLines(
  difference: Difference,
  name: string,
  limits: Limits,
  sign: string,
  end: string,
): string[] {
  const line = (mark: string, value: Json | undefined) =>
    `${mark}${`${name}: ${shownValue(value, limits.value)}`.trimEnd()}`;
  if (difference.kind === "text") {
    return [`  ${name}:${end}`, ...textLines(difference.segments, limits)];
  }
  if (difference.kind === "list") {
    return [`  ${name}:${end}`, ...listLines(difference.rows, limits)];
  }
  const { before, after } = difference;
  if (before === undefined) return [line(sign, after) + end];
  return [line("- ", before), ...(after === undefined ? [] : [line(sign, after) + end])];
}

function textLines(segments: readonly Segment[], limits: Limits): string[] {
  const shown = shortenedSegments(segments, limits.text).map(({ kind, text }) => {
    const isUnseen = kind !== "same" && /^[^\S\n]+$/.test(text);
    return { kind, text: isUnseen ? withSpacesShown(text) : text };
  });
  const [before, after] = [textWithout("added", shown), textWithout("removed", shown)];
  return [...(before ? prefixed("-   ", before) : []), ...(after ? prefixed("+   ", after) : [])];
}

function listLines(rows: readonly Row[], limits: Limits): string[] {
  return firstRows(rows, limits.entries).flatMap((row) => {
    if (row.kind === "rest") return [`    ${row.text}`];
    if (row.kind !== "changed") {
      return [`${row.kind === "added" ? "+" : "-"}   ${shownValue(row.value, limits.value)}`];
    }
    return row.parts
      .slice(0, limits.entries)
      .flatMap((part) =>
        differenceLines(differenceBetween(part), `  ${part.name}`, limits, "+ ", ""),
      );
  });
}

function prefixed(prefix: string, text: string): string[] {
  return flow([{ text, style: plainly }], WIDTH).map((line) =>
    `${prefix}${styled(line)}`.trimEnd(),
  );
}
