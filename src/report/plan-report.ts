// Prints what became of portals for a terminal: what would change and what stops it, portal by portal, counts last.
import type { Outcome } from "../outcome.js";
import type { PortalResult } from "../plan/result.js";
import { counted, oneLine, shortened } from "../lib/text.js";
import { changesLines, noteLines } from "./change-text.js";
import { groupEntries, namesOf, type Group, type Naming } from "./group.js";
import {
  failureEntry,
  hasDetails,
  portalEntry,
  whereOf,
  type Callout,
  type Item,
  type PortalEntry,
  type Step,
} from "./portal-entry.js";
import { failureText, helpLines } from "./problem-text.js";
import type { Styles } from "./styles.js";
import { cellOf, plainly, sentenceLines, tableLines, widthOf, type Piece } from "./text-layout.js";
import { isUnchanged, nothingToDo, verdictOf, verdictOfPlans } from "./verdict.js";

/** More than these are counted. */
const MOST_LISTED = 20;
/** More than these are named without their addresses. */
const MOST_TITLES = 4;
const LONGEST_TITLE = 100;

export function planReport(
  results: readonly PortalResult[],
  styles: Styles,
  { folders, ...found }: Found & Naming = {},
): string {
  const entries = results.map((result) => portalEntry(result, { time: styles.time, ...found }));
  // What is wrong with an invalid file stands above.
  const shown = entries.filter((each) => hasDetails(each) && !isInvalid(each.result));
  const others = entries.filter((each) => !hasDetails(each));
  const unchanged = others.filter(({ result }) => isUnchanged(result));
  const skipped = others.filter(({ result }) => result.status === "skipped");
  const style = nothingToDo(results) ? styles.green : styles.bold;
  return [
    ...groupEntries(shown, { folders }).map((group) => groupText(group, styles)),
    ...(unchanged.length < results.length ? listedText(unchanged, "unchanged", styles) : []),
    ...listedText(skipped, "skipped", styles),
    verdictText(verdictOfPlans(results) || verdictOf(results), style, styles),
    ...clockText(results, styles),
  ].join("\n");
}

/** A window needs a run at its time. With --due, a clock runs Lintel already; a hold blocks such runs. */
export function clockText(results: readonly PortalResult[], styles: Styles): string[] {
  const [next] = results
    .filter(({ plan, hold }) => plan?.notDue === undefined && (!hold || hold.isAgreed))
    .flatMap(({ plan }) => plan?.schedule?.next?.time ?? [])
    .toSorted();
  if (next === undefined) return [];
  const text = `A window opens or closes at ${styles.time(next)}. Lintel must run then: "lintel serve --apply schedule", or "lintel apply --due schedule --yes" from a clock.`;
  return [linesText(sentenceLines(text, styles.dim, "", styles))];
}

type Found = Partial<Pick<Outcome, "diagnostics" | "files">>;

/** What became of plans that were shown before: what failed, and the counts. */
export function endReport(
  results: readonly PortalResult[],
  styles: Styles,
  naming: Naming,
): string {
  const verdict = verdictText(verdictOf(results), styles.bold, styles);
  return [...endFailures(results, styles, naming), verdict].join("\n");
}

export function endFailures(
  results: readonly PortalResult[],
  styles: Styles,
  naming: Naming,
): string[] {
  const failed = results.filter((each) => isUnexplained(each) && !isInvalid(each));
  return failuresText(failed, styles, naming);
}

/** A plan that was shown names what stops it. */
function isUnexplained(result: PortalResult): boolean {
  return portalEntry(result).callouts.some(({ kind }) => kind === "failed");
}

function verdictText(verdict: string, style: Piece["style"], styles: Styles): string {
  return linesText(sentenceLines(verdict, style, "", styles));
}

export function groupText({ entries, entry }: Group, styles: Styles): string {
  const heads = headsOf(
    entries.map(({ result }) => result),
    styles,
  );
  const [first = [], ...paragraphs] = paragraphsOf(entry, styles);
  return [[...heads, ...first], ...paragraphs].map(linesText).join("\n");
}

/** What stops an apply comes before what it would change. */
function paragraphsOf(entry: PortalEntry, styles: Styles): string[][] {
  const { notes, changes, tracked, callouts, steps } = entry;
  const stopped = callouts.filter(({ kind }) => kind === "stopped");
  const others = callouts.filter(({ kind }) => kind !== "stopped");
  const paragraphs = [
    noteLines(notes, "  ", styles),
    stopped.flatMap((callout) => [
      ...calloutLines(callout, styles),
      ...steps.map(({ text, command }) => `    ${styles.cyan(`${text}:`)} ${oneLine(command)}`),
    ]),
    [
      ...changesLines(changes, styles),
      ...(tracked ? sentenceLines(tracked, styles.dim, "  ", styles) : []),
    ],
    ...others.map((callout) => calloutLines(callout, styles)),
    stopped.length > 0 ? [] : stepLines(steps, styles),
  ];
  return paragraphs.filter((lines) => lines.length > 0);
}

