// Results, and parts of them, that several commands share.
import type { Diagnostic, Place } from "../diagnostic.js";
import { EXIT } from "../failure.js";
import { outcomeOfCheck } from "../outcome.js";
import { checkText } from "../report/problem-text.js";
import type { Added } from "../commands/documents.js";
import type { Styles } from "../report/styles.js";
import type { Result } from "../commands/command.js";

/** A successful result; `more` is for the JSON document. */
export function done<Name extends string>(
  command: Name,
  more: Added<Name>,
  text: (styles: Styles) => string,
): Result {
  return { outcome: { command, exit: EXIT.done, diagnostics: [], more: { ...more } }, text };
}

/** A result of problems in files only. */
export function checkResult(
  command: string,
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
): Result {
  const outcome = outcomeOfCheck(command, files, diagnostics);
  return { outcome, text: (styles) => checkText(outcome, styles) };
}

/** The problems of files above another report; empty if there are none. */
export function problemsAbove(found: Parameters<typeof checkText>[0], styles: Styles): string {
  return found.diagnostics.length > 0 ? `${checkText(found, styles)}\n` : "";
}

export function placeJson({ file, line, column }: Place) {
  return { file, line, column };
}
