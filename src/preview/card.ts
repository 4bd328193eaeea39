// Computes the preview of a checked file: its problems, its settings in words, and its home pages.
import type { Checked, Purpose } from "../document/check/check.js";
import { desiredOf } from "../document/read/desired.js";
import { desiredAt } from "../document/schedule/at.js";
import { hasErrors, problemsIn, type Diagnostic } from "../diagnostic.js";
import { toText } from "../lib/html.js";
import { renderProblems } from "../lib/html-problems.js";
import type { JsonObject } from "../lib/json.js";
import type { Schedule } from "../schedule.js";
import { withLeaf } from "../settings.js";
import type { Card, Homes } from "./client/updates.js";
import { renderFacts } from "./facts.js";
import type { Visit } from "./home.js";

/** A home page can be drawn without the portal's address. */
export const ANYWHERE: Purpose = { mayLackPortal: true };

/** For settings that the file does not set. */
const UNMANAGED = "unknown, as this file does not manage them.";

export interface Preview extends Pick<Visit, "name" | "settings" | "unsaid"> {
  /** At the shown moment; absent if the file has none. */
  readonly schedule?: Schedule;
}

/** At a moment in milliseconds since 1970; undefined for a file with errors. */
export function previewOf({ file, root, diagnostics }: Checked, atMs: number): Preview | undefined {
  if (!root || hasErrors(diagnostics)) return undefined;
  const { leaves, schedule } = desiredAt(root, atMs);
  const settings = leaves.reduce<JsonObject>(withLeaf, {});
  const { name } = desiredOf(file, root).portal;
  return { name, settings, unsaid: UNMANAGED, ...(schedule && { schedule }) };
}

/** `last` is the last content without errors, which is the current one unless it has errors. */
export function cardOf(
  { file, diagnostics }: Checked,
  last: Preview | undefined,
  homes: Homes | undefined,
): Card {
  const isWrong = hasErrors(diagnostics);
  const shown = last ? " Showing what the file said before." : " Nothing to show yet.";
  return {
    file: file === "-" ? "standard input" : file,
    status: `${problemsIn(diagnostics) || "No problems"}.${isWrong ? shown : ""}`,
    isWrong,
    problems: listOf(diagnostics.filter(({ severity }) => severity === "error")),
    warnings: listOf(diagnostics.filter(({ severity }) => severity !== "error")),
    facts: last ? toText(renderFacts(last, isWrong)) : "",
    homes: homes ?? null,
  };
}

function listOf(problems: readonly Diagnostic[]): string {
  return problems.length > 0 ? toText(renderProblems(problems)) : "";
}
