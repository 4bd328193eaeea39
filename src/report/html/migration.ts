// What became of each property of an old file → a page for people: counts, then one row each, with value and place.
import type { Outcome } from "../../outcome.js";
import type { Json } from "../../json.js";
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { formatSpot } from "../../settings.js";
import { shortened } from "../../text.js";
import { shownValue } from "../model/difference.js";
import { toDocument, type Made } from "./page.js";
import { countsText, type PropertyRow } from "../text/migration.js";

export interface PropertyShown extends PropertyRow {
  /** Absent where it was not taken over: some hold keys. */
  readonly value?: Json | undefined;
}

const LONGEST_VALUE = 2_000;
const LONGEST_NAME = 200;

export function htmlMigration(rows: readonly PropertyShown[], outcome: Outcome, made: Made) {
  const verdict = rows.length > 0 ? countsText(rows) : "Nothing was found.";
  const body = rows.length > 0 ? renderRows(rows) : undefined;
  return toDocument(outcome, made, verdict, { body, style: STYLE });
}

function renderRows(rows: readonly PropertyShown[]): Html {
  return html`<section>
    <h2>Properties</h2>
    <div class="scroll" role="region" aria-label="Properties" tabindex="0">
      <table class="properties">
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Outcome</th>
            <th scope="col">Value</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(renderRow)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderRow({ name, outcome, value, place }: PropertyShown): Html {
  return html`<tr class="${outcome}">
    <th scope="row">${renderText(shortened(name, LONGEST_NAME))}</th>
    <td>${outcome}</td>
    <td>
      ${value === undefined ? undefined : html`<code>${renderText(shownValue(value, LONGEST_VALUE))}</code>`}
    </td>
    <td><code>${renderText(shortened(formatSpot(place), LONGEST_NAME))}</code></td>
  </tr>`;
}

const STYLE = `
.scroll { overflow-x: auto; }
.properties { border-collapse: collapse; width: 100%; }
.properties th, .properties td { text-align: start; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); }
.properties td:nth-child(3) code { overflow-wrap: anywhere; }
.properties td:last-child { white-space: nowrap; padding-inline-end: 0; }
.properties .migrated td:nth-child(2) { color: var(--good); font-weight: 600; }
.properties :is(.not-understood, .invalid) td:nth-child(2) { color: var(--bad); font-weight: 600; }
`;
