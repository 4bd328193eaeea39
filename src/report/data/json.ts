// An outcome → the JSON document that every command has on every path. It only grows.
import type { Diagnostic } from "../../diagnostic.js";
import { printJson } from "../../lib/json.js";
import type { Outcome } from "../../outcome.js";

/** Piece by piece: what is told of many portals is long. */
export function* jsonPieces(outcome: Outcome): Generator<string> {
  const { command, exit, diagnostics, failure, portals, more } = outcome;
  const document = {
    formatVersion: 1,
    command,
    exitCode: exit,
    diagnostics: diagnostics.map(jsonOf),
    failure: failureJson(failure),
    ...(portals && { portals: [] }),
    ...more,
  };
  const text = `${printJson(document, 2)}\n`;
  if (!portals?.length) {
    yield text;
    return;
  }
  // No text holds a line end as it is, so that only the list itself can stand on a line of its own.
  const opening = '\n  "portals": [';
  const at = text.indexOf(`${opening}]`) + opening.length;
  yield text.slice(0, at);
  for (const [index, portal] of portals.entries()) {
    yield `${index > 0 ? "," : ""}\n${portal()}`.replaceAll("\n", "\n    ");
  }
  yield `\n  ${text.slice(at)}`;
}

export function failureJson(failure: Outcome["failure"] | null) {
  return failure
    ? { code: failure.code, message: failure.message, help: failure.help ?? null }
    : null;
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
    related: related.map(({ place: { file, line, column }, message }) => ({
      file,
      line,
      column,
      message,
    })),
  };
}
