// What is to be told of many portals → a table of portals × parameters, and the filters above it.
import { inReferenceOrder } from "../../catalog/catalog.js";
import { html, toText, trusted, type Html } from "../../pages/html.js";
import { renderText } from "../../pages/text.js";
import { counted, grouped, shortened } from "../../lib/text.js";
import { closedGuards } from "../../plan/result.js";
import { ANY_HOST, hostOf, withHost } from "../model/alike.js";
import type { Line } from "../model/line.js";
import type { State } from "../model/portal.js";
import { rowsAlike } from "../model/section.js";
import { countsBy, isUnchanged, STATUS } from "../model/verdict.js";

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

/** In rem, as the style sheet has them: of the portal and its status together, and of a parameter. */
const [FIRST, EACH] = [21, 8.75];

/** In a room narrower than its table, a line says that the table goes on. */
export const COLUMNS_STYLE = Array.from({ length: MOST_COLUMNS }, (_, at) => {
  const width = FIRST + EACH * (at + 1);
  return `.of-${at + 1} { --columns: ${at + 1}; --least: ${width}rem; }
@container all (max-width: ${width}rem) { .wider-${at + 1} { display: block; } }
`;
}).join("");

const LEGEND = "“equal” is managed and as wanted; “–” is not managed.";
const DRIFT_LEGEND = "“–” is as the last apply left it, or not managed.";

/** More rows than these have a room of their own to scroll in, under a head that stays. */
const MOST_ROWS = 40;

const LONGEST_NAME = 100;
const LONGEST_MESSAGE = 160;

/** `idOf` names the section that tells of a portal. */
export function renderMatrix(
  lines: readonly Line[],
  idOf: (line: Line) => string | undefined,
): Html {
  const { columns, left } = columnsOf(lines);
  const heads = columns.length > 0 ? columns.map(renderHead) : ["Reason"];
  const shown = Math.max(1, columns.length);
  const isDrift = lines.some((line) => line.isDrift);
  const numbers = new Map(lines.map((line, at) => [line, at]));
  const cells = new Map(lines.map((line) => [line, toText(renderCells(line, columns, ANY_HOST))]));
  const keyOf = (line: Line) => `${line.states.join(" ")} ${cells.get(line) ?? ""}`;
  const rows = rowsAlike(lines, keyOf, ({ result }) => isUnchanged(result));
  const isTall = rows.length > MOST_ROWS;
  return html`<section class="all">
    <h2>Portals</h2>
    ${renderFilters(lines, columns)}
    <p class="quiet wider wider-${shown}">The table goes on to the right: scroll it sideways.</p>
    ${isTall ? html`<p class="quiet">The table has ${grouped(rows.length)} rows: scroll it to see all.</p>` : undefined}
    <div
      class="${isTall ? "box tall" : "box"}"
      tabindex="0"
      role="region"
      aria-label="Portals and parameters"
    >
      <table id="matrix" class="of-${shown}" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Portal</th>
            <th scope="col" role="columnheader">Status</th>
            ${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map((held) => renderRows(held, { columns, cells, numbers, idOf }))}
        </tbody>
      </table>
    </div>
    <p class="quiet legend">${isDrift ? DRIFT_LEGEND : LEGEND}</p>
    ${left > 0 ? html`<p class="quiet">${counted(left, "more parameter")} have no column here; the details name every change.</p>` : undefined}
  </section>`;
}

