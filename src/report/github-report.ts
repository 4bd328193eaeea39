// Prints diagnostics as workflow commands, which GitHub shows beside the lines of a pull request.
import type { Diagnostic } from "../diagnostic.js";
import type { Outcome } from "../outcome.js";
import { counted, visible } from "../lib/text.js";

/** Of each severity; GitHub shows no more of a step, and says nothing of the others. */
const MOST = 10;

export function githubReport({ command, diagnostics, failure, why }: Outcome): string {
  const kinds = ["error", "warning", "notice"] as const;
  const last = why === undefined ? [] : [`::error title=lintel ${command}::${escapeData(why)}`];
  const lines = kinds.flatMap((severity) => {
    const found = diagnostics.filter((each) => each.severity === severity).map(lineOf);
    const failed = failure && severity === "error" ? [failureLine(failure)] : [];
    const room = MOST - failed.length;
    if (found.length <= room) return [...failed, ...found];
    const shown = found.slice(0, room - 1);
    const left = counted(found.length - shown.length, `more ${severity}`);
    const text = `${left} beside those shown here; the text report has them all.`;
    return [...failed, ...shown, `::${severity} title=${escapeProperty(left)}::${text}`];
  });
  return [...lines, ...last].map((line) => `${line}\n`).join("");
}

function lineOf(each: Diagnostic): string {
  return `::${each.severity} ${propertiesOf(each)}::${escapeData(`${each.message}\n${each.help}`)}`;
}

function failureLine({ code, message }: NonNullable<Outcome["failure"]>): string {
  return `::error title=${escapeProperty(code)}::${escapeData(message)}`;
}

function propertiesOf({ file, place, code }: Diagnostic): string {
  // A column range is only understood within one line.
  const isOneLine = place && place.line === place.endLine;
  return [
    `file=${escapeProperty(file.replaceAll("\\", "/"))}`,
    ...(place ? [`line=${place.line}`, `endLine=${place.endLine}`] : []),
    ...(isOneLine ? [`col=${place.column}`, `endColumn=${place.endColumn}`] : []),
    `title=${escapeProperty(code)}`,
  ].join(",");
}

function escapeData(text: string): string {
  return visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
