// What became of one portal → its row in the table of a comment, and its folded details.
import { exactText } from "../../json.js";
import { closedGuards, type PortalResult } from "../../plan/result.js";
import type { Callout, PortalReport } from "../model/portal.js";
import { STATUS, tallyOf } from "../model/verdict.js";
import type { Limits } from "../model/difference.js";
import { diffLines } from "./change.js";
import { code, codeInCell, codeInHtml, fenced, folded, sentences } from "./text.js";

export const TABLE_HEAD = [
  "| portal | status | set | adopt | release | guards |",
  "| :-- | :-- | --: | --: | --: | :-- |",
].join("\n");

export function rowOf(result: PortalResult): string {
  const { portal, status, plan } = result;
  const { set, adopt, release } = tallyOf(plan?.changes ?? []);
  const closed = closedGuards(result).map(codeInCell).join(", ");
  const open = plan?.guards.filter(({ isOpen }) => isOpen).length ?? 0;
  const guards = [closed && `closed: ${closed}`, open > 0 && `${open} open`];
  const cells = [codeInCell(portal.name), STATUS[status], set, adopt, release];
  return `| ${cells.join(" | ")} | ${guards.filter(Boolean).join("; ")} |`;
}

export function detailsOf(report: PortalReport, limits: Limits, isOpen: boolean): string {
  const { result, where, status, counts, basis, notes, changes, callouts } = report;
  const [from = "", ...compared] = basis;
  const isPlain = result.status === "changes" || result.status === "applied";
  const said = [isPlain && counts ? "" : status, counts].filter(Boolean).join(", ");
  return folded(`${codeInHtml(result.portal.name)}: ${said}`, isOpen, [
    ...(where ? [code(where)] : []),
    [code(from), ...compared].join(", "),
    ...(notes.length > 0
      ? [fenced("text", sentences(notes.flatMap(({ text }) => text.split("\n"))))]
      : []),
    ...(changes.length > 0 ? [fenced("diff", diffLines(changes, limits))] : []),
    ...guardBlocks(report),
    ...requestBlocks(report, limits),
    ...callouts.map((callout) => quoted(callout.title, calloutLines(callout))),
  ]);
}

/** What is wrong and what to do, without its title. */
export function calloutLines({ message, code, help }: Callout): string[] {
  const head = code === undefined ? message : `${message} [${code}]`;
  return [head, ...(help ? help.split("\n") : [])];
}

function guardBlocks({ result, guards, opening }: PortalReport): string[] {
  const [closed, open] = [false, true].map((is) =>
    guards
      .filter(({ isOpen }) => isOpen === is)
      .map(({ name, message, opened }) => `${name}: ${message} ${opened}`.trimEnd()),
  );
  return [
    ...(closed?.length && opening
      ? [
          quoted("Stopped by guards", closed),
          `Open with ${code(opening.words)}, or write in ${code(result.file)} for a while:`,
          fenced("yaml", sentences(opening.entries)),
        ]
      : []),
    ...(open?.length ? [quoted("Opened guards", open)] : []),
  ];
}

/** What is sent, whole where it is short: it holds more than what changes. */
function requestBlocks({ request, isDone }: PortalReport, limits: Limits): string[] {
  if (!request?.settings || isDone) return [];
  const { names, left, settings } = request;
  const sends = (shown: (name: string) => string) =>
    `sends ${names.map(shown).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  const text = exactText(settings, 2);
  if (text.length > limits.text * 2) return [sends(code)];
  return [folded(sends(codeInHtml), false, [fenced("json", text.split("\n"))])];
}

function quoted(title: string, lines: readonly string[]): string {
  return `**${title}**\n\n${fenced("text", sentences(lines))}`;
}
