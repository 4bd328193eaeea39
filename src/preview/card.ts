// What there is to see of a file, and what was seen last → all that the preview's page shows of it, ready to be put in.
import type { Diagnostic, Severity } from "../diagnostic.js";
import type { Card, Homes } from "../pages/client/news.js";
import { toText } from "../pages/html.js";
import { renderProblems } from "../pages/problems.js";
import { renderFacts } from "./facts.js";
import type { Seen, Sight } from "./sight.js";

export function cardOf(
  { file, problems, seen }: Sight,
  last: Seen | undefined,
  homes?: Homes,
): Omit<Card, "live"> {
  return {
    file: file === "-" ? "standard input" : file,
    status: [
      counts(problems.map(({ severity }) => severity)) || "No problems",
      seen ? "" : last ? "Showing what the file said before" : "Nothing to show yet",
    ]
      .filter((each) => each !== "")
      .map((each) => `${each}.`)
      .join(" "),
    isWrong: !seen,
    problems: listOf(problems.filter(({ severity }) => severity === "error")),
    warnings: listOf(problems.filter(({ severity }) => severity !== "error")),
    facts: last ? toText(renderFacts(last, !seen)) : "",
    homes: homes ?? null,
  };
}

function listOf(problems: readonly Diagnostic[]): string {
  return problems.length > 0 ? toText(renderProblems(problems)) : "";
}

function counts(severities: readonly Severity[]): string {
  return (["error", "warning", "notice"] as const)
    .map((name) => ({ name, count: severities.filter((each) => each === name).length }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}${count === 1 ? "" : "s"}`)
    .join(", ");
}
