// Shows plans before the confirmation, to a person or to the program that runs the command.
import type { ParsedArguments } from "../commands/command.js";
import type { Run } from "./open-run.js";
import { untilInterrupted } from "./until-interrupted.js";
import { plansText } from "./portals-result.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Io } from "../io.js";
import { zoneOf } from "../lib/text.js";
import type { PortalResult } from "../plan/result.js";
import { portalJson } from "../report/json-report.js";

/** On standard error, so that standard output contains only the report. */
export function showPlans(
  results: readonly PortalResult[],
  diagnostics: readonly Diagnostic[],
  { io, folders }: Pick<Run, "io" | "folders">,
  { styles }: Pick<ParsedArguments, "styles">,
): void {
  const files = results.map(({ file }) => file);
  io.stderr.write(
    `${plansText(results, { files, diagnostics, folders }, styles.in(zoneOf(io)))}\n`,
  );
}

/** A JavaScript program may return any value; only true confirms. */
export async function isConfirmed(
  results: readonly PortalResult[],
  confirm: NonNullable<ParsedArguments["confirm"]>,
  io: Io,
): Promise<boolean> {
  const answer: unknown = await Promise.race([
    confirm(results.map(portalJson)),
    untilInterrupted(io),
  ]);
  io.signal.throwIfAborted();
  return answer === true;
}
