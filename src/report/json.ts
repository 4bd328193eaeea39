// An outcome → the JSON document that every command has on every path. It only grows.
import type { Diagnostic } from "../diagnostic.js";
import type { Outcome } from "../outcome.js";

export function jsonReport(outcome: Outcome): string {
  const { command, exit, diagnostics, failure, more } = outcome;
  const document = {
    formatVersion: 1,
    command,
    exitCode: exit,
    diagnostics: diagnostics.map(jsonOf),
    failure: failure ? { ...failure, help: failure.help ?? null } : null,
    ...more,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function jsonOf({ code, severity, message, help, file, place, related }: Diagnostic) {
  return {
    code,
    severity,
    message,
    help,
    file,
    line: place?.line ?? null,
    column: place?.column ?? null,
    endLine: place?.endLine ?? null,
    endColumn: place?.endColumn ?? null,
    related: related.map((each) => ({
      file: each.place.file,
      line: each.place.line,
      column: each.place.column,
      message: each.message,
    })),
  };
}
