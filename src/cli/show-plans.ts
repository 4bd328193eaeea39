// Prints plans on standard error, before a question about them, so that a report on standard output stays a report.
import type { ParsedArguments } from "../commands/command.js";
import { openTelling } from "../commands/result/portals.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Io } from "../io.js";
import type { PortalResult } from "../plan/result.js";

export function showPlans(
  results: readonly PortalResult[],
  diagnostics: readonly Diagnostic[],
  { stderr }: Io,
  { paint }: Pick<ParsedArguments, "paint">,
): void {
  const telling = openTelling({ destinations: [{ format: "text" }], paint }, results.length);
  const told = results.map((each) => telling.tell(each));
  const files = results.map(({ file }) => file);
  for (const piece of telling.text(told, { files, diagnostics }, paint)) stderr.write(piece);
  stderr.write("\n");
}
