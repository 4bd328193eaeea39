// Prints plans on standard error, before a question about them, so that a report on standard output stays a report.
import type { ParsedArguments } from "../commands/command.js";
import type { Run } from "./open-run.js";
import { plansText } from "./portals-result.js";
import type { Diagnostic } from "../diagnostic.js";
import { zoneOf } from "../lib/text.js";
import type { PortalResult } from "../plan/result.js";

export function showPlans(
  results: readonly PortalResult[],
  diagnostics: readonly Diagnostic[],
  { io, folders }: Pick<Run, "io" | "folders">,
  { paint }: Pick<ParsedArguments, "paint">,
): void {
  const files = results.map(({ file }) => file);
  io.stderr.write(`${plansText(results, { files, diagnostics, folders }, paint.in(zoneOf(io)))}\n`);
}