/** Commands are not wrapped, because they are for copying. */
function stepLines(steps: readonly Step[], styles: Styles): string[] {
  return steps.flatMap(({ text, command }) => [
    ...sentenceLines(`${text}:`, plainly, "  ", styles),
    `    ${styles.cyan(oneLine(command))}`,
  ]);
}

function calloutLines({ kind, title, items, code, help }: Callout, styles: Styles): string[] {
  const [message = ""] = items.map(({ text }) => text);
  if (kind === "failed") {
    const word = code === "not-begun" ? "skipped" : "error";
    const failure = { message, help, ...(code !== undefined && { code }) };
    return failureText(failure, styles, word).trimEnd().split("\n");
  }
  if (kind === "stopped") return [`  ${styles.yellow(title)}`, ...itemLines("✗", items, styles)];
  if (kind === "allowed") return itemLines("✓", items, styles);
  const text = oneLine(kind === "unfit" ? `${title}. ${message}` : message);
  const lines = sentenceLines(text, styles.yellow, "  ", styles);
  return [...lines, ...helpLines(help, styles, "    ", styles.width)];
}

/** The names in a column, the texts beside them, or below them on a narrow terminal. */
function itemLines(mark: "✓" | "✗", items: readonly Item[], styles: Styles): string[] {
  const style = mark === "✓" ? styles.green : styles.red;
  const rows = items.map(({ name = "", text }) => [
    cellOf(`  ${mark} ${name}`, style),
    cellOf(text),
  ]);
  return tableLines([], rows, styles, styles.width / 2);
}

/** The name and address of a portal, and perhaps a word on it. */
export function titleOf(
  { portal }: Pick<PortalResult, "portal">,
  styles: Styles,
  word?: string,
): string {
  const [name = "", where = ""] = [portal.name, whereOf(portal)].map((text) =>
    oneLine(shortened(text, LONGEST_TITLE)),
  );
  const quiet = [where, word].flatMap((each) => (each ? [styles.dim(each)] : []));
  const width = widthOf([name, where, word].filter(Boolean).join("  "));
  return [styles.bold(name), ...quiet].join(width <= styles.width ? "  " : "\n  ");
}

/** Above what several portals share: a line each, or their names alone where they are many. */
export function headsOf(
  results: readonly Pick<PortalResult, "portal">[],
  styles: Styles,
): string[] {
  if (results.length <= MOST_TITLES) return results.map((each) => titleOf(each, styles));
  const names = `${counted(results.length, "portal")}: ${namesOf(results)}`;
  return sentenceLines(names, styles.bold, "", styles);
}

export function listedText(
  entries: readonly PortalEntry[],
  word: string,
  styles: Styles,
): string[] {
  const results = entries.map(({ result }) => result);
  const [only, ...others] = results;
  if (!only) return [];
  if (others.length === 0) return [`${titleOf(only, styles, word)}\n`];
  const names = results.length > MOST_LISTED ? "" : `: ${namesOf(results)}`;
  const text = `${counted(results.length, "portal")} ${word}${names}`;
  return [linesText(sentenceLines(text, styles.dim, "", styles))];
}

/** Portals that failed for one reason share the words. */
export function failuresText(
  failed: readonly PortalResult[],
  styles: Styles,
  naming: Naming,
): string[] {
  return groupEntries(failed.map(failureEntry), naming).map((group) => groupText(group, styles));
}

/** The diagnostics of an invalid file say what is wrong with it. */
export function isInvalid({ failure }: PortalResult): boolean {
  return failure?.code === "file-invalid";
}

interface QuietContext extends Found, Naming {
  /** Plans that cannot be applied though the call asks for plans that can. */
  readonly unfit?: readonly PortalResult[];
}

const OVERWRITING: readonly (string | undefined)[] = ["overwrite-drift", "older-checkout"];

/** What stops an apply, what failed, and what may be a mistake. */
export function quietReport(
  results: readonly PortalResult[],
  styles: Styles,
  { folders, unfit = [], ...found }: QuietContext,
): string {
  const entries = results.map((result) => {
    const entry = portalEntry(result, { time: styles.time, ...found });
    return {
      ...entry,
      notes: entry.notes.filter(({ isUnexpected }) => isUnexpected),
      changes: entry.changes.filter(({ notes }) => notes.some(({ isUnexpected }) => isUnexpected)),
      tracked: "",
      callouts: entry.callouts.filter(({ kind, items }) => {
        // The work of another person is overwritten.
        if (kind === "allowed") return items.some(({ name }) => OVERWRITING.includes(name));
        return kind !== "unfit" || unfit.includes(result);
      }),
    };
  });
  const shown = entries.filter((each) => hasDetails(each) && !isInvalid(each.result));
  return groupEntries(shown, { folders })
    .map((group) => groupText(group, styles))
    .join("\n");
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
