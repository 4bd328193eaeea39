// Combines the results of a run's portals into the command's result, with all reports for plans.
import type { Diagnostic } from "../diagnostic.js";
import { EXIT } from "../failure.js";
import { rollUp, type NamedFolder, type Outcome, type Sends } from "../outcome.js";
import { isSkipped, sendsIn, summarise, type PortalResult } from "../plan/result.js";
import { portalJson } from "../report/json-report.js";
import { endFailures, endReport, planReport, quietReport } from "../report/plan-report.js";
import { otherProblems } from "../report/portal-entry.js";
import type { Styles } from "../report/styles.js";
import { problemsAbove } from "./result.js";
import type { Result } from "../commands/command.js";

export interface About {
  readonly command: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The named folders, for commands that concern all of their files. */
  readonly folders?: readonly NamedFolder[];
  /** Whether the plans were already shown, so that only the end is reported. */
  readonly isShown?: boolean;
  /** Whether pending changes have their own exit status. */
  readonly isDetailed?: boolean;
  /** Plans that cannot be applied, although no option asked for such plans. */
  readonly unfit?: readonly PortalResult[];
}

export function resultOfPortals(results: readonly PortalResult[], about: About): Result {
  const { command, files, diagnostics, isShown = false, isDetailed = false, unfit = [] } = about;
  const plans = results.flatMap(({ plan }) => plan ?? []);
  // If a portal has no plan, the sum would be incomplete.
  const isWhole = results.every((each) => each.plan !== null || isSkipped(each));
  const exits = results.map(({ exit, status }) =>
    isDetailed && exit === EXIT.done && status === "changes" ? EXIT.pending : exit,
  );
  const outcome: Outcome = {
    command,
    exit: rollUp(exits),
    diagnostics,
    files,
    portals: results.map(portalJson),
    ...(isWhole && { sends: sumOf(plans.map(sendsIn)) }),
    more: { summary: { ...summarise(results) } },
  };
  const inReports = { ...outcome, diagnostics: withoutDeprecated(diagnostics) };
  return {
    outcome,
    quiet: (styles) => {
      const texts = isShown
        ? endFailures(results, styles, about)
        : [quietReport(results, styles, { ...about, unfit })];
      const others = otherProblems(inReports.diagnostics, isShown ? [] : results);
      return problemsAbove({ files, diagnostics: others }, styles) + texts.join("\n");
    },
    text: (styles) =>
      isShown ? endReport(results, styles, about) : plansText(results, about, styles),
    markdown: async () => {
      const { markdownReport } = await import("../report/markdown-report.js");
      return markdownReport(results, inReports);
    },
    html: async (made) => {
      const { htmlReport } = await import("../report/html-report.js");
      return htmlReport(results, inReports, made);
    },
  };
}

/** The plans for a terminal, below the problems of the files. */
export function plansText(
  results: readonly PortalResult[],
  { files, diagnostics, folders }: Pick<About, "files" | "diagnostics" | "folders">,
  styles: Styles,
): string {
  const problems = withoutDeprecated(diagnostics).filter(({ severity }) => severity !== "notice");
  const others = otherProblems(problems, results);
  const above = problemsAbove({ files, diagnostics: others }, styles);
  return above + planReport(results, styles, { diagnostics: problems, files, folders });
}

function sumOf(all: readonly Sends[]): Sends {
  const sum = { create: 0, update: 0, delete: 0 };
  for (const sends of all) {
    sum.create += sends.create;
    sum.update += sends.update;
    sum.delete += sends.delete;
  }
  return sum;
}

/** A plan notes deprecated settings that it changes; validate warns about all others. */
function withoutDeprecated(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => code !== "deprecated" || severity === "error");
}
