// Prints what became of portals, or what is wrong with files, as the Markdown of one comment on a pull request.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import { counted, oneLine, shortened } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import type { Comparison } from "../plan/comparison.js";
import type { PortalResult } from "../plan/result.js";
import type { ChangeEntry } from "./change-entry.js";
import { comparisonEntry, comparisonVerdict } from "./comparison-report.js";
import { neighbours, textWithout, type Segment } from "./diff.js";
import { withSpacesShown, type Difference, type Row } from "./difference.js";
import { driftEntry, driftVerdictOf, type PortalDrift } from "./drift-report.js";
import { groupEntries, namesOf, type Group } from "./group.js";
import { code, codeInCell, codeInHtml, fenced, folded, sentences } from "./markdown-text.js";
import {
  failureCallout,
  hasDetails,
  otherProblems,
  portalEntry,
  targetOf,
  whereOf,
  type Callout,
  type PortalEntry,
} from "./portal-entry.js";
import { elsewhereText, sameProblems } from "./problem-text.js";
import { flow, plainly, styled } from "./text-layout.js";
import { headlineOf, verdictOfPlans } from "./verdict.js";

/** In characters; a comment may have 65,536. */
const BUDGET = 60_000;

/** Of the changes of one group, so that it leaves room for the others. */
const LONGEST_DIFF = 20_000;
/** Room for the sentences about what is left out. */
const SENTENCES = 320;
/** More than these are counted. */
const MOST_NAMED = 20;
const MOST_IN_SUMMARY = 5;

interface Options extends Partial<Outcome> {
  readonly budget?: number;
}

const TABLE_HEAD = "| portal | status | changes | stopped by |\n| :-- | :-- | :-- | :-- |";

export function markdownReport(results: readonly PortalResult[], options: Options = {}): string {
  const { diagnostics = [], files } = options;
  const entries = results.map((result) => portalEntry(result, { diagnostics, files }));
  const others = { ...options, diagnostics: otherProblems(diagnostics, results) };
  return markdownOf(entries, others, verdictOfPlans(results));
}

export function markdownDriftReport(portals: readonly PortalDrift[], outcome: Outcome): string {
  const entries = portals.map((portal) => driftEntry(portal));
  return markdownOf(entries, outcome, driftVerdictOf(portals));
}

export function markdownComparison(comparison: Comparison, outcome: Outcome): string {
  return markdownOf([comparisonEntry(comparison)], outcome, comparisonVerdict(comparison));
}

function markdownOf(entries: readonly PortalEntry[], options: Options, verdict: string): string {
  const { command = "plan", diagnostics = [], failure, budget = BUDGET } = options;
  const groups = groupEntries(entries);
  const blocks = [
    `<!-- lintel ${command} -->\n## Lintel ${command}`,
    `**${headlineOf(options, verdict)}**`,
    ...(failure ? [fenced("text", calloutLines(failureCallout(failure)))] : []),
  ];
  const room = () => budget - SENTENCES - blocks.join("\n\n").length;
  if (diagnostics.length > 0) blocks.push(diagnosticsBlock(diagnostics, room() / 2));
  // Of one portal the headline and the details say all.
  if (entries.length > 1) blocks.push(tableBlock(groups, room() / 2));
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
function tableBlock(groups: readonly Group[], room: number): string {
  const rows = groups.map(({ entries, entry }) => {
    const results = entries.map(({ result }) => result);
    const names = namesOf(results, MOST_NAMED, codeInCell);
    const portals = entries.length > 1 ? `${counted(entries.length, "portal")}, each: ` : "";
    const stoppers = entry.stoppers.map(codeInCell).join(", ");
    return `| ${[portals + names, entry.status, entry.counts, stoppers].join(" | ")} |`;
  });
  const listed = fitting(rows, room - TABLE_HEAD.length);
  const table = [TABLE_HEAD, ...listed].join("\n");
  const more = groups.slice(listed.length).reduce((sum, { entries }) => sum + entries.length, 0);
  if (more === 0) return table;
  const left = `${counted(more, "more portal")} not listed here.`;
  return listed.length > 0 ? `${table}\n\n${left}` : left;
}

/** As many groups as there is room for; the others are counted. */
function detailsWithin(groups: readonly Group[], room: number): string[] {
  const detailed = groups.filter(({ entry }) => hasDetails(entry));
  const shown: string[] = [];
  let [left, missed] = [room, 0];
  for (const group of detailed) {
    const text = detailsText(group, groups.length === 1);
    if (text.length + 2 <= left) {
      shown.push(text);
      left -= text.length + 2;
    } else missed += group.entries.length;
  }
  if (missed === 0) return shown;
  const are = `${counted(missed, "portal")} ${missed === 1 ? "is" : "are"}`;
  return [...shown, `${are} not shown in full; the plan is in the JSON report.`];
}

function detailsText(group: Group, isOpen: boolean): string {
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
    ...entryBlocks(entry),
  ]);
}

