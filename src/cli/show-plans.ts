// Prints plans on standard error, before a question about them, so that a report on standard output stays a report.
import type { ParsedArguments } from "../commands/command.js";
import { plansText } from "./portals-result.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Io } from "../io.js";
import type { PortalResult } from "../plan/result.js";

export function showPlans(
  results: readonly PortalResult[],
  diagnostics: readonly Diagnostic[],
  { stderr }: Io,
  { paint }: Pick<ParsedArguments, "paint">,
): void {
  const files = results.map(({ file }) => file);
  stderr.write(`${plansText(results, { files, diagnostics }, paint)}\n`);
}
