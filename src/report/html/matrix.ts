// What is to be told of many portals → a table of portals × parameters, and the filters above it.
import { inReferenceOrder } from "../../catalog/catalog.js";
import { html, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { counted, grouped, shortened } from "../../text.js";
import type { ChangeReport } from "../model/change.js";
import type { PortalReport, State } from "../model/portal.js";
import { countsBy, STATUS } from "../model/verdict.js";

/** By which portals can be chosen, in the order in which they are offered. */
const STATES: Readonly<Record<State, string>> = {
  failed: STATUS.failed,
  held: STATUS.held,
  guarded: "stopped by a guard",
  drift: "with drift",
  changes: STATUS.changes,
  applied: STATUS.applied,
  skipped: STATUS.skipped,
  unchanged: STATUS.unchanged,
};

/** More columns than this would be read by nobody; the details name every change. */
const MOST_COLUMNS = 24;

export const COLUMNS_STYLE = Array.from(
  { length: MOST_COLUMNS },
  (_, at) => `.of-${at + 1} { --columns: ${at + 1}; }\n`,
).join("");

const LONGEST_NAME = 60;
const LONGEST_MESSAGE = 160;

export function renderMatrix(
  reports: readonly PortalReport[],
  idOf: (report: PortalReport) => string | undefined,
): Html {
  const { columns, left } = columnsOf(reports);
  const heads = columns.length > 0 ? columns.map(renderHead) : ["Reason"];
  return html`<section class="all">
    <h2>Portals</h2>
    ${renderFilters(reports, columns)}
    <div class="box" tabindex="0" role="region" aria-label="Portals and parameters">
      <table id="matrix" class="of-${Math.max(1, columns.length)}" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Portal</th>
            <th scope="col" role="columnheader">Status</th>
            ${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${reports.map((report) => renderRow(report, columns, idOf(report)))}
        </tbody>
      </table>
    </div>
    <p class="quiet legend">“equal” is managed and as wanted; “–” is not managed.</p>
    ${left > 0 ? html`<p class="quiet">${counted(left, "more parameter")} have no column here; the details name every change.</p>` : undefined}
  </section>`;
}

/** Hidden until there is a script to work them. */
function renderFilters(reports: readonly PortalReport[], columns: readonly string[]): Html {
  const options = countsBy(
    Object.keys(STATES) as State[],
    (state) => reports.filter(({ states }) => states.includes(state)).length,
  ).map(
    ({ kind, count }) => html`<option value="${kind}">${STATES[kind]} (${grouped(count)})</option>`,
  );
  const parameters = columns.map(
    (name, at) => html`<option value="${at}">${renderName(name)}</option>`,
  );
  return html`<form id="filters" class="filters" role="search" aria-label="Portals" hidden>
    <div class="filter wide">
      <label for="text">Search</label>
      <input type="search" id="text" autocomplete="off" spellcheck="false" />
    </div>
    ${renderChoice("state", "Status", "any", options)}
    ${renderChoice("parameter", "Changes in", "any parameter", parameters)}
    <p class="found">
      <output id="found" for="text state parameter">${counted(reports.length, "portal")}</output>
    </p>
    <button type="reset">Show all</button>
  </form>`;
}

function renderChoice(id: string, label: string, any: string, options: readonly Html[]): Html {
  return html`<div class="filter">
    <label for="${id}">${label}</label>
    <select id="${id}">
      <option value="">${any}</option>
      ${options}
    </select>
  </div>`;
}

function renderRow(report: PortalReport, columns: readonly string[], id: string | undefined): Html {
  const { result, states, status, changes } = report;
  const name = html`<bdi>${renderName(result.portal.name)}</bdi>`;
  const held = columns.map((column) => changes.filter(({ change }) => change.path[0] === column));
  const changed = held.flatMap(({ length }, at) => (length > 0 ? [at] : []));
  return html`<tr role="row" data-states="${states.join(" ")}" data-changed="${changed.join(" ")}">
    <th scope="row" role="rowheader">
      ${id === undefined ? name : html`<a href="#${id}">${name}</a>`}
    </th>
    <td role="cell"><span class="pill ${states[0]}">${status}</span></td>
    ${renderCells(report, columns, held)}
  </tr>`;
}

/** Cells without anything between them: there may be thousands. */
function renderCells(
  { result: { plan, failure }, isDrift, isDone }: PortalReport,
  columns: readonly string[],
  held: readonly (readonly ChangeReport[])[],
): Html | Html[] {
  if (!plan || (isDrift && failure)) {
    const message = shortened(failure?.message ?? "", LONGEST_MESSAGE);
    return html`<td role="cell" class="why" colspan="${Math.max(1, columns.length)}">
      ${renderText(message)}
    </td>`;
  }
  const managed = new Set(plan.leaves.map(({ path }) => path[0]));
  return columns.map((column, at) => {
    const changes = held[at] ?? [];
    if (changes.length === 0) {
      return managed.has(column)
        ? html`<td role="cell" class="equal">equal</td>`
        : html`<td role="cell" class="none">–</td>`;
    }
    const isDrifted = !isDrift && changes.some((each) => each.isDrifted);
    const kind = isDrift || isDrifted ? "drift" : isDone ? "applied" : "changes";
    const said = isDrift ? `${changes.length} drifted` : counted(changes.length, "change");
    const pill = html`<span class="pill ${kind}">${said}${isDrifted ? ", drift" : ""}</span>`;
    return html`<td role="cell">${pill}</td>`;
  });
}

/** Every parameter that is managed or changes somewhere: those of the reference first, in its order. */
function columnsOf(reports: readonly PortalReport[]) {
  const paths = reports.flatMap(({ result, changes }) => [
    ...(result.plan?.leaves.map(({ path }) => path) ?? []),
    ...changes.map(({ change }) => change.path),
  ]);
  const found = new Set(paths.map(([parameter]) => String(parameter)));
  const all = inReferenceOrder([...found], (name) => [name]);
  return { columns: all.slice(0, MOST_COLUMNS), left: all.length - MOST_COLUMNS };
}

/** May break where a word of the name begins, so that long names make no wide columns. */
function renderHead(name: string): Html {
  const words = shortened(name, LONGEST_NAME).split(/(?=[A-Z])/);
  return html`<code
    >${words.map((word, at) => [at > 0 ? html`<wbr />` : undefined, renderText(word)])}</code
  >`;
}

function renderName(name: string): Html {
  return renderText(shortened(name, LONGEST_NAME));
}
