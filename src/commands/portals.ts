// What became of a run's portals → the command's result, in every report that plans have.
import type { Diagnostic } from "../diagnostic.js";
import { rollUp, type Outcome } from "../outcome.js";
import { EXIT } from "../failure.js";
import type { PortalResult } from "../plan/result.js";
import { portalsJson } from "../report/plan-json.js";
import { endText, planText } from "../report/plan-text.js";
import { checkText } from "../report/text.js";
import type { Result } from "./command.js";

export interface Portals {
  readonly command: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly PortalResult[];
  /** Whether somebody has seen the plans already, and need only be told how it ended. */
  readonly isShown?: boolean;
  /** Whether changes that were not carried out have an exit status of their own. */
  readonly isDetailed?: boolean;
}

export function resultOfPortals(portals: Portals): Result {
  const { command, files, diagnostics, results, isShown = false, isDetailed = false } = portals;
  const exits = results.map(({ exit, status }) =>
    isDetailed && exit === EXIT.done && status === "changes" ? EXIT.pending : exit,
  );
  const outcome: Outcome = {
    command,
    exit: rollUp(exits),
    diagnostics,
    files,
    more: portalsJson(results),
  };
  const shown = outcome.diagnostics.filter(({ severity }) => severity !== "notice");
  return {
    outcome,
    text: (paint) =>
      (shown.length > 0 && !isShown
        ? `${checkText({ ...outcome, diagnostics: shown }, paint)}\n`
        : "") + (isShown ? endText(results, paint) : planText(results, paint)),
    markdown: async () => {
      const { markdownReport } = await import("../report/markdown.js");
      return markdownReport(results, outcome);
    },
    html: async (made) => {
      const { htmlReport } = await import("../report/html.js");
      return htmlReport(results, outcome, made);
    },
  };
}
