// One portal's plan → its paragraph for a terminal: what it was compared with, its changes, and what stops it.
import type { Change } from "../../plan/diff.js";
import type { Guard } from "../../plan/guard.js";
import type { Note } from "../../plan/note.js";
import type { Plan } from "../../plan/plan.js";
import type { PortalResult } from "../../plan/result.js";
import { formatPath } from "../../settings.js";
import { changeLines, columnsOf, rowOf } from "./change.js";
import { splitPath } from "../model/change.js";
import { plainly, type Looks } from "./difference.js";
import { flow, painted } from "./flow.js";
import { type Paint } from "./paint.js";
import { oneLine, shortened, visible } from "../../text.js";
import { failureText } from "./diagnostic.js";
import {
  basisOf,
  holdHelp,
  holdOf,
  notesBeside,
  noteText,
  openingHelp,
  openingText,
  sendsOf,
} from "../model/wording.js";

/** The width of what stands before a help. */
const HELP = " ".repeat("    help: ".length);

const LONGEST_TITLE = 100;

export function portalText(result: PortalResult, looks: Looks): string {
  const { file, status, plan, hold, failure } = result;
  const { paint } = looks;
  const sends = plan && !looks.isDone && plan.changes.length > 0 ? sendsOf(plan) : undefined;
  const paragraphs = [
    [
      titleOf(result, paint),
      ...(plan
        ? basisOf(file, plan).flatMap((line) => said(oneLine(line), paint.dim, "  ", looks))
        : []),
    ],
    plan ? noteLines(plan, looks) : [],
    plan && plan.changes.length > 0 ? changesLines(plan, looks) : [],
    sends ? said(sends, paint.dim, "  ", looks) : [],
    plan ? guardLines(plan.guards, file, looks) : [],
    // A failure that is about the hold says the same and more.
    hold && failure?.code !== "held"
      ? [
          ...said(oneLine(holdOf(hold, status, paint)), paint.yellow, "  ", looks),
          ...helpLines(holdHelp(hold, oneLine(file)) ?? "", looks),
        ]
      : [],
    plan?.reason
      ? [
          ...said(`This plan cannot be applied. ${plan.reason.message}`, paint.yellow, "  ", looks),
          ...helpLines(plan.reason.help, looks),
        ]
      : [],
    failure ? failureText(failure, paint).trimEnd().split("\n") : [],
  ];
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

export function titleOf(
  { portal: { name, url, id } }: Pick<PortalResult, "portal">,
  paint: Paint,
): string {
  const where = [url, ...(id === "self" ? [] : [`portal ${id}`])].filter(Boolean).join(" · ");
  const [shown, at] = [name, where].map((text) => oneLine(shortened(text, LONGEST_TITLE)));
  return `${paint.bold(shown ?? "")}  ${paint.dim(at ?? "")}`.trimEnd();
}

/** Aligned within a parameter; settings that are parameters themselves stand together. */
export function changesLines({ changes }: Pick<Plan, "changes">, looks: Looks): string[] {
  const groups: (readonly [name: string, Change[]])[] = [];
  for (const change of changes) {
    const [parameter, rest] = splitPath(change.path);
    const name = rest ? parameter : "";
    const last = groups.at(-1);
    if (last?.[0] === name) last[1].push(change);
    else groups.push([name, [change]]);
  }
  return groups.flatMap(([name, held]) => [
    ...(name ? [`  ${name}`] : []),
    ...groupLines(held, looks),
  ]);
}

function groupLines(changes: readonly Change[], looks: Looks): string[] {
  const rows = changes.map((change) => rowOf(change, looks));
  const columns = columnsOf(rows, looks);
  return rows.flatMap((row) => [
    ...changeLines(row, columns, looks),
    ...notesBeside(row.change).flatMap((note) =>
      said(noteText(note), colourOf(note, looks.paint), `${row.indent}    `, looks),
    ),
  ]);
}

/** Those of the plan as a whole, and those of settings that do not change. */
function noteLines({ notes }: Plan, looks: Looks): string[] {
  return notes.flatMap((note) => {
    const text = `${note.path ? `"${formatPath(note.path)}": ` : ""}${note.message}`;
    return said(text, colourOf(note, looks.paint), "  ", looks);
  });
}

/** What nobody may have meant stands out. */
function colourOf({ code }: Note, paint: Paint): (text: string) => string {
  const isUnmeant = code === "drift" || code === "deprecated" || code === "outcome-unknown";
  return isUnmeant ? paint.yellow : paint.dim;
}

function guardLines(guards: readonly Guard[], file: string, looks: Looks): string[] {
  const { paint } = looks;
  const help = openingHelp(guards, oneLine(file));
  const width = Math.max(0, ...guards.map(({ name }) => name.length));
  const lines = guards.flatMap((guard) => {
    const [mark, colour] = guard.isOpen ? ["✓", paint.green] : ["✗", paint.red];
    const indent = " ".repeat(width + 6);
    const [first = "", ...more] = said(oneLine(guard.message), plainly, indent, looks);
    const opened = openingText(guard);
    return [
      `  ${colour(`${mark} ${guard.name.padEnd(width)}`)}  ${first.trimStart()}`,
      ...more,
      ...(opened ? said(oneLine(opened), paint.dim, indent, looks) : []),
    ];
  });
  if (!help) return lines;
  return [`  ${paint.yellow("Guards stop the apply:")}`, ...lines, ...helpLines(help, looks)];
}

/** A sentence, wrapped; the lines below its first, which are to be copied, stay as they are. */
function said(
  text: string,
  colour: (text: string) => string,
  indent: string,
  { width }: Looks,
): string[] {
  const [first = "", ...more] = visible(text).split("\n");
  return [
    ...flow([{ text: first, paint: colour }], width - indent.length).map(
      (line) => indent + painted(line),
    ),
    ...more.map((line) => `${indent}${colour(line)}`),
  ];
}

function helpLines(help: string, { paint, width }: Looks): string[] {
  if (help === "") return [];
  const [first = "", ...more] = visible(help).split("\n");
  const wrapped = flow([{ text: first, paint: plainly }], width - HELP.length).map(painted);
  return [...wrapped, ...more].map((line, at) =>
    at === 0 ? `    ${paint.cyan("help:")} ${line}` : `${HELP}${line}`,
  );
}
