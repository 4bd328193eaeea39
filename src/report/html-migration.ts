// Renders what became of each property of an old file: first what needs a decision, then what was migrated, then the rest.
import { html, type Html, renderText } from "../lib/html.js";
import { renderProblems } from "../lib/html-problems.js";
import { formatSpot } from "../settings.js";
import { counted, shortened } from "../lib/text.js";
import { shownValue } from "./difference.js";
import { renderLine, renderMore } from "./html-changes.js";
import { renderFolds, toDocument, type Made } from "./html-page.js";
import { renderHelp } from "./html-portal.js";
import {
  legendOfOutcomes,
  partsOf,
  verdictOfMigration,
  type MigrationPage,
  type Next,
  type Part,
  type PropertyReport,
} from "./migration-report.js";

const LONGEST_VALUE = 2_000;
const LONGEST_NAME = 200;

/** Of each part. */
const MOST_ROWS = 500;

/** Classes of the style sheet. */
const LOOKS = { "!": "released", "~": "changed", "+": "new", "=": "adopted" } as const;

export function htmlMigration(page: MigrationPage, made: Made): string {
  const { properties, outcome } = page;
  const parts = partsOf(properties);
  const body = html`<div class="portals">
    ${renderNext(page)}
    ${
      parts.length > 0
        ? html`<section class="details">
            ${renderFolds("Properties")} ${renderLegend(properties)} ${parts.map(renderPart)}
          </section>`
        : undefined
    }
  </div>`;
  return toDocument(outcome, made, verdictOfMigration(properties), { body, style: "" });
}

function renderLegend(properties: readonly PropertyReport[]): Html {
  return html`<ul class="legend" aria-label="What the outcomes mean">
    ${legendOfOutcomes(properties).map(
      ({ name, meaning }) =>
        html`<li><span class="pill">${name}</span> <span>${meaning}</span></li>`,
    )}
  </ul>`;
}

function renderNext({ ending, steps }: Next): Html | undefined {
  if (!ending && steps.length === 0) return undefined;
  return html`<section>
    <h2>Next</h2>
    ${ending ? html`<p>${renderText(ending)}</p>` : undefined}
    ${steps.map(({ text, command }) => {
      const said = text.slice(0, 1).toUpperCase() + text.slice(1);
      return renderHelp(`${said}\n${command}`);
    })}
  </section>`;
}

function renderPart({ title, sign, properties }: Part): Html {
  const shown = properties.slice(0, MOST_ROWS);
  const open = title === "Left out" ? undefined : html`open`;
  return html`<details class="portal" id="${title.toLowerCase().replace(" ", "-")}" ${open}>
    <summary>
      <h3>${title}</h3>
      <span class="counts">${counted(properties.length, "property")}</span>
    </summary>
    <div class="inside">
      <ul>
        ${shown.map((property) => renderProperty(property, sign))}
      </ul>
      ${renderMore(properties.length - shown.length, "property")}
    </div>
  </details>`;
}

function renderProperty(property: PropertyReport, sign: Part["sign"]): Html {
  const { name, outcome, value, place, diagnostics } = property;
  // A problem shows what stands there, and names its own place.
  const isShown = value !== undefined && (diagnostics.length === 0 || outcome === "migrated");
  return renderLine({
    mark: { sign, look: LOOKS[sign], word: "" },
    name: renderText(shortened(name, LONGEST_NAME)),
    what: html`<p>
        <span class="pill">${outcome}</span>
        ${isShown ? html`<code>${renderText(shownValue(value, LONGEST_VALUE))}</code>` : undefined}
      </p>
      ${diagnostics.length > 0 ? renderProblems(diagnostics) : undefined}`,
    at: diagnostics.length > 0 ? "" : formatSpot(place),
  });
}