/** Changes come first. The words that allow a guard are left out, because a person decides that at the terminal. */
function entryBlocks({ notes, changes, tracked, callouts, steps }: PortalEntry): string[] {
  const stopped = callouts.filter(({ kind }) => kind === "stopped");
  const others = callouts.filter(({ kind }) => kind !== "stopped");
  const lines = steps
    .filter(({ command }) => !/^lintel explain |--allow/.test(command))
    .map(({ text, command }) => `- ${text}: ${code(command, 1_000)}`);
  return [
    ...(changes.length > 0 ? [fenced("diff", diffLines(changes))] : []),
    ...(tracked ? [tracked] : []),
    ...stopped.map(quoted),
    ...(lines.length > 0 ? [lines.join("\n")] : []),
    ...(notes.length > 0
      ? [fenced("text", sentences(notes.flatMap(({ text }) => text.split("\n"))))]
      : []),
    ...others.map(quoted),
  ];
}

function quoted(callout: Callout): string {
  return `**${callout.title}**\n\n${fenced("text", calloutLines(callout))}`;
}

/** What is wrong and what to do, without its title. */
function calloutLines({ items, code, help }: Callout): string[] {
  const end = code === undefined ? "" : ` [${code}]`;
  const lines = items.map(({ name, text }) => (name === undefined ? text : `${name}: ${text}`));
  return sentences([...lines.map((line) => line + end), ...(help ? help.split("\n") : [])]);
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
function diffLines(changes: readonly ChangeEntry[]): string[] {
  const groups = neighbours(changes, ({ name, parameter }) => (name ? parameter : ""));
  const lines = groups.flatMap(([parameter, own], at) => [
    // One that has no parameter above it would seem to belong to the one before.
    ...(parameter ? [`@@ ${parameter} @@`] : at > 0 ? ["@@ settings @@"] : []),
    ...own.flatMap(changeLines),
  ]);
  const shown = fitting(lines, LONGEST_DIFF);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `# … ${counted(left, "more line")}`] : shown;
}

function changeLines(change: ChangeEntry): string[] {
  const { mark, parameter, name, difference, notes } = change;
  const sign = mark === "+" || mark === "~" ? "+ " : "! ";
  return [
    ...differenceLines(difference, name || parameter, sign, endsOf(change)),
    ...notes.flatMap(({ text }) => prefixed("# ", shortened(text, LONGEST_NOTE))),
  ];
}

/** Comments behind a difference on one line, and behind the values before and after on two. */
interface Ends {
  readonly whole: string;
  readonly before: string;
  readonly after: string;
}

function endsOf({ words, at, spots }: ChangeEntry): Ends {
  const comment = (...texts: readonly string[]) => {
    const text = texts.filter(Boolean).join(", ");
    return text ? `  # ${oneLine(text)}` : "";
  };
  const whole = comment(words, at);
  if (!spots) return { whole, before: "", after: whole };
  return { whole, before: comment(spots.before), after: comment(spots.after) };
}

function differenceLines(
  difference: Difference,
  name: string,
  sign: string,
  ends: Ends = { whole: "", before: "", after: "" },
): string[] {
  if (difference.kind === "text") {
    return [`  ${name}:${ends.whole}`, ...textLines(difference.segments)];
  }
  if (difference.kind === "list") {
    return [`  ${name}:${ends.whole}`, ...difference.rows.flatMap(rowLines)];
  }
  const { before, after } = difference;
  const line = (mark: string, value = "") => `${mark}${`${name}: ${value}`.trimEnd()}`;
  if (before === undefined) return [line(sign, after) + ends.whole];
  if (after === undefined) return [line("- ", before) + ends.whole];
  return [line("- ", before) + ends.before, line(sign, after) + ends.after];
}

function textLines(segments: readonly Segment[]): string[] {
  const shown = segments.map(({ kind, text }) => {
    const isUnseen = kind !== "same" && /^[^\S\n]+$/.test(text);
    return { kind, text: isUnseen ? withSpacesShown(text) : text };
  });
  const [before, after] = [textWithout("added", shown), textWithout("removed", shown)];
  return [...(before ? prefixed("-   ", before) : []), ...(after ? prefixed("+   ", after) : [])];
}

function rowLines(row: Row): string[] {
  if (row.kind === "rest") return [`    ${row.text}`];
  if (row.kind !== "changed") return [`${row.kind === "added" ? "+" : "-"}   ${row.value}`];
  return differenceLines(row.difference, `  ${row.name}`, "+ ");
}

function prefixed(prefix: string, text: string): string[] {
  return flow([{ text, style: plainly }], WIDTH).map((line) =>
    `${prefix}${styled(line)}`.trimEnd(),
  );
}
