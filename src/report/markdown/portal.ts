// What became of one portal → its row in the table of a comment, and its folded details.
import { exactText } from "../../json.js";
import type { Guard } from "../../plan/guard.js";
import type { Plan } from "../../plan/plan.js";
import type { PortalResult } from "../../plan/result.js";
import { formatPath } from "../../settings.js";
import { diffLines, type Limits } from "./change.js";
import { code, codeInCell, codeInHtml, fenced, folded, sentences } from "./text.js";
import { PLAIN } from "../text/paint.js";
import {
  basisOf,
  countsOf,
  holdOf,
  holdHelp,
  numbersOf,
  openingEntries,
  openingText,
  openingWords,
  STATUS,
} from "../model/wording.js";

const MOST_NAMES = 20;

export function rowOf(result: PortalResult): string {
  const { portal, status, plan } = result;
  const { set, adopt, release } = numbersOf(plan?.changes ?? []);
  const cells = [codeInCell(portal.name), STATUS[status], set, adopt, release, guardsCell(plan)];
  return `| ${cells.join(" | ")} |`;
}

export const TABLE_HEAD = [
  "| portal | status | set | adopt | release | guards |",
  "| :-- | :-- | --: | --: | --: | :-- |",
].join("\n");

/** Whether there is more to tell of it than its row says. */
export function hasDetails({ plan, hold, failure }: PortalResult): boolean {
  if (hold || failure || plan?.reason) return true;
  return plan !== null && plan.changes.length + plan.notes.length > 0;
}

/** Empty where its row says all. */
export function detailsOf(result: PortalResult, limits: Limits, isOpen: boolean): string {
  const { portal, plan, hold, failure, file, status } = result;
  if (!hasDetails(result)) return "";
  const said = countsOf([result]).join(", ") || STATUS[status];
  const where = [portal.url, portal.id === "self" ? "" : `portal ${portal.id}`].filter(Boolean);
  const summary = `${codeInHtml(portal.name)}: ${said}`;
  return folded(summary, isOpen, [
    ...(where.length > 0 ? [where.map(code).join(" · ")] : []),
    ...(plan ? planBlocks(plan, file, limits, status === "applied") : [code(file)]),
    ...(hold
      ? [quoted("On hold", [holdOf(hold, status, PLAIN), ...linesOf(holdHelp(hold, file))])]
      : []),
    ...(failure
      ? [quoted("Failed", [`${failure.message} [${failure.code}]`, ...linesOf(failure.help)])]
      : []),
  ]);
}

function planBlocks(plan: Plan, file: string, limits: Limits, isDone: boolean): string[] {
  const { changes, guards, reason, request } = plan;
  const [basis, compared] = basisOf(file, plan);
  const notes = plan.notes.map(
    ({ path, message }) => `${path ? `"${formatPath(path)}": ` : ""}${message}`,
  );
  return [
    `${code(basis)}, ${compared}`,
    ...(notes.length > 0 ? [fenced("text", sentences(notes))] : []),
    ...(changes.length > 0 ? [fenced("diff", diffLines(changes, limits, isDone))] : []),
    ...(reason
      ? [quoted("This plan cannot be applied", [reason.message, ...linesOf(reason.help)])]
      : []),
    ...guardBlocks(guards, file),
    ...(request && !isDone ? [requestBlock(request, limits)] : []),
  ];
}

function guardBlocks(guards: readonly Guard[], file: string): string[] {
  const lines = guards.map((guard) =>
    [`${guard.name}: ${guard.message}`, openingText(guard)].filter(Boolean).join(" "),
  );
  const [closed, open] = [false, true].map((is) =>
    lines.filter((_, at) => guards[at]?.isOpen === is),
  );
  return [
    ...(closed?.length
      ? [
          quoted("Guards stop the apply", closed),
          `Apply with ${code(openingWords(guards))}, or write in ${code(file)} for a while:`,
          fenced("yaml", sentences(openingEntries(guards))),
        ]
      : []),
    ...(open?.length ? [quoted("Opened guards", open)] : []),
  ];
}

/** What is sent, whole where it is short: it holds more than what changes. */
function requestBlock(
  { parameters, settings }: NonNullable<Plan["request"]>,
  limits: Limits,
): string {
  const left = parameters.length - MOST_NAMES;
  const sends = (shown: (name: string) => string) =>
    `sends ${parameters.slice(0, MOST_NAMES).map(shown).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  const text = exactText(settings, 2);
  if (text.length > limits.text * 2) return sends(code);
  return folded(sends(codeInHtml), false, [fenced("json", text.split("\n"))]);
}

function quoted(title: string, lines: readonly string[]): string {
  return `**${title}**\n\n${fenced("text", sentences(lines))}`;
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split("\n");
}

function guardsCell(plan: Plan | null): string {
  const guards = plan?.guards ?? [];
  const closed = [...new Set(guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name))];
  const open = guards.filter(({ isOpen }) => isOpen).length;
  const shown = closed.slice(0, MOST_NAMES).map(codeInCell).join(", ");
  return [shown && `closed: ${shown}`, open > 0 && `${open} open`].filter(Boolean).join("; ");
}
