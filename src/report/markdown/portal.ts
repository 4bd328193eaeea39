// What became of portals → rows of the table of a comment, and the folded details of one portal or of several that are alike.
import { closedGuards, type PortalResult } from "../../plan/result.js";
import { counted, oneLine, shellWord } from "../../lib/text.js";
import type { Body } from "../model/alike.js";
import type { Limits } from "../model/difference.js";
import { lastAppliesText, stepsAfterDrift } from "../model/drift.js";
import { openingOf, openingWords, reportGuard } from "../model/guard.js";
import type { Line } from "../model/line.js";
import { DRIFT_SIDES, type Callout } from "../model/portal.js";
import { filesOf, requestsDiffer, titleOfShared, type Section } from "../model/section.js";
import { STATUS, tallyOf } from "../model/verdict.js";
import { diffLines } from "./change.js";
import { code, codeInCell, codeInHtml, fenced, folded, sentences } from "./text.js";

/** The first lines of a table of portals, and what a row says beside their names. */
export interface Columns {
  readonly head: string;
  readonly cellsOf: (line: Line) => string;
}

export const PLAN_COLUMNS: Columns = {
  head: "| portal | status | set | adopt | release | guards |\n| :-- | :-- | --: | --: | --: | :-- |",
  cellsOf({ result }) {
    const { status, plan } = result;
    const { set, adopt, release } = tallyOf(plan?.changes ?? []);
    const closed = closedGuards(result).map(codeInCell).join(", ");
    const open = plan?.guards.filter(({ isOpen }) => isOpen).length ?? 0;
    const guards = [closed && `closed: ${closed}`, open > 0 && `${open} open`];
    return [STATUS[status], set, adopt, release, guards.filter(Boolean).join("; ")].join(" | ");
  },
};

export const DRIFT_COLUMNS: Columns = {
  head: "| portal | status | settings changed | applied last |\n| :-- | :-- | --: | :-- |",
  cellsOf: ({ status, changes, last }) =>
    [status, changes > 0 ? changes : "", codeInCell(lastAppliesText([last]))].join(" | "),
};

/** More than these are counted rather than named. */
const MOST_NAMED = 20;
const MOST_IN_SUMMARY = 5;
const LONGEST_BASIS = 200;
/** More files than these make no command that anybody wants to copy. */
export const MOST_FILES = 20;

/** Of portals of which the other cells say the same. */
export function rowOf(held: readonly Line[], { cellsOf }: Columns): string {
  const results = held.map(({ result }) => result);
  const names = namesOf(results, MOST_NAMED, codeInCell);
  const portals = held.length > 1 ? `${counted(held.length, "portal")}, each: ${names}` : names;
  return `| ${portals} | ${held[0] ? cellsOf(held[0]) : ""} |`;
}

/** What a portal is told of by itself; what others have too is told below. */
export function ownText(
  line: Line,
  { alike }: Section,
  body: Body,
  limits: Limits,
  isOpen: boolean,
): string {
  const { result, where, status, counts, basis } = line;
  const [from = "", ...compared] = basis;
  const isPlain = result.status === "changes" || result.status === "applied";
  const said = [isPlain && counts ? "" : status, counts].filter(Boolean).join(", ");
  const others = alike.reduce((sum, { changes }) => sum + changes, 0);
  const files = { files: code(result.file), named: shellWord(oneLine(result.file)) };
  return folded(`${codeInHtml(result.portal.name)}: ${said}`, isOpen, [
    ...(where ? [code(where)] : []),
    [code(from), ...compared].join(", "),
    ...bodyBlocks(body, files, limits, [line]),
    ...(others > 0 ? [`and ${counted(others, "change")} that others have, too: see below`] : []),
  ]);
}

