// An outcome's diagnostics → workflow commands, which GitHub shows beside the lines of a pull request.
import type { Diagnostic } from "../../diagnostic.js";
import type { Outcome } from "../../outcome.js";
import { visible } from "../../text.js";

export function githubReport({ diagnostics, failure }: Outcome): string {
  const lines = diagnostics.map(
    (each) =>
      `::${each.severity} ${propertiesOf(each)}::${escapeData(`${each.message}\n${each.help}`)}`,
  );
  if (failure)
    lines.push(`::error title=${escapeProperty(failure.code)}::${escapeData(failure.message)}`);
  return lines.map((line) => `${line}\n`).join("");
}

function propertiesOf({ file, place, code }: Diagnostic): string {
  // A column range is only understood within one line.
  const isOneLine = place && place.line === place.endLine;
  return [
    `file=${escapeProperty(file)}`,
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
