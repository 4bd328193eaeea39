// Diagnostics and failures → text for a terminal: what is wrong, the line with a marker, what to do.
import { formatPlace, severitiesIn, type Diagnostic, type Place } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { formatSpot } from "../../settings.js";
import { counted, oneLine, visible } from "../../lib/text.js";
import { elsewhereText, problemsAlike } from "../model/problems.js";
import { flow, painted, plainly, said, type Piece } from "./flow.js";
import type { Paint } from "./paint.js";
import { widthOf } from "./width.js";

const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** One paragraph a diagnostic, or for many files that say the same wrong thing; the counts last. */
export function checkText(
  { diagnostics, files = [] }: Pick<Outcome, "diagnostics" | "files">,
  paint: Paint,
): string {
  const paragraphs = problemsAlike(diagnostics).flatMap(([first, ...more]) =>
    first ? [diagnosticText(first, paint, more)] : [],
  );
  return [...paragraphs, `${summaryText(diagnostics, files, paint)}\n`].join("\n");
}

export function failureText(
  { message, code = "", help = "" }: { message: string; code?: string; help?: string | undefined },
  paint: Paint,
  word: "error" | "warning" | "skipped" = "error",
): string {
  const colour = word === "error" ? paint.red : paint.yellow;
  const pieces = [
    { text: word, paint: (text: string) => colour(paint.bold(text)) },
    { text: `: ${oneLine(message)} `, paint: plainly },
    { text: `[${code}]`, paint: paint.dim },
  ];
  return [...headLines(pieces, paint), ...helpLines(help, paint), ""].join("\n");
}

/** The first line wrapped; those below it are to be copied and stay as they are. */
export function helpLines(
  help: string,
  paint: Paint,
  indent = "  ",
  width = paint.messageWidth,
): string[] {
  if (help === "") return [];
  const left = " ".repeat(`${indent}help: `.length);
  const [first = "", ...more] = said(help, plainly, left, { width });
  return [`${indent}${paint.cyan("help:")} ${first.slice(left.length)}`, ...more];
}

/** `more` say the same elsewhere. */
function diagnosticText(each: Diagnostic, paint: Paint, more: readonly Diagnostic[]): string {
  const { severity, message, code, related, help } = each;
  const colour = paint[COLOURS[severity]];
  const pieces = [
    { text: oneLine(formatPlace(each)), paint: paint.bold },
    { text: ": ", paint: plainly },
    { text: severity, paint: colour },
    { text: `: ${oneLine(message)} `, paint: plainly },
    { text: `[${code}]`, paint: paint.dim },
  ];
  return [
    ...headLines(pieces, paint),
    ...excerptLines(each, paint),
    ...related.flatMap(({ place, message }) =>
      said(oneLine(`${formatSpot(place)} ${message}`), paint.dim, "  ", {
        width: paint.messageWidth,
      }),
    ),
    ...(more.length > 0 ? said(elsewhereText(more), paint.dim, "  ", paint) : []),
    ...helpLines(help, paint),
    "",
  ].join("\n");
}

/** Programs look for the whole of it on one line, and a terminal has a width. */
function headLines(pieces: readonly Piece[], { messageWidth }: Paint): string[] {
  return flow(pieces, messageWidth).map(painted);
}

function excerptLines({ place, severity }: Diagnostic, paint: Paint): string[] {
  if (!place) return [];
  const { text, from, to } = inView(place.excerpt, paint.messageWidth - "      | ".length);
  // Tabs stay tabs, so that the marker stands below what it marks however wide the terminal draws them.
  const indent = visible(text.slice(0, from)).replace(/[^\t]+/g, (part) =>
    " ".repeat(widthOf(part)),
  );
  const marker = "^".repeat(Math.max(1, widthOf(visible(text.slice(from, to)))));
  return [
    `${paint.dim(`${String(place.line).padStart(5)} |`)} ${visible(text)}`,
    `${paint.dim("      |")} ${indent}${paint[COLOURS[severity]](marker)}`,
  ];
}

/** The part of a line that a terminal has room for, with what is marked in it. */
function inView({ text, from, to }: Place["excerpt"], width: number): Place["excerpt"] {
  if (widthOf(visible(text)) <= width) return { text, from, to };
  const before = Math.max(0, Math.min(from - Math.floor(width / 3), text.length - width + 1));
  const start = before < 2 ? 0 : before;
  const [head, room] = start === 0 ? ["", width - 1] : ["…", width - 2];
  const end = start + room;
  const shown = head + text.slice(start, end) + (end < text.length ? "…" : "");
  const within = (offset: number) => Math.min(offset - start + head.length, shown.length);
  return { text: shown, from: within(from), to: Math.max(within(from), within(to)) };
}

function summaryText(diagnostics: readonly Diagnostic[], files: readonly string[], paint: Paint) {
  const where = files.length === 1 ? visible(files[0] ?? "") : counted(files.length, "file");
  const counts = severitiesIn(diagnostics).map(({ kind, count }) =>
    paint[COLOURS[kind]](counted(count, kind)),
  );
  if (counts.length === 0) return paint.green(`${where}: no problems.`);
  return `${where}: ${counts.join(", ")}.`;
}
