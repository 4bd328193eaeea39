// Computes what the preview's page shows of a checked file: its problems, its settings in words, and the homes that they make.
import type { Checked, Purpose } from "../document/check/check.js";
import { desiredOf } from "../document/read/desired.js";
import { desiredAt } from "../document/schedule/at.js";
import { hasErrors, problemsIn, type Diagnostic } from "../diagnostic.js";
import { toText } from "../lib/html.js";
import { renderProblems } from "../lib/html-problems.js";
import type { JsonObject } from "../lib/json.js";
import type { Schedule } from "../schedule.js";
import { withLeaf } from "../settings.js";
import type { Card, Homes } from "./client/news.js";
import { renderFacts } from "./facts.js";
import type { Visit } from "./home.js";

/** A home can be drawn without knowing where its portal is. */
export const ANYWHERE: Purpose = { mayLackPortal: true };

/** Where the settings of a file say nothing. */
const UNMANAGED = "unknown, as this file does not manage them.";

export interface Seen extends Pick<Visit, "name" | "settings" | "unsaid"> {
  /** At the moment that is shown; absent where the file has none. */
  readonly schedule?: Schedule;
}

/** As of a moment, in milliseconds since 1970; undefined for a file with errors. */
export function seenIn({ file, root, diagnostics }: Checked, atMs: number): Seen | undefined {
  if (!root || hasErrors(diagnostics)) return undefined;
  const { leaves, schedule } = desiredAt(root, atMs);
  const settings = leaves.reduce<JsonObject>(withLeaf, {});
  const { name } = desiredOf(file, root).portal;
  return { name, settings, unsaid: UNMANAGED, ...(schedule && { schedule }) };
}

/** `last`: what the file said when it was last right, which is now unless it has errors. */
export function cardOf(
  { file, diagnostics }: Checked,
  last: Seen | undefined,
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
