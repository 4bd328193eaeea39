// Writes the reports of a command to the destinations of --output.
import { resolve } from "node:path";
import packageFacts from "../../package.json" with { type: "json" };
import type { Destination, Format, Result } from "../commands/command.js";
import { EXIT, wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import type { Syntax } from "../lib/log-commands.js";
import type { Outcome } from "../outcome.js";
import { PLAIN, type Styles } from "../report/styles.js";
import { visibleJson } from "../lib/text.js";

const SYNTAXES: Readonly<Record<Format, Syntax>> = {
  text: "text",
  json: "json",
  jsonl: "json",
  sarif: "json",
  junit: "markup",
  github: "annotations",
  gitlab: "json",
  "gitlab-plan": "json",
  markdown: "text",
  html: "markup",
};

/** Fails before the run starts if a report cannot be written. */
export async function assertPlaces(destinations: readonly Destination[], io: Io): Promise<void> {
  const files = destinations.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return;
  const { assertPlaceFor } = await import("./write-report.js");
  for (const file of files) assertPlaceFor(file, io);
}

export async function writeReports(
  result: Result,
  destinations: readonly Destination[],
  io: Io,
  terminal: Styles,
  { isQuiet = false, inputs = result.outcome.inputs ?? result.outcome.files ?? [] } = {},
): Promise<void> {
  const { outcome } = result;
  const hasNothing = isQuiet && outcome.exit === EXIT.done && outcome.diagnostics.length === 0;
  // Files first: if one cannot be written, standard output must not show success.
  const inOrder = destinations.toSorted(
    (one, other) => Number(one.file === undefined) - Number(other.file === undefined),
  );
  for (const { format, file } of inOrder) {
    // With --quiet, there may still be warnings to print.
    if (format === "text" && hasNothing && !result.quiet?.(terminal)) continue;
    const styles = file === undefined ? terminal : PLAIN;
    const text = await formatReport(format, result, io, styles, isQuiet);
    const syntax = SYNTAXES[format];
    // A terminal may obey characters that JSON does not escape, such as U+009B.
    const report = syntax === "json" ? visibleJson(text) : text;
    if (file === undefined) io.stdout.write(report, syntax);
    else {
      assertNoInput(file, inputs, io);
      const { writeReport } = await import("./write-report.js");
      await writeReport(file, report, io, syntax);
    }
  }
}

export async function formatReport(
  format: Format,
  result: Result,
  io: Io,
  styles: Styles,
  isQuiet = false,
): Promise<string> {
  const { outcome } = result;
  switch (format) {
    case "text":
      return isQuiet && result.quiet ? result.quiet(styles) : result.text(styles);
    case "json":
      return result.json?.() ?? (await import("../report/json-report.js")).jsonReport(outcome);
    case "jsonl":
      // A failed run has its document on one line.
      return result.jsonl?.() ?? (await import("../report/json-report.js")).jsonReport(outcome, 0);
    case "sarif":
      return await sarif(outcome);
    case "junit":
      return (await import("../report/junit-report.js")).junitReport(outcome);
    case "github":
      return (await import("../report/github-report.js")).githubReport(outcome);
    case "gitlab":
      return (await import("../report/gitlab-report.js")).gitlabReport(outcome);
    case "gitlab-plan":
      return (await import("../report/gitlab-report.js")).gitlabPlanReport(outcome);
    case "markdown":
      return result.markdown
        ? await result.markdown()
        : (await import("../report/markdown-report.js")).markdownReport([], outcome);
    case "html": {
      const { madeBy } = await import("./report-origin.js");
      const made = await madeBy(io, outcome);
      return result.html
        ? await result.html(made)
        : (await import("../report/html-report.js")).htmlReport([], outcome, made);
    }
    default:
      throw format satisfies never;
  }
}

/** A mistyped --output must not overwrite an input file. */
function assertNoInput(file: string, files: readonly string[], { cwd }: Io): void {
  if (!files.some((each) => resolve(cwd, each) === resolve(cwd, file))) return;
  throw wrongUsage(
    `The report would take the place of "${file}", which it is about.`,
    "Name another file for it.",
  );
}

/** Only this report needs the descriptions of rules. */
async function sarif(outcome: Outcome): Promise<string> {
  const { sarifReport } = await import("../report/sarif-report.js");
  const { ruleNamed: ruleOf } = await import("../commands/explain/guard-or-rule.js");
  return sarifReport(outcome, { ...packageFacts, ruleOf });
}
