// What became of a run's portals → the command's result, in every report that plans have.
import type { Diagnostic } from "../../diagnostic.js";
import { EXIT } from "../../failure.js";
import { rollUp, type Outcome } from "../../outcome.js";
import type { Action, Change } from "../../plan/diff.js";
import { summarise, type PortalResult } from "../../plan/result.js";
import { portalJson } from "../../report/data/plan.js";
import { PLAIN, type Paint } from "../../report/text/paint.js";
import { endText, isShort, paragraphOf, planPieces } from "../../report/text/portals/plan.js";
import { problemsAbove } from "./result.js";
import type { Call, Result } from "../command.js";

/** A portal as the reports that were asked for tell of it; its plan is let go where they need no more of it. */
export interface Told {
  readonly rest: PortalResult;
  /** For the reports that weigh all portals against each other before they say anything of one. */
  readonly whole: PortalResult | undefined;
  text(paint: Paint): string;
  json(): string;
}

/** One for all, because there may be a million changes. */
const BARE = { path: [], before: null, after: null, place: null, notes: [] };
const BARE_CHANGES: Readonly<Record<Action, Change>> = {
  set: { ...BARE, action: "set" },
  default: { ...BARE, action: "default" },
  release: { ...BARE, action: "release" },
  adopt: { ...BARE, action: "adopt" },
};
const NOBODY = { name: "", url: "", id: "" };
const UNBOUND = {
  toolVersion: "",
  portal: NOBODY,
  state: null,
  live: null,
  desired: "",
  opened: [],
};

/** What counts and lists need of a result, so that the plans of thousands of portals can be let go. */
export function withoutDetails(result: PortalResult): PortalResult {
  const { plan } = result;
  if (!plan) return result;
  const changes = plan.changes.map(({ action }) => BARE_CHANGES[action]);
  const shut = { path: null, message: "", openedBy: null };
  const guards = plan.guards.map(({ name, isOpen }) => ({ ...shut, name, isOpen }));
  const none = { binding: UNBOUND, request: null, leaves: [], alsoSent: [], notes: [] };
  return { ...result, plan: { ...plan, ...none, changes, guards } };
}

/** Printed at once and kept as bytes, a tenth of what a plan takes. */
export function tell(
  result: PortalResult,
  { destinations, paint }: Pick<Call, "destinations" | "paint">,
  portals: number,
): Told {
  const isWhole = destinations.some(({ format }) => format === "markdown" || format === "html");
  const texts = new Map<Paint, Buffer>();
  let json: Buffer | undefined;
  for (const { format, file } of destinations) {
    const own = file === undefined ? paint : PLAIN;
    if (format === "json") json ??= Buffer.from(portalJson(result));
    if (format === "text" && !isShort(result, portals)) {
      texts.set(own, Buffer.from(paragraphOf(result, own)));
    }
  }
  return {
    rest: withoutDetails(result),
    whole: isWhole ? result : undefined,
    text: (own) => kept(texts.get(own)),
    json: () => kept(json),
  };
}

function kept(bytes: Buffer | undefined): string {
  if (!bytes) throw new TypeError("a report was not asked for");
  return bytes.toString();
}

export interface About {
  readonly command: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether somebody has seen the plans already, and need only be told how it ended. */
  readonly isShown?: boolean;
  /** Whether changes that were not carried out have an exit status of their own. */
  readonly isDetailed?: boolean;
}

export function resultOfPortals(told: readonly Told[], about: About): Result {
  const { command, files, diagnostics, isShown = false, isDetailed = false } = about;
  const results = told.map(({ rest }) => rest);
  const wholes = () => told.flatMap((each) => each.whole ?? []);
  const exits = results.map(({ exit, status }) =>
    isDetailed && exit === EXIT.done && status === "changes" ? EXIT.pending : exit,
  );
  const outcome: Outcome = {
    command,
    exit: rollUp(exits),
    diagnostics,
    files,
    portals: told.map((each) => () => each.json()),
    more: { summary: { ...summarise(results) } },
  };
  const inReports = { ...outcome, diagnostics: untold(diagnostics) };
  return {
    outcome,
    text: (paint) =>
      isShown ? endText(results, paint) : plansText(told, { files, diagnostics }, paint),
    markdown: async () => {
      const { markdownReport } = await import("../../report/markdown/markdown.js");
      return markdownReport(wholes(), inReports);
    },
    html: async (made) => {
      const { htmlReport } = await import("../../report/html/html.js");
      return htmlReport(wholes(), inReports, made);
    },
  };
}

/** Under what is wrong with the files. */
export function* plansText(
  told: readonly Told[],
  { files, diagnostics }: Pick<About, "files" | "diagnostics">,
  paint: Paint,
): Generator<string> {
  const problems = untold(diagnostics).filter(({ severity }) => severity !== "notice");
  yield problemsAbove({ files, diagnostics: problems }, paint);
  const results = told.map(({ rest }) => rest);
  const paragraphs = told.map((each) => () => each.text(paint));
  yield* planPieces(results, paragraphs, paint);
}

/** A plan names by itself what is deprecated of that which it changes; of the rest, validate tells. */
function untold(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => code !== "deprecated" || severity === "error");
}
