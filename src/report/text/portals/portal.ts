// What is told of a portal → its paragraph for a terminal: what it was compared with, its changes, and what stops it.
import type { PortalResult } from "../../../plan/result.js";
import {
  DRIFT_SIDES,
  reportDrift,
  whereOf,
  type Callout,
  type PortalDrift,
  type PortalReport,
} from "../../model/portal.js";
import { driftVerdictOf } from "../../model/verdict.js";
import { oneLine, shortened } from "../../../text.js";
import { changesLines } from "./change.js";
import { failureText, helpLines } from "../diagnostic.js";
import { noteLines, type Looks } from "./difference.js";
import { plainly, said } from "../flow.js";
import type { Paint } from "../paint.js";
import { widthOf } from "../width.js";

const LONGEST_TITLE = 100;

export function portalText(report: PortalReport, looks: Looks): string {
  const { result, isDrift, basis, remarks, notes, changes, callouts } = report;
  const { paint } = looks;
  const beside = isDrift ? remarks : result.plan ? basis : [];
  const paragraphs = [
    [
      titleOf(result, paint),
      ...beside.flatMap((line) => said(oneLine(line), paint.dim, "  ", looks)),
    ],
    noteLines(notes, "  ", looks),
    [
      ...(isDrift && changes.length > 0 ? [paint.dim(`  ${DRIFT_SIDES}`)] : []),
      ...changesLines(changes, looks),
    ],
    requestLines(report, looks),
    guardLines(report, looks),
    ...callouts.map((callout) => calloutLines(callout, looks)),
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

/** What somebody else changed on portals, portal by portal, counts last. */
export function driftText(portals: readonly PortalDrift[], paint: Paint): string {
  const isFine = ({ result, drifts }: PortalDrift) => drifts.length === 0 && !result.failure;
  const looks = { paint, width: paint.width, isFull: false };
  return [
    ...(portals.every(isFine) ? [`${paint.green("No drift.")}\n`] : []),
    ...portals
      .filter((each) => !isFine(each) || each.remark !== undefined)
      .map((each) => portalText(reportDrift(each, paint.time), looks)),
    `${said(driftVerdictOf(portals), paint.bold, "", paint).join("\n")}\n`,
  ].join("\n");
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

function guardLines({ guards, opening }: PortalReport, looks: Looks): string[] {
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
  const help = helpLines(opening.help, paint, "    ", looks.width);
  return [`  ${paint.yellow("Stopped by guards:")}`, ...lines, ...help];
}

function calloutLines(callout: Callout, looks: Looks): string[] {
  const { kind, title, message, help } = callout;
  const { paint, width } = looks;
  if (kind === "failed") return failureText(callout, paint).trimEnd().split("\n");
  const text = oneLine(kind === "unfit" ? `${title}. ${message}` : message);
  return [...said(text, paint.yellow, "  ", looks), ...helpLines(help, paint, "    ", width)];
}
