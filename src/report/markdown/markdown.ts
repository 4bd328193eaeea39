// What became of portals, or what is wrong with their files → the Markdown of one comment on a pull request.
import { formatPlace, type Diagnostic } from "../../diagnostic.js";
import type { Outcome, Review } from "../../outcome.js";
import type { PortalResult } from "../../plan/result.js";
import type { Limits } from "../model/difference.js";
import { hostOf } from "../model/alike.js";
import { gatherAll, type Gathering, type Line } from "../model/line.js";
import { calloutOf, reportDrift, reportPortal, type PortalDrift } from "../model/portal.js";
import { elsewhereText, problemsAlike } from "../model/problems.js";
import { filesOf, rowsAlike, sectionsOf, type Section } from "../model/section.js";
import {
  aroundWords,
  driftVerdictOf,
  headlineOf,
  isUnchanged,
  reviewSentence,
  verdictOfPlans,
  wordsToOpen,
} from "../model/verdict.js";
import {
  calloutLines,
  DRIFT_COLUMNS,
  MOST_FILES,
  ownText,
  PLAN_COLUMNS,
  rowOf,
  sharedText,
  type Columns,
} from "./portal.js";
import { code, fenced, sentences } from "./text.js";
import { counted } from "../../lib/text.js";

/** In characters; a comment may have 65,536. */
const BUDGET = 60_000;

const GENEROUS: Limits = { text: 2_000, value: 400, entries: 40, changes: 200 };
const TERSE: Limits = { text: 200, value: 80, entries: 5, changes: 40 };

/** Details longer than this are told in fewer words, so that one portal leaves room for the others. */
const LONGEST_DETAILS = 6_000;

/** What the sentences about things left out may take. */
const SENTENCE = 160;

/** With less room than this, or after so many that were too long, nothing is tried any more: each try takes time. */
const SHORTEST_DETAILS = 300;
const MOST_TRIED = 20;

interface Options extends Partial<Outcome> {
  readonly budget?: number;
  /** Of a plan where it is left out. */
  readonly verdict?: string;
}

export function markdownReport(results: readonly PortalResult[], options: Options = {}): string {
  const reports = results.map((result) => () => reportPortal(result));
  return markdownOf(gatherAll(reports, ["failed", "request"]), options);
}

export function markdownDriftReport(portals: readonly PortalDrift[], outcome: Outcome): string {
  const reports = portals.map((portal) => () => reportDrift(portal));
  const verdict = driftVerdictOf(portals);
  return markdownOf(gatherAll(reports, ["failed"]), { ...outcome, verdict }, DRIFT_COLUMNS);
}

/** The same of what was gathered while the run went on. */
export function markdownOf(gathering: Gathering, options: Options, columns = PLAN_COLUMNS): string {
  const lines = gathering.gathered.map(({ line }) => line);
  const results = lines.map(({ result }) => result);
  const { command = "plan", diagnostics = [], failure, review, budget = BUDGET } = options;
  const { verdict = verdictOfPlans(results) } = options;
  const blocks = [
    `<!-- lintel ${command} -->\n## Lintel ${command}`,
    headlineText(headlineOf(options, verdict), wordsToOpen(results)),
    ...(review ? [reviewBlock(review)] : []),
    ...(failure ? [fenced("text", sentences(calloutLines(calloutOf(failure))))] : []),
  ];
  const left = () => budget - blocks.join("\n\n").length - 2 * SENTENCE;
  if (diagnostics.length > 0) blocks.push(diagnosticsBlock(diagnostics, left() / 2));
  if (results.length > 0) blocks.push(tableOf(lines, columns, left() / 2));
  blocks.push(...detailsWithin(gathering, left()));
  return `${blocks.join("\n\n")}\n`;
}

/** On a line of its own, where programs find it. */
function reviewBlock(review: Review): string {
  const sentence = reviewSentence(review);
  const told = review.comparison === "same" ? sentence : sentence && `**${sentence}**`;
  return [told, `Digest of the changes: ${code(review.digest)}`].filter(Boolean).join("\n\n");
}

