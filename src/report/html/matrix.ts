// What is to be told of many portals → a table of portals × parameters, and the filters above it.
import { inReferenceOrder } from "../../catalog/catalog.js";
import { html, type Html } from "../../pages/html.js";
import { renderText, shorten } from "../../pages/text.js";
import {
  hasDetails,
  hasDrifted,
  STATES,
  statesOf,
  statusWord,
  type Sheet,
  type State,
} from "./sheet.js";
import { counted, grouped } from "../../text.js";

/** More columns than this would be read by nobody; the details name every change. */
const MOST_COLUMNS = 24;

export const COLUMNS_STYLE = Array.from(
  { length: MOST_COLUMNS },
  (_, at) => `.of-${at + 1} { --columns: ${at + 1}; }\n`,
).join("");

const LONGEST_NAME = 60;
const LONGEST_MESSAGE = 160;

export function renderMatrix(
  sheets: readonly Sheet[],
  idOf: (sheet: Sheet) => string | undefined,
): Html {
  const { columns, left } = columnsOf(sheets);
  const heads =
    columns.length > 0 ? columns.map((name) => html`<code>${renderHead(name)}</code>`) : ["Reason"];
  return html`<section class="all">
    <h2>Portals</h2>
    ${renderFilters(sheets, columns)}
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
          ${sheets.map((sheet) => renderRow(sheet, columns, idOf(sheet)))}
        </tbody>
      </table>
    </div>
    <p class="quiet legend">“equal” is managed and as wanted; “–” is not managed.</p>
    ${left > 0 ? html`<p class="quiet">${counted(left, "more parameter")} have no column here; the details name every change.</p>` : undefined}
  </section>`;
}

/** Hidden until there is a script to work them. */
function renderFilters(sheets: readonly Sheet[], columns: readonly string[]): Html {
  const states = sheets.flatMap(statesOf);
  const options = (Object.keys(STATES) as State[])
    .map((state) => ({ state, count: states.filter((each) => each === state).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ state, count }) =>
        html`<option value="${state}">${STATES[state]} (${grouped(count)})</option>`,
    );
  return html`<form id="filters" class="filters" role="search" aria-label="Portals" hidden>
    <div class="filter wide">
      <label for="text">Search</label>
      <input type="search" id="text" autocomplete="off" spellcheck="false" />
    </div>
    <div class="filter">
      <label for="state">Status</label>
      <select id="state">
        <option value="">any</option>
        ${options}
      </select>
    </div>
    <div class="filter">
      <label for="parameter">Changes in</label>
      <select id="parameter">
        <option value="">any parameter</option>
        ${columns.map((name, at) => html`<option value="${at}">${renderName(name)}</option>`)}
      </select>
    </div>
    <p class="found">
      <output id="found" for="text state parameter">${counted(sheets.length, "portal")}</output>
    </p>
    <button type="reset">Show all</button>
  </form>`;
}

/** Cells without anything between them: there may be thousands. */
function renderRow(sheet: Sheet, columns: readonly string[], id: string | undefined): Html {
  const { result } = sheet;
  const states = statesOf(sheet);
  const name = html`<bdi>${renderText(shorten(result.portal.name, LONGEST_NAME))}</bdi>`;
  const changed = columns.flatMap((column, at) =>
    sheet.changes.some(({ path }) => path[0] === column) ? [at] : [],
  );
  const head = html`<th scope="row" role="rowheader">
    ${id === undefined ? name : html`<a href="#${id}">${name}</a>`}
  </th>`;
  const status = html`<td role="cell">
    <span class="pill ${states[0]}">${statusWord(sheet)}</span>
  </td>`;
  return html`<tr role="row" data-states="${states.join(" ")}" data-changed="${changed.join(" ")}">
    ${head}${status}${renderCells(sheet, columns)}
  </tr>`;
}

function renderCells(sheet: Sheet, columns: readonly string[]): Html | Html[] {
  const { result, isDrift } = sheet;
  const { plan, failure } = result;
  if (!plan || (isDrift && failure)) {
    const message = failure ? shorten(failure.message, LONGEST_MESSAGE) : "";
    return html`<td role="cell" class="why" colspan="${Math.max(1, columns.length)}">
      ${renderText(message)}
    </td>`;
  }
  const managed = new Set(plan.leaves.map(({ path }) => path[0]));
  return columns.map((column) => {
    const changes = sheet.changes.filter(({ path }) => path[0] === column);
    if (changes.length === 0) {
      return managed.has(column)
        ? html`<td role="cell" class="equal">equal</td>`
        : html`<td role="cell" class="none">–</td>`;
    }
    if (isDrift)
      return html`<td role="cell"><span class="pill drift">${changes.length} drifted</span></td>`;
    const said = counted(changes.length, "change");
    const kind = result.status === "applied" ? "applied" : "changes";
    return changes.some(hasDrifted)
      ? html`<td role="cell"><span class="pill drift">${said}, drift</span></td>`
      : html`<td role="cell"><span class="pill ${kind}">${said}</span></td>`;
  });
}

/** Every parameter that is managed or changes somewhere: those of the reference first, in its order. */
function columnsOf(sheets: readonly Sheet[]): {
  readonly columns: string[];
  readonly left: number;
} {
  const found = new Set(
    sheets.flatMap(({ result, changes }) =>
      [...(result.plan?.leaves ?? []), ...changes].map(({ path }) => String(path[0])),
    ),
  );
  const all = inReferenceOrder([...found], (name) => [name]);
  return { columns: all.slice(0, MOST_COLUMNS), left: Math.max(0, all.length - MOST_COLUMNS) };
}

/** May break where a word of the name begins, so that long names make no wide columns. */
function renderHead(name: string): Html {
  const words = shorten(name, LONGEST_NAME).split(/(?=[A-Z])/);
  return html`${words.map((word, at) => (at > 0 ? html`<wbr />${renderText(word)}` : renderText(word)))}`;
}

function renderName(name: string): Html {
  return renderText(shorten(name, LONGEST_NAME));
}

/** The portals that have a section of their own, in which a row's name leads. */
export function idsOf(sheets: readonly Sheet[]): Map<Sheet, string> {
  return new Map(sheets.filter(hasDetails).map((sheet, at) => [sheet, `p${at + 1}`]));
}
