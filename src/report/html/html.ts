// What became of portals, or what is wrong with their files → one HTML file that asks nothing of any server.
import { html } from "../../pages/html.js";
import type { Outcome } from "../../outcome.js";
import type { PortalResult } from "../../plan/result.js";
import { openCollection, type Pieces } from "../model/alike.js";
import { reportDrift, reportPortal, type PortalDrift, type PortalReport } from "../model/portal.js";
import { driftVerdictOf, headlineOf, verdictOfPlans, wordsToOpen } from "../model/verdict.js";
import { detailsOf } from "./details.js";
import { figuresOf } from "./figures.js";
import { lineOf, type Line } from "./line.js";
import { renderMatrix } from "./matrix.js";
import { toDocument, type Made } from "./page.js";
import { openPalette } from "./picture.js";

const FEW = 100;

export function htmlReport(results: readonly PortalResult[], outcome: Outcome, made: Made): string {
  const reports = results.map((result) => () => reportPortal(result));
  return reportOf(reports, outcome, made, verdictOfPlans(results), wordsToOpen(results));
}

export function htmlDriftReport(portals: readonly PortalDrift[], outcome: Outcome, made: Made) {
  const reports = portals.map((portal) => () => reportDrift(portal));
  return reportOf(reports, outcome, made, driftVerdictOf(portals));
}

/** One report at a time, since of many portals all of them would be too much. */
function reportOf(
  reports: readonly (() => PortalReport)[],
  outcome: Outcome,
  made: Made,
  verdict: string,
  words = "",
): string {
  const collection = openCollection(["failed", "request", "picture"]);
  const lines: Line[] = [];
  const pieces: Pieces[] = [];
  for (const [at, make] of reports.entries()) {
    const report = make();
    lines.push(lineOf(report, at));
    pieces.push(collection.add(report));
  }
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