/** The words that open what is shut are code, which a page offers to copy and does not turn into dashes. */
function headlineText(headline: string, words: string): string {
  const [before, copied, after] = aroundWords(headline, words).map((part) => part.trim());
  return [before && `**${before}**`, copied && code(copied, copied.length), after && `**${after}**`]
    .filter(Boolean)
    .join(" ");
}

export function diagnosticsBlock(diagnostics: readonly Diagnostic[], room: number): string {
  const groups = problemsAlike(diagnostics);
  const told = fitting(groups.map(diagnosticText), room);
  const more = groups.slice(told.length).flat().length;
  const block = fenced("text", told);
  return more > 0 ? `${block}\n\nand ${counted(more, "more problem")}` : block;
}

function diagnosticText([first, ...more]: readonly Diagnostic[]): string {
  if (!first) return "";
  const { severity, message, code, help } = first;
  const below = [...help.split("\n"), elsewhereText(more)].filter(Boolean);
  const head = `${formatPlace(first)}: ${severity}: ${message} [${code}]`;
  return sentences([head, ...below.map((line) => `  ${line}`)]).join("\n");
}

/** What differs comes first; rows without room are counted by their portals. */
function tableOf(lines: readonly Line[], columns: Columns, room: number): string {
  const { head, cellsOf } = columns;
  const rows = rowsAlike(lines, cellsOf, ({ result }) => isUnchanged(result));
  const listed = fitting(
    rows.map((row) => rowOf(row, columns)),
    room - head.length,
  );
  const shown = rows.slice(0, listed.length).reduce((sum, held) => sum + held.length, 0);
  const table = [head, ...listed].join("\n");
  const more = lines.length - shown;
  if (more === 0) return table;
  const said = `${counted(more, "more portal")} not listed here.`;
  return listed.length > 0 ? `${table}\n\n${said}` : said;
}

/**
 * Whole or not at all. What many portals have in common may take half of the room, so that it is not crowded out by
 * what single portals have; those take the rest, the first ones first.
 */
function detailsWithin({ gathered, collection }: Gathering, room: number): string[] {
  const pieces = gathered.map((each) => each.pieces);
  const { own, shared } = sectionsOf(pieces, collection);
  const isOnly = gathered.length === 1;
  const teller = (section: Section) => {
    const lines = section.portals.flatMap((at) => gathered[at]?.line ?? []);
    const held = lines.map(({ result }) => result);
    const [line] = lines.length === 1 ? lines : [];
    const host = line && hostOf(line.result.portal);
    const body = collection.bodyOf(section.ids, filesOf(held, MOST_FILES), host);
    return (limits: Limits) =>
      line
        ? ownText(line, section, body, limits, isOnly)
        : sharedText(lines, section, body, limits);
  };
  const taken = new Map<Section, string>();
  let left = room;
  const take = (sections: readonly Section[], most: number) => {
    let missed = 0;
    const end = left - most;
    for (const section of sections.filter((each) => !taken.has(each))) {
      if (left - end < SHORTEST_DETAILS || missed >= MOST_TRIED) break;
      const textIn = teller(section);
      const generous = textIn(GENEROUS);
      const isLong = generous.length > (isOnly ? room : LONGEST_DETAILS);
      const text = isLong ? textIn(TERSE) : generous;
      if (text.length + 2 <= left - end) {
        taken.set(section, text);
        left -= text.length + 2;
      } else missed++;
    }
  };
  take(shared.toReversed(), room / 2);
  take(own, left);
  take(shared.toReversed(), left);
  const all = [...own, ...shared];
  const missed = new Set(all.filter((each) => !taken.has(each)).flatMap(({ portals }) => portals));
  const shown = all.flatMap((each) => taken.get(each) ?? []);
  if (missed.size === 0) return shown;
  const are = `${counted(missed.size, "portal")} ${missed.size === 1 ? "is" : "are"}`;
  return [...shown, `${are} not shown in full; the plan is in the JSON report.`];
}

/** As many as there is room for, from the first on. */
export function fitting(lines: readonly string[], room: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= room;
  });
}
