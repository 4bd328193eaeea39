// Diagnostics and failures → text for a terminal: what is wrong, the line with a marker, what to do.
import type { Diagnostic, Severity } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { widthOf, type Paint } from "./paint.js";
import { counted, oneLine, visible } from "../../text.js";

/** One paragraph a diagnostic, and the counts last. */
export function checkText(
  { diagnostics, files = [] }: Pick<Outcome, "diagnostics" | "files">,
  paint: Paint,
): string {
  const paragraphs = diagnostics.map((each) => diagnosticText(each, paint));
  return [...paragraphs, `${summaryText(diagnostics, files, paint)}\n`].join("\n");
}

export function failureText(failure: NonNullable<Outcome["failure"]>, paint: Paint): string {
  const head = `${paint.red(paint.bold("error"))}: ${oneLine(failure.message)} ${paint.dim(`[${failure.code}]`)}`;
  return `${head}\n${failure.help ? helpText(failure.help, paint) : ""}`;
}

function diagnosticText(each: Diagnostic, paint: Paint): string {
  const { place, severity } = each;
  const at = place ? `${each.file}:${place.line}:${place.column}` : each.file;
  return [
    `${paint.bold(oneLine(at))}: ${colourOf(severity, paint)(severity)}: ${oneLine(each.message)} ${paint.dim(`[${each.code}]`)}\n`,
    place ? excerptText(each, paint) : "",
    ...each.related.map(
      ({ place, message }) =>
        `  ${paint.dim(oneLine(`${place.file}:${place.line}:${place.column} ${message}`))}\n`,
    ),
    helpText(each.help, paint),
  ].join("");
}

function excerptText({ place, severity }: Diagnostic, paint: Paint): string {
  if (!place) return "";
  const { text, from, to } = place.excerpt;
  const number = String(place.line).padStart(5);
  const before = visible(text.slice(0, from));
  // Tabs stay tabs, so that the marker stands below what it marks however wide the terminal draws them.
  const indent = before.replace(/[^\t]+/g, (part) => " ".repeat(widthOf(part)));
  const marker = "^".repeat(Math.max(1, widthOf(visible(text.slice(from, to)))));
  return [
    `${paint.dim(`${number} |`)} ${visible(text)}\n`,
    `${paint.dim("      |")} ${indent}${colourOf(severity, paint)(marker)}\n`,
  ].join("");
}

function helpText(help: string, paint: Paint): string {
  const [first = "", ...more] = visible(help).split("\n");
  return [`  ${paint.cyan("help:")} ${first}`, ...more.map((line) => `        ${line}`)]
    .map((line) => `${line}\n`)
    .join("");
}

function summaryText(
  diagnostics: readonly Diagnostic[],
  files: readonly string[],
  paint: Paint,
): string {
  const where = files.length === 1 ? visible(files[0] ?? "") : counted(files.length, "file");
  const counts = (["error", "warning", "notice"] as const)
    .map((severity) => ({
      severity,
      count: diagnostics.filter((each) => each.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => colourOf(severity, paint)(counted(count, severity)));
  if (counts.length === 0) return paint.green(`${where}: no problems.`);
  return `${where}: ${counts.join(", ")}.`;
}

function colourOf(severity: Severity, paint: Paint): (text: string) => string {
  const colour = { error: "red", warning: "yellow", notice: "cyan" } as const;
  return (text) => paint[colour[severity]](text);
}
