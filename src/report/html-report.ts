// Renders what became of portals, or what is wrong with files, as one HTML file that needs no server.
import { html, toText, trusted, type Html } from "../lib/html.js";
import { counted } from "../lib/text.js";
import type { Outcome } from "../outcome.js";
import type { PortalResult } from "../plan/result.js";
import { driftVerdictOf } from "./drift-report.js";
import { groupEntries, type Group } from "./group.js";
import { figuresOf } from "./html-figures.js";
import { renderFolds, toDocument, type Made } from "./html-page.js";
import { openPalette, type Palette } from "./html-pictures.js";
import {
  MOST_FILES,
  renderSection,
  renderTable,
  type PageLimits,
  type Section,
} from "./html-portal.js";
import {
  driftEntry,
  hasDetails,
  otherProblems,
  portalEntry,
  type PortalDrift,
  type PortalEntry,
} from "./portal-entry.js";
import { headlineOf, verdictOfPlans } from "./verdict.js";

/** In bytes, of all sections together; the table takes less. */
const ROOM = 2_000_000;

/** How much of each portal is shown: the first level that has room. */
const LEVELS: readonly PageLimits[] = [
  { text: 20_000, value: 2_000, entries: 200, changes: 500, isPictured: true },
  { text: 2_000, value: 400, entries: 40, changes: 200, isPictured: true },
  { text: 200, value: 80, entries: 5, changes: 40, isPictured: false },
];

/** Of more sections the longest texts are not tried, which takes time. */
const FEW = 20;
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

function htmlOf(
  entries: readonly PortalEntry[],
  outcome: Outcome,
  made: Made,
  verdict: string,
): string {
  const sections = groupEntries(entries, { most: MOST_FILES }).map((group, at): Section => ({
    group,
    id: isSection(group) ? `p${at + 1}` : undefined,
  }));
  const palette = openPalette();
  const table = entries.length > 1 ? renderTable(sections) : undefined;
  const details = renderDetails(
    sections.filter(({ id }) => id !== undefined),
    palette,
  );
  const body = entries.length > 0 ? html`<div class="portals">${table}${details}</div>` : undefined;
  const figures = figuresOf(entries, outcome);
  return toDocument(outcome, made, headlineOf(outcome, verdict), {
    figures,
    body,
    style: palette.style(),
  });
}

function isSection({ entry, entries }: Group): boolean {
  const isLast = entries.length === 1 && entry.isDrift && entry.last !== undefined;
  return isLast || hasDetails(entry);
}

function renderDetails(sections: readonly Section[], palette: Palette): Html | undefined {
  if (sections.length === 0) return undefined;
  const isOpen = sections.length <= MOST_OPEN;
  const levels = sections.length > FEW ? LEVELS.slice(1) : LEVELS;
  let texts: string[] = [];
  for (const limits of levels) {
    texts = sections.map((each) => toText(renderSection(each, { limits, palette, isOpen })));
    if (sizeOf(texts) <= ROOM) break;
  }
  let room = ROOM;
  const shown = texts.filter((text) => (room -= Buffer.byteLength(text)) >= 0);
  const left = sections.filter((_, at) => !shown.includes(texts[at] ?? ""));
  const missed = left.reduce((sum, { group }) => sum + group.entries.length, 0);
  return html`<section class="details">
    ${renderFolds("Details")} ${shown.map(trusted)}
    ${missed > 0 ? html`<p class="quiet">${counted(missed, "portal")} not shown in full; the plan is in the JSON report.</p>` : undefined}
  </section>`;
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
