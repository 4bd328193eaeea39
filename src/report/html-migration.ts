// Renders what became of each property of an old file: first what needs a decision, then what was migrated, then the rest.
import { html, type Html, renderText } from "../lib/html.js";
import { renderProblems } from "../lib/html-problems.js";
import { formatSpot } from "../settings.js";
import { counted, shortened } from "../lib/text.js";
import { shownValue } from "./difference.js";
import { renderLine, renderMore } from "./html-changes.js";
import { renderFigures, renderShares, type Figure } from "./html-figures.js";
import { renderFolds, toDocument, type Made } from "./html-page.js";
import { renderHelp } from "./html-portal.js";
import {
  legendOfOutcomes,
  partsOf,
  verdictOfMigration,
  type Group,
  type GroupKey,
  type MigrationPage,
  type Next,
  type Part,
  type PropertyOutcome,
  type PropertyReport,
} from "./migration-report.js";

const LONGEST_VALUE = 2_000;
const LONGEST_NAME = 200;

/** Of each group. */
const MOST_ROWS = 500;

/** By classes of the style sheet: of its figure, of its part of the bar, of its pills and of its rows' marks. */
const LOOKS: Readonly<
  Record<
    GroupKey,
    { figure: Figure["kind"]; share: string; pill: string; mark: string; sign: string }
  >
> = {
  "not-understood": bad("?"),
  invalid: bad("!"),
  "needs-newer-target": doubtful(">"),
  "near-name": doubtful("~"),
  "not-added": bad("!"),
  migrated: { figure: "applied", share: "applied", pill: "applied", mark: "new", sign: "+" },
  "already-set": { figure: "plain", share: "skipped", pill: "", mark: "adopted", sign: "=" },
  stock: { figure: "plain", share: "skipped", pill: "", mark: "adopted", sign: "=" },
  "no-counterpart": { figure: "plain", share: "rest", pill: "", mark: "adopted", sign: "-" },
};

function bad(sign: string) {
  return { figure: "error", share: "failed", pill: "failed", mark: "released", sign } as const;
}

function doubtful(sign: string) {
  return { figure: "warning", share: "drift", pill: "drift", mark: "changed", sign } as const;
}

export function htmlMigration(page: MigrationPage, made: Made): string {
  const { properties, outcome } = page;
  const parts = partsOf(properties);
  const figures = properties.length > 0 ? renderOverview(properties, parts) : undefined;
  // What is next stands below what has to be done before, and above what is only to be looked at.
  const open = parts.filter(({ isOpen }) => isOpen);
  const rest = parts.filter(({ isOpen }) => !isOpen);
  const body = html`<div class="portals">
    ${open.map((part) => renderPart(part, part === parts[0]))} ${renderNext(page)}
    ${rest.map((part) => renderPart(part, part === parts[0]))}
  </div>`;
  return toDocument(outcome, made, verdictOfMigration(properties), { figures, body, style: "" });
}

function renderOverview(properties: readonly PropertyReport[], parts: readonly Part[]): Html {
  const groups = parts.flatMap((part) => part.groups);
  const figures = groups.map(({ key, title, properties: { length: count } }) => ({
    name: title,
    count,
    kind: LOOKS[key].figure,
    share: LOOKS[key].share,
  }));
  const shares = figures.map(({ share, count }) => ({ kind: share, count }));
  const label = `${counted(properties.length, "property")}, by outcome`;
  return renderFigures(figures, renderShares(shares, label), renderLegend(properties));
}

function renderLegend(properties: readonly PropertyReport[]): Html {
  return html`<ul class="legend" aria-label="What the outcomes mean">
    ${legendOfOutcomes(properties).map(
      ({ name, meaning }) => html`<li>${renderPill(name)} <span>${meaning}</span></li>`,
    )}
  </ul>`;
}

function renderPill(outcome: PropertyOutcome): Html {
  return html`<span class="pill ${LOOKS[outcome].pill}">${outcome}</span>`;
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

function renderPart({ title, isFolded, groups }: Part, isFirst: boolean): Html {
  return html`<section class="details">
    ${isFirst ? renderFolds(title) : html`<h2>${title}</h2>`}
    ${groups.map((group) => renderGroup(group, isFolded))}
  </section>`;
}

function renderGroup({ key, title, properties }: Group, isFolded = false): Html {
  const shown = properties.slice(0, MOST_ROWS);
  const outcomes = [...new Set(properties.map(({ outcome }) => outcome))];
  return html`<details class="portal" id="${key}" ${isFolded ? undefined : html`open`}>
    <summary>
      <h3>${title}</h3>
      ${outcomes.map(renderPill)}
      <span class="counts">${counted(properties.length, "property")}</span>
    </summary>
    <div class="inside">
      <ul>
        ${shown.map((property) => renderProperty(property, key))}
      </ul>
      ${renderMore(properties.length - shown.length, "property")}
    </div>
  </details>`;
}

function renderProperty(property: PropertyReport, key: GroupKey): Html {
  const { name, outcome, value, place, diagnostics } = property;
  const { sign, mark } = LOOKS[key];
  // A problem shows what stands there, and names its own place.
  const isShown = value !== undefined && (diagnostics.length === 0 || key === "migrated");
  return renderLine({
    mark: { sign, look: mark, word: outcome },
    name: renderText(shortened(name, LONGEST_NAME)),
    what: html`${isShown ? html`<p><code>${renderText(shownValue(value, LONGEST_VALUE))}</code></p>` : undefined}
    ${diagnostics.length > 0 ? renderProblems(diagnostics) : undefined}`,
    at: diagnostics.length > 0 ? "" : formatSpot(place),
  });
}
