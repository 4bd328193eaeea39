// What became of portals, or what is wrong with their files → one HTML file that asks nothing of any server.
import { html, type Html } from "../../pages/html.js";
import type { Outcome } from "../../outcome.js";
import type { PortalResult } from "../../plan/result.js";
import { counted } from "../../text.js";
import { reportDrift, reportPortal, type PortalDrift, type PortalReport } from "../model/portal.js";
import { driftVerdictOf, headlineOf, verdictOfPlans } from "../model/verdict.js";
import { withinRoom } from "./budget.js";
import { figuresOf } from "./figures.js";
import { renderMatrix } from "./matrix.js";
import { renderFolds, toDocument, type Made } from "./page.js";
import { openPalette } from "./picture.js";
import { renderPortal } from "./portal.js";

/** In bytes, for all details together; the rest of a page is the table, which takes less. */
const ROOM = 2_000_000;

const FEW = 100;

/** Beyond it, a portal that nobody asked for by name is folded away. */
const MOST_OPEN = 3;

export function htmlReport(results: readonly PortalResult[], outcome: Outcome, made: Made): string {
  const reports = results.map((result) => reportPortal(result));
  return reportOf(reports, outcome, made, verdictOfPlans(results));
}

export function htmlDriftReport(portals: readonly PortalDrift[], outcome: Outcome, made: Made) {
  const reports = portals.map((portal) => reportDrift(portal));
  return reportOf(reports, outcome, made, driftVerdictOf(portals));
}

function reportOf(reports: readonly PortalReport[], outcome: Outcome, made: Made, verdict: string) {
  const palette = openPalette();
  const told = reports.filter((report) => report.hasDetails);
  const ids = new Map(told.map((report, at) => [report, `p${at + 1}`]));
  const isOpen = told.length <= MOST_OPEN;
  const details = withinRoom(told, ROOM, (report, limits) =>
    renderPortal(report, ids.get(report) ?? "", { limits, palette, isOpen }),
  );
  const idOf = (report: PortalReport) => (details.has(report) ? ids.get(report) : undefined);
  const table = reports.length > 1 ? renderMatrix(reports, idOf) : undefined;
  const rest = renderDetails(told.map((report) => details.get(report)));
  // What is far from the window is laid out when somebody comes near: of a few that would only flicker.
  const size = reports.length > FEW ? "many" : "few";
  const body =
    reports.length > 0 ? html`<div class="portals ${size}">${table}${rest}</div>` : undefined;
  const [figures, style] = [figuresOf(reports, outcome), palette.style()];
  return toDocument(outcome, made, headlineOf(outcome, verdict), { figures, body, style });
}

function renderDetails(details: readonly (Html | undefined)[]): Html | undefined {
  if (details.length === 0) return undefined;
  const left = details.filter((each) => each === undefined).length;
  return html`<section class="details">
    ${renderFolds("Details")} ${details}
    ${left > 0 ? html`<p class="quiet">${counted(left, "more portal")} ${left === 1 ? "has" : "have"} no room here; the plan is in the JSON report.</p>` : undefined}
  </section>`;
}
