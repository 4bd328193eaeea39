// What there is to see of a file, and what was seen last → all that the preview's page shows of it, ready to be put in.
import { problemsIn, type Diagnostic } from "../diagnostic.js";
import type { Card, Homes } from "./client/news.js";
import { toText } from "../lib/html.js";
import { renderProblems } from "../lib/html-problems.js";
import { renderFacts } from "./facts.js";
import type { Seen, Sight } from "./sight.js";

export function cardOf(
  { file, problems, seen }: Sight,
  last: Seen | undefined,
  homes?: Homes,
): Omit<Card, "live"> {
  const shown = last ? " Showing what the file said before." : " Nothing to show yet.";
  return {
    file: file === "-" ? "standard input" : file,
    status: `${problemsIn(problems) || "No problems"}.${seen ? "" : shown}`,
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
