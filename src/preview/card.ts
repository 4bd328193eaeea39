// What there is to see of a file, and what was seen last → all that the preview's page shows of it, ready to be put in.
import type { Diagnostic, Severity } from "../diagnostic.js";
import { toText } from "../pages/html.js";
import type { Viewer } from "../pages/home.js";
import type { ANSWERS } from "../pages/notice.js";
import { renderProblems } from "../pages/problems.js";
import { renderFacts } from "./facts.js";
import type { Seen, Sight } from "./sight.js";

/** A home on this server, or the documents themselves by what the visitor answered. */
export type Home =
  | { readonly address: string; readonly stamp: string }
  | Readonly<Partial<Record<"asked" | (typeof ANSWERS)[number], string>>>;

export type Homes = Readonly<Record<Viewer, Home>>;

// Types and no interfaces, because they travel as JSON.
export type Card = {
  readonly file: string;
  readonly status: string;
  /** The file has errors; what is shown is what it said before them. */
  readonly isWrong: boolean;
  /** HTML: what keeps the home from being shown, and what does not. */
  readonly problems: string;
  readonly warnings: string;
  readonly facts: string;
  /** null where the file has not been right yet. */
  readonly homes: Homes | null;
  /** Absent where no portal is looked at. */
  readonly live?: LiveCard;
};

export type LiveCard = {
  /** HTML: why there is nothing to show of the portal. */
  readonly note: string;
  readonly homes: Homes | null;
};

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