/** Hidden until there is a script to work them. */
function renderFilters(lines: readonly Line[], columns: readonly string[]): Html {
  const options = countsBy(
    Object.keys(STATES) as State[],
    (state) => lines.filter(({ states }) => states.includes(state)).length,
  ).map(
    ({ kind, count }) => html`<option value="${kind}">${STATES[kind]} (${grouped(count)})</option>`,
  );
  const parameters = columns.map(
    (name, at) => html`<option value="${at}">${renderName(name)}</option>`,
  );
  return html`<form
    id="filters"
    class="filters"
    role="search"
    aria-label="Portals"
    data-count="${lines.length}"
    hidden
  >
    <div class="filter wide">
      <label for="text">Search</label>
      <input type="search" id="text" autocomplete="off" spellcheck="false" />
    </div>
    ${renderChoice("state", "Status", "any", options)}
    ${renderChoice("parameter", "Changes in", "any parameter", parameters)}
    <p class="found">
      <output id="found" for="text state parameter">${counted(lines.length, "portal")}</output>
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

interface Table {
  readonly columns: readonly string[];
  /** What stands beside the names of those that are alike. */
  readonly cells: ReadonlyMap<Line, string>;
  readonly numbers: ReadonlyMap<Line, number>;
  readonly idOf: (line: Line) => string | undefined;
}

/** One row, and below the row of several their names, which stand there until it is folded. */
function renderRows(
  held: readonly Line[],
  { columns, cells: alike, numbers, idOf }: Table,
): Html | undefined {
  const [first] = held;
  if (!first) return undefined;
  const cells = held.length === 1 ? renderCells(first, columns) : trusted(alike.get(first) ?? "");
  const changed = columns.flatMap((column, index) => (first.changed.has(column) ? [index] : []));
  const about = html`data-states="${first.states.join(" ")}" data-changed="${changed.join(" ")}"`;
  const nameOf = (line: Line) => {
    const [id, name] = [idOf(line), html`<bdi>${renderName(line.result.portal.name)}</bdi>`];
    return id === undefined ? name : html`<a href="#${id}">${name}</a>`;
  };
  if (held.length === 1) {
    return html`<tr role="row" ${about} data-at="${numbers.get(first)}">
      <th scope="row" role="rowheader">${nameOf(first)}</th>
      ${cells}
    </tr>`;
  }
  return html`<tr role="row" ${about} class="alike">
      <th scope="row" role="rowheader">
        <details>
          <summary>${counted(held.length, "portal")}</summary>
        </details>
      </th>
      ${cells}
    </tr>
    <tr role="row" class="members">
      <td role="cell" colspan="${Math.max(1, columns.length) + 2}">
        <ul>
          ${held.map((line) => html`<li data-at="${numbers.get(line)}">${nameOf(line)}</li> `)}
        </ul>
      </td>
    </tr>`;
}

/** What stands beside the name. Cells without anything between them: there may be thousands. */
function renderCells(line: Line, columns: readonly string[], host?: string): Html {
  const { result, isDrift, states, status } = line;
  const guards = isDrift ? 0 : closedGuards(result).length;
  const guarded =
    guards > 0 ? html` <span class="pill guarded">${counted(guards, "guard")}</span>` : undefined;
  const head = html`<td role="cell">
    <span class="pill ${states[0]}">${status}</span>${guarded}
  </td>`;
  return html`${head}${renderParameters(line, columns, host)}`;
}

function renderParameters(
  { result: { portal, plan, failure }, changed, managed, isDrift, isDone }: Line,
  columns: readonly string[],
  host = hostOf(portal),
): Html | Html[] {
  if (!plan || (isDrift && failure)) {
    const message = shortened(withHost(failure?.message ?? "", portal, host), LONGEST_MESSAGE);
    return html`<td role="cell" class="why" colspan="${Math.max(1, columns.length)}">
      ${renderText(message)}
    </td>`;
  }
  return columns.map((column) => {
    const held = changed.get(column);
    if (!held) {
      return managed.has(column)
        ? html`<td role="cell" class="equal">equal</td>`
        : html`<td role="cell" class="none">–</td>`;
    }
    const { count, isDrifted } = held;
    const kind = isDrift || isDrifted ? "drift" : isDone ? "applied" : "changes";
    const said = isDrift ? `${count} drifted` : counted(count, "change");
    const pill = html`<span class="pill ${kind}"
      >${said}${!isDrift && isDrifted ? ", drift" : ""}</span
    >`;
    return html`<td role="cell">${pill}</td>`;
  });
}

/** Every parameter that is managed or changes somewhere: those of the reference first, in its order. */
function columnsOf(lines: readonly Line[]) {
  const found = new Set<string>();
  for (const { managed, changed } of lines) {
    for (const parameter of managed) found.add(parameter);
    for (const parameter of changed.keys()) found.add(parameter);
  }
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