export function sharedText(
  lines: readonly Line[],
  section: Section,
  body: Body,
  limits: Limits,
): string {
  const held = lines.map(({ result }) => result);
  const isLong = held.length > MOST_IN_SUMMARY;
  const names = namesOf(held, MOST_IN_SUMMARY, codeInHtml);
  const differ = requestsDiffer(lines, body);
  return folded(`${titleOfShared(section, body)}: ${names}`, false, [
    ...(isLong ? [namesOf(held, MOST_NAMED * 3, (name) => code(name))] : []),
    ...(section.basis ? [code(section.basis, LONGEST_BASIS)] : []),
    ...bodyBlocks(body, { files: "their files", named: filesOf(held, MOST_FILES) }, limits, lines),
    ...(differ ? [differ] : []),
  ]);
}

/** What is wrong and what to do, without its title. */
export function calloutLines({ message, code, help }: Callout): string[] {
  const head = code === undefined ? message : `${message} [${code}]`;
  return [head, ...(help ? help.split("\n") : [])];
}

function namesOf(
  held: readonly PortalResult[],
  most: number,
  shown: (name: string) => string,
): string {
  const names = held.slice(0, most).map(({ portal }) => shown(portal.name));
  const left = held.length - names.length;
  return names.join(", ") + (left > 0 ? ` and ${counted(left, "more portal")}` : "");
}

/** In a sentence, and as a command names them. */
interface Files {
  readonly files: string;
  readonly named: string;
}

function bodyBlocks(body: Body, files: Files, limits: Limits, lines: readonly Line[]): string[] {
  const { notes, changes, callouts } = body;
  const isDone = lines.every(({ result }) => result.status === "applied");
  const isDrift = changes.length > 0 && lines.some((line) => line.isDrift);
  return [
    ...(notes.length > 0
      ? [fenced("text", sentences(notes.flatMap(({ text }) => text.split("\n"))))]
      : []),
    ...(isDrift ? [`From ${DRIFT_SIDES}:`] : []),
    ...(changes.length > 0 ? [fenced("diff", diffLines(changes, limits))] : []),
    ...(isDrift ? stepBlocks(body, files, lines) : []),
    ...guardBlocks(body, files, isDone),
    ...(isDone ? [] : requestBlocks(body, limits)),
    ...callouts.map((callout) => quoted(callout.title, calloutLines(callout))),
  ];
}

/** Where a hold stands in the way, that says what to do. */
function stepBlocks({ changes }: Body, { named }: Files, lines: readonly Line[]): string[] {
  const free = lines.map(({ result }) => result).filter(({ hold }) => !hold);
  if (free.length === 0) return [];
  const words = openingWords(free.flatMap(({ plan }) => plan?.guards ?? []));
  const steps = stepsAfterDrift(changes, { quoted: named, portals: free.length, words });
  return steps.flatMap(({ text, command }) => [text, fenced("text", sentences([command]))]);
}

function guardBlocks({ guards }: Body, { files, named }: Files, isDone: boolean): string[] {
  const [closed = [], open = []] = [false, true].map((is) =>
    guards
      .filter(({ isOpen }) => isOpen === is)
      .map(reportGuard)
      .map(({ name, message, opened }) => `${name}: ${message} ${opened}`.trimEnd()),
  );
  const { words, entries, keeping } = openingOf(guards, "", named);
  return [
    ...(closed.length > 0 && !isDone
      ? [
          quoted("Blocked by guards", closed),
          ...(keeping ? [keeping.text, fenced("text", sentences([keeping.pull]))] : []),
          `To allow it, use ${code(words)}, or add to ${files} for a limited time:`,
          fenced("yaml", sentences(entries)),
        ]
      : []),
    ...(open.length > 0 ? [quoted("Allowed guards", open)] : []),
  ];
}

/** What is sent, whole where it is short: it holds more than what changes. */
function requestBlocks({ request }: Body, limits: Limits): string[] {
  if (request?.text === undefined) return [];
  const { names, left, text } = request;
  const sends = (shown: (name: string) => string) =>
    `sends ${names.map(shown).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  if (text.length > limits.text * 2) return [sends((name) => code(name))];
  return [folded(sends(codeInHtml), false, [fenced("json", text.split("\n"))])];
}

function quoted(title: string, lines: readonly string[]): string {
  return `**${title}**\n\n${fenced("text", sentences(lines))}`;
}
