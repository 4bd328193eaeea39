// What became of portals, or what is wrong with their files → the Markdown of one comment on a pull request.
import { formatPlace, type Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import type { PortalResult } from "../../plan/result.js";
import type { Limits } from "../model/difference.js";
import { calloutLines, detailsOf, rowOf, TABLE_HEAD } from "./portal.js";
import { fenced, sentences } from "./text.js";
import { counted } from "../../text.js";
import { calloutOf, hasDetails, reportPortal } from "../model/portal.js";
import { headlineOf, verdictOfPlans } from "../model/verdict.js";

/** In characters; a comment may have 65,536. */
const BUDGET = 60_000;

const GENEROUS: Limits = { text: 2_000, value: 400, entries: 40, changes: 200 };
const TERSE: Limits = { text: 200, value: 80, entries: 5, changes: 40 };

/** Details longer than this are told in fewer words, so that one portal leaves room for the others. */
const LONGEST_DETAILS = 6_000;

const MOST_UNCHANGED = 20;

/** What the sentences about things left out may take. */
const SENTENCE = 160;

/** With less room than this, or after so many that were too long, nothing is tried any more: each try takes time. */
const SHORTEST_DETAILS = 300;
const MOST_TRIED = 20;

export function markdownReport(
  results: readonly PortalResult[],
  options: Partial<Outcome> & { readonly budget?: number } = {},
): string {
  const { command = "plan", diagnostics = [], failure, budget = BUDGET } = options;
  const blocks = [
    `<!-- lintel ${command} -->\n## Lintel ${command}`,
    `**${headlineOf(options, verdictOfPlans(results))}**`,
    ...(failure ? [fenced("text", sentences(calloutLines(calloutOf(failure))))] : []),
  ];
  const left = () => budget - blocks.join("\n\n").length - 2 * SENTENCE;
  if (diagnostics.length > 0) blocks.push(diagnosticsBlock(diagnostics, left() / 2));
  if (results.length > 0) blocks.push(tableOf(results, left() / 2));
  blocks.push(...detailsWithin(results, left()));
  return `${blocks.join("\n\n")}\n`;
}

function diagnosticsBlock(diagnostics: readonly Diagnostic[], room: number): string {
  const told = fitting(diagnostics.map(diagnosticText), room);
  const more = diagnostics.length - told.length;
  const block = fenced("text", told);
  return more > 0 ? `${block}\n\nand ${counted(more, "more problem")}` : block;
}

function diagnosticText(diagnostic: Diagnostic): string {
  const { severity, message, code, help } = diagnostic;
  const helps = help.split("\n").map((line) => `  ${line}`);
  const head = `${formatPlace(diagnostic)}: ${severity}: ${message} [${code}]`;
  return sentences([head, ...helps]).join("\n");
}

/** A line each for what changes or failed; many that stay as they are, and those without room, are counted. */
function tableOf(results: readonly PortalResult[], room: number): string {
  const unchanged = results.filter(({ status }) => status === "unchanged");
  const isLong = unchanged.length > MOST_UNCHANGED;
  const listed = isLong ? results.filter(({ status }) => status !== "unchanged") : results;
  const rows = fitting(listed.map(rowOf), room - TABLE_HEAD.length);
  const more = results.length - rows.length;
  const table = [TABLE_HEAD, ...rows].join("\n");
  if (more === 0) return table;
  const isUnchanged = rows.length === listed.length;
  const said = `${counted(more, isUnchanged ? "unchanged portal" : "more portal")} not listed here.`;
  return rows.length > 0 ? `${table}\n\n${said}` : said;
}

/** Whole or not at all. Those that are too long go first, and those after there is no room left. */
function detailsWithin(results: readonly PortalResult[], room: number): string[] {
  const isOnly = results.length === 1;
  const shown: string[] = [];
  let [length, left] = [0, 0];
  const detailsIn = (result: PortalResult) => {
    const report = reportPortal(result);
    const generous = detailsOf(report, GENEROUS, isOnly);
    const isLong = generous.length > (isOnly ? room : LONGEST_DETAILS);
    return isLong ? detailsOf(report, TERSE, isOnly) : generous;
  };
  for (const each of results.filter(hasDetails)) {
    const isTried = room - length >= SHORTEST_DETAILS && left < MOST_TRIED;
    const details = isTried ? detailsIn(each) : undefined;
    if (details !== undefined && length + details.length + 2 <= room) {
      shown.push(details);
      length += details.length + 2;
    } else left++;
  }
  if (left === 0) return shown;
  const are = `${counted(left, "more portal")} ${left === 1 ? "is" : "are"}`;
  return [...shown, `${are} not shown; the plan is in the JSON report.`];
}

/** As many as there is room for, from the first on. */
function fitting(lines: readonly string[], room: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= room;
  });
}
