// What is told of a portal → its paragraph for a terminal: what it was compared with, its changes, and what stops it.
import type { PortalResult } from "../../../plan/result.js";
import { reportChange, type ChangeReport } from "../../model/change.js";
import { DRIFT_SIDES, whereOf, type Callout, type PortalReport } from "../../model/portal.js";
import { oneLine, shortened } from "../../../lib/text.js";
import { changesLines } from "./change.js";
import { failureText, helpLines } from "../diagnostic.js";
import { noteLines, type Looks } from "./difference.js";
import { plainly, said } from "../flow.js";
import type { Paint } from "../paint.js";
import { widthOf } from "../width.js";

const LONGEST_TITLE = 100;

export function portalText(report: PortalReport, looks: Looks): string {
  const { result, isDrift, basis, remarks } = report;
  const { paint } = looks;
  const beside = isDrift ? remarks : result.plan ? basis : [];
  const head = [
    titleOf(result, paint),
    ...beside.flatMap((line) => said(oneLine(line), paint.dim, "  ", looks)),
  ];
  const sides = isDrift ? DRIFT_SIDES : undefined;
  const changes = report.changes.map((change) => reportChange(change, report.isDone));
  return bodyText(head, { ...report, changes, sides, sends: requestLines(report, looks) }, looks);
}

interface Body extends Pick<PortalReport, "notes" | "guards" | "opening" | "callouts"> {
  readonly changes: readonly ChangeReport[];
  /** Above the changes, where no plan tells which side is which. */
  readonly sides?: string | undefined;
  readonly sends?: readonly string[];
}

/** What is told below a heading, a paragraph each. */
export function bodyText(head: readonly string[], body: Body, looks: Looks): string {
  const { notes, changes, sides, sends = [], callouts } = body;
  const paragraphs = [
    head,
    noteLines(notes, "  ", looks),
    [
      ...(sides !== undefined && changes.length > 0 ? [looks.paint.dim(`  ${sides}`)] : []),
      ...changesLines(changes, looks),
    ],
    sends,
    guardLines(body, looks),
    ...callouts.map((callout) => calloutLines(withoutTwice(callout, body), looks)),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

/** Its name and where it is, and perhaps a word on it; below each other where the terminal is too narrow. */
export function titleOf(
  { portal }: Pick<PortalResult, "portal">,
  paint: Paint,
  word?: string,
): string {
  const [name = "", where = ""] = [portal.name, whereOf(portal)].map((text) =>
    oneLine(shortened(text, LONGEST_TITLE)),
  );
  const parts = [
    paint.bold(name),
    ...[where, word].flatMap((each) => (each ? paint.dim(each) : [])),
  ];
  const width = widthOf([name, where, word].filter(Boolean).join("  "));
  return parts.join(width <= paint.width ? "  " : "\n  ");
}

function requestLines({ request, changes, isDone }: PortalReport, looks: Looks): string[] {
  if (!request || isDone || changes.length === 0) return [];
  const { names, left, settings } = request;
  const sent = names.map(oneLine).join(", ") + (left > 0 ? ` and ${left} more` : "");
  const what = settings ? sent : "nothing; only the state is written";
  return said(`sends: ${what}`, looks.paint.dim, "  ", looks);
}

function guardLines({ guards, opening }: Body, looks: Looks): string[] {
  const { paint } = looks;
  const width = Math.max(0, ...guards.map(({ name }) => name.length));
  const indent = " ".repeat(width + 6);
  const lines = guards.flatMap(({ name, message, isOpen, opened }) => {
    const [mark, colour] = isOpen ? ["✓", paint.green] : ["✗", paint.red];
    const [first = "", ...more] = said(oneLine(message), plainly, indent, looks);
    return [
      `  ${colour(`${mark} ${name.padEnd(width)}`)}  ${first.trimStart()}`,
      ...more,
      ...(opened ? said(oneLine(opened), paint.dim, indent, looks) : []),
    ];
  });
  if (!opening) return lines;
  const { keeping, help } = opening;
  const helps = [...(keeping ? [`${keeping.text}\n  ${keeping.pull}`] : []), help];
  const told = helps.flatMap((each) => helpLines(each, paint, "    ", looks.width));
  return [`  ${paint.yellow("Blocked by guards:")}`, ...lines, ...told];
}

/** What a guard says, and what allows it, is shown with the guards. */
function withoutTwice(callout: Callout, { opening, guards }: Body): Callout {
  if (!opening || callout.code !== "guarded") return callout;
  const message = guards.reduce(
    (text, each) => text.replace(` ${each.message}`, ""),
    callout.message,
  );
  return { ...callout, message, help: "" };
}

function calloutLines(callout: Callout, looks: Looks): string[] {
  const { kind, title, message, help } = callout;
  const { paint, width } = looks;
  if (kind === "failed") return failureText(callout, paint).trimEnd().split("\n");
  const text = oneLine(kind === "unfit" ? `${title}. ${message}` : message);
  return [...said(text, paint.yellow, "  ", looks), ...helpLines(help, paint, "    ", width)];
}
