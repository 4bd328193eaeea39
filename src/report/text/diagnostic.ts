// Diagnostics and failures → text for a terminal: what is wrong, the line with a marker, what to do.
import { formatPlace, severitiesIn, type Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { formatSpot } from "../../settings.js";
import { counted, oneLine, visible } from "../../text.js";
import { plainly, said } from "./flow.js";
import { widthOf, type Paint } from "./paint.js";

const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** One paragraph a diagnostic, and the counts last. */
export function checkText(
  { diagnostics, files = [] }: Pick<Outcome, "diagnostics" | "files">,
  paint: Paint,
): string {
  const paragraphs = diagnostics.map((each) => diagnosticText(each, paint));
  return [...paragraphs, `${summaryText(diagnostics, files, paint)}\n`].join("\n");
}

export function failureText(
  { message, code = "", help = "" }: { message: string; code?: string; help?: string | undefined },
  paint: Paint,
): string {
  const head = `${paint.red(paint.bold("error"))}: ${oneLine(message)} ${paint.dim(`[${code}]`)}`;
  return [head, ...helpLines(help, paint), ""].join("\n");
}

/** The first line wrapped; those below it are to be copied and stay as they are. */
export function helpLines(help: string, paint: Paint, indent = "  ", width = Infinity): string[] {
  if (help === "") return [];
  const left = " ".repeat(`${indent}help: `.length);
  const [first = "", ...more] = said(help, plainly, left, { width });
  return [`${indent}${paint.cyan("help:")} ${first.slice(left.length)}`, ...more];
}

function diagnosticText(each: Diagnostic, paint: Paint): string {
  const { severity, message, code, related, help } = each;
  const colour = paint[COLOURS[severity]];
  return [
    `${paint.bold(oneLine(formatPlace(each)))}: ${colour(severity)}: ${oneLine(message)} ${paint.dim(`[${code}]`)}`,
    ...excerptLines(each, paint),
    ...related.map(
      ({ place, message }) => `  ${paint.dim(oneLine(`${formatSpot(place)} ${message}`))}`,
    ),
    ...helpLines(help, paint),
    "",
  ].join("\n");
}

function excerptLines({ place, severity }: Diagnostic, paint: Paint): string[] {
  if (!place) return [];
  const { text, from, to } = place.excerpt;
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

function summaryText(diagnostics: readonly Diagnostic[], files: readonly string[], paint: Paint) {
  const where = files.length === 1 ? visible(files[0] ?? "") : counted(files.length, "file");
  const counts = severitiesIn(diagnostics).map(({ kind, count }) =>
    paint[COLOURS[kind]](counted(count, kind)),
  );
  if (counts.length === 0) return paint.green(`${where}: no problems.`);
  return `${where}: ${counts.join(", ")}.`;
}
