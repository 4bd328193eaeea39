// What became of portals, or what is wrong with their files → one HTML file that asks nothing of any server.
import { html } from "../../pages/html.js";
import type { Outcome } from "../../outcome.js";
import type { PortalResult } from "../../plan/result.js";
import type { Extra } from "../model/alike.js";
import { gatherAll, type Gathering } from "../model/line.js";
import { reportDrift, reportPortal, type PortalDrift } from "../model/portal.js";
import { driftVerdictOf, headlineOf, verdictOfPlans, wordsToOpen } from "../model/verdict.js";
import { detailsOf } from "./details.js";
import { figuresOf } from "./figures.js";
import { renderMatrix } from "./matrix.js";
import { toDocument, type Made } from "./page.js";
import { openPalette } from "./picture.js";

const FEW = 100;

const EXTRAS = ["failed", "request", "picture"] as const satisfies readonly Extra[];

export function htmlReport(results: readonly PortalResult[], outcome: Outcome, made: Made): string {
  const reports = results.map((result) => () => reportPortal(result));
  return htmlOf(gatherAll(reports, EXTRAS), outcome, made);
}

/** The same of what was gathered while the run went on. */
export function htmlOf(gathering: Gathering, outcome: Outcome, made: Made): string {
  const results = gathering.gathered.map(({ line }) => line.result);
  return render(gathering, outcome, made, verdictOfPlans(results), wordsToOpen(results));
}

export function htmlDriftReport(portals: readonly PortalDrift[], outcome: Outcome, made: Made) {
  const reports = portals.map((portal) => () => reportDrift(portal));
  return render(gatherAll(reports, EXTRAS), outcome, made, driftVerdictOf(portals));
}

function render(
  { gathered, collection }: Gathering,
  outcome: Outcome,
  made: Made,
  verdict: string,
  words = "",
): string {
  const lines = gathered.map(({ line }) => line);
  const pieces = gathered.map((each) => each.pieces);
  const palette = openPalette();
  const { details, idOf, count } = detailsOf(lines, pieces, collection, palette);
  const table = lines.length > 1 ? renderMatrix(lines, idOf) : undefined;
  // What is far from the window is laid out when somebody comes near: of a few that would only flicker.
  const size = count > FEW ? "many" : "few";
  const body =
    lines.length > 0 ? html`<div class="portals ${size}">${table}${details}</div>` : undefined;
  const [figures, style] = [figuresOf(lines, outcome), palette.style()];
  return toDocument(outcome, made, headlineOf(outcome, verdict), { figures, body, style, words });
}
