// What became of a run's portals → the command's result, in every report that plans have.
import type { Diagnostic } from "../../diagnostic.js";
import { rollUp, type Outcome } from "../../outcome.js";
import { EXIT } from "../../failure.js";
import { summarise, type PortalResult } from "../../plan/result.js";
import type { Paint } from "../../report/text/paint.js";
import { endText, planPieces } from "../../report/text/plan.js";
import { checkText } from "../../report/text/diagnostic.js";
import type { Result } from "../command.js";
import { whole, type Reported } from "./reported.js";

export interface About {
  readonly command: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether somebody has seen the plans already, and need only be told how it ended. */
  readonly isShown?: boolean;
  /** Whether changes that were not carried out have an exit status of their own. */
  readonly isDetailed?: boolean;
}

export interface Portals extends About {
  readonly results: readonly PortalResult[];
}

export function resultOfPortals({ results, ...about }: Portals): Result {
  return resultOfReported(results.map(whole), about);
}

export function resultOfReported(reported: readonly Reported[], about: About): Result {
  const { command, files, diagnostics, isShown = false, isDetailed = false } = about;
  const results = reported.map(({ rest }) => rest);
  const wholes = () => reported.flatMap((each) => each.whole ?? []);
  const exits = results.map(({ exit, status }) =>
    isDetailed && exit === EXIT.done && status === "changes" ? EXIT.pending : exit,
  );
  const outcome: Outcome = {
    command,
    exit: rollUp(exits),
    diagnostics,
    files,
    portals: reported.map((each) => () => each.json()),
    more: { summary: { ...summarise(results) } },
  };
  const told = { ...outcome, diagnostics: untold(diagnostics) };
  const shown = told.diagnostics.filter(({ severity }) => severity !== "notice");
  function* textPieces(paint: Paint): Generator<string> {
    if (shown.length > 0) yield `${checkText({ ...outcome, diagnostics: shown }, paint)}\n`;
    const paragraphs = reported.map((each) => () => each.text(paint));
    yield* planPieces(results, paragraphs, paint);
  }
  return {
    outcome,
    text: (paint) => (isShown ? endText(results, paint) : textPieces(paint)),
    markdown: async () => {
      const { markdownReport } = await import("../../report/markdown/markdown.js");
      return markdownReport(wholes(), told);
    },
    html: async (made) => {
      const { htmlReport } = await import("../../report/html/html.js");
      return htmlReport(wholes(), told, made);
    },
  };
}

/** A plan names by itself what is deprecated of that which it changes; of the rest, validate tells. */
export function untold(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => code !== "deprecated" || severity === "error");
}
