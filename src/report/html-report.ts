// Renders what became of portals, or what is wrong with files, as one HTML file that needs no server.
import { html, toText, type Html } from "../lib/html.js";
import { counted } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import type { Comparison } from "../plan/comparison.js";
import type { PortalResult } from "../plan/result.js";
import { comparisonEntry, comparisonVerdict } from "./comparison-report.js";
import { driftEntry, driftVerdictOf, type PortalDrift } from "./drift-report.js";
import { groupEntries } from "./group.js";
import { renderFolds, toDocument, type Made } from "./html-page.js";
import { openPalette, type Palette } from "./html-pictures.js";
import { renderSection, renderTable, type Section } from "./html-portal.js";
import { hasDetails, otherProblems, portalEntry, type PortalEntry } from "./portal-entry.js";
import { headlineOf, verdictOfPlans } from "./verdict.js";

/** In characters, of all sections together; the table takes less. */
const ROOM = 2_000_000;

/** More sections are folded. */
const MOST_OPEN = 3;

export function htmlReport(results: readonly PortalResult[], outcome: Outcome, made: Made): string {
  const { diagnostics, files } = outcome;
  const entries = results.map((result) => portalEntry(result, { diagnostics, files }));
  const others = { ...outcome, diagnostics: otherProblems(diagnostics, results) };
  return htmlOf(entries, others, made, verdictOfPlans(results));
}

export function htmlDriftReport(portals: readonly PortalDrift[], outcome: Outcome, made: Made) {
  const entries = portals.map((portal) => driftEntry(portal));
  return htmlOf(entries, outcome, made, driftVerdictOf(portals));
}

export function htmlComparison(comparison: Comparison, outcome: Outcome, made: Made): string {
  const verdict = comparisonVerdict(comparison);
  return htmlOf([comparisonEntry(comparison)], outcome, made, verdict);
}

function htmlOf(
  entries: readonly PortalEntry[],
  outcome: Outcome,
  made: Made,
  verdict: string,
): string {
  const sections = groupEntries(entries).map((group, at): Section => ({
    group,
    id: hasDetails(group.entry) ? `p${at + 1}` : undefined,
  }));
  const palette = openPalette();
  const table = entries.length > 1 ? renderTable(sections) : undefined;
  const details = renderDetails(
    sections.filter(({ id }) => id !== undefined),
    palette,
  );
  const body = entries.length > 0 ? html`<div class="portals">${table}${details}</div>` : undefined;
  return toDocument(outcome, made, headlineOf(outcome, verdict), {
    body,
    style: palette.style(),
  });
}

function renderDetails(sections: readonly Section[], palette: Palette): Html | undefined {
  if (sections.length === 0) return undefined;
  const isOpen = sections.length <= MOST_OPEN;
  const shown: Html[] = [];
  let [room, missed] = [ROOM, 0];
  for (const section of sections) {
    const rendered = renderSection(section, palette, isOpen);
    room -= toText(rendered).length;
    if (room >= 0) shown.push(rendered);
    else missed += section.group.entries.length;
  }
  return html`<section class="details">
    ${renderFolds("Details")} ${shown}
    ${missed > 0 ? html`<p class="quiet">${counted(missed, "portal")} not shown in full; the plan is in the JSON report.</p>` : undefined}
  </section>`;
}
