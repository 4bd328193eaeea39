// All portals → the page that shows each of them at a glance, to be kept up to date by its script.
import script from "../../../../generated/serve/portals-script.js";
import style from "../../../../generated/serve/portals-style.js";
import { html, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { compareRows } from "../client/order.js";
import { renderShares } from "../../../report/html-figures.js";
import { counted, grouped } from "../../../lib/text.js";
import { STATUSES, type Seen } from "../board.js";
import type { Stamp } from "../feed.js";
import { poolsOf } from "./news.js";
import { renderRow } from "./row.js";
import { countsOf, LOOKS, verdictOf, type Counts } from "./status.js";

export function overview(portals: readonly Seen[], stamp: Stamp): View {
  const counts = countsOf(portals);
  const pools = poolsOf(portals);
  const rank = ({ status, name }: Seen) => ({ rank: STATUSES.indexOf(status), name });
  const rows = portals
    .map((seen) => ({ seen, ...rank(seen) }))
    .toSorted(compareRows)
    .map(({ seen }) => renderRow(seen));
  return {
    title: "Portals – Lintel",
    style,
    script,
    data: { stamp, longest: LONGEST_FILTER },
    isLive: true,
    body: html`<div class="report">
      <header class="head">
        <div class="above">
          <p class="brand"><span aria-hidden="true" class="contours"></span>Lintel</p>
          ${LIVE}
        </div>
        <h1>Portals</h1>
        <p id="verdict" class="verdict">${verdictOf(counts)}</p>
      </header>
      <main>
        <section class="glance" aria-label="Portals by state">
          ${renderShares(sharesOf(counts), "Portals by state")} ${renderStates(counts)}
        </section>
        <section aria-label="All portals">
          ${renderFilters(pools)}
          <p class="found">
            <output id="found" for="name pool text">${counted(portals.length, "portal")}</output>
          </p>
          <table id="portals" role="table" aria-label="Portals">
            <thead role="rowgroup">
              <tr role="row">
                ${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
              </tr>
            </thead>
            ${blocksOf(rows)}
          </table>
          <p id="nothing" class="nothing" hidden>No portal is like that.</p>
        </section>
      </main>
      <p id="said" class="unseen" role="status"></p>
    </div>`,
  };
}

/** A browser lays out what is far from the screen when somebody comes near; of thousands of rows that is most. */
const BLOCK = 50;

/** One at least, so that what comes later has its place. */
function blocksOf(rows: readonly Html[]): Html[] {
  const blocks = Array.from({ length: Math.max(1, Math.ceil(rows.length / BLOCK)) }, (_, at) =>
    rows.slice(at * BLOCK, (at + 1) * BLOCK),
  );
  return blocks.map(
    (held) =>
      html`<tbody role="rowgroup">
        ${held}
      </tbody>`,
  );
}

const LONGEST_FILTER = 200;
const COLUMNS = ["Portal", "State", "What to know", "Next window", "Looked at"];

/** Whether the page is told what changes. */
export const LIVE = html`<p class="live">
  <span aria-hidden="true" class="dot"></span><span id="live" role="status">As of now</span>
</p>`;

function sharesOf(counts: Counts) {
  return STATUSES.map((kind) => ({ kind: `is-${kind}`, count: counts[kind] }));
}

/** Each a figure, and a filter. */
function renderStates(counts: Counts): Html {
  const all = STATUSES.reduce((sum, each) => sum + counts[each], 0);
  const state = (value: string, word: string, count: number) =>
    html`<button
      type="button"
      class="state is-${value || "all"}"
      data-status="${value}"
      aria-pressed="${value === "" ? "true" : "false"}"
      ${count === 0 && value !== "" ? html`hidden` : undefined}
    >
      <b>${grouped(count)}</b> <span>${word}</span>
    </button>`;
  return html`<div id="states" class="states" role="group" aria-label="Show those that are">
    ${state("", "All", all)} ${STATUSES.map((each) => state(each, LOOKS[each].word, counts[each]))}
  </div>`;
}

/** Hidden until there is a script to work them. */
function renderFilters(pools: readonly string[]): Html {
  const field = (id: string, label: string, hint: string) =>
    html`<div class="filter">
      <label for="${id}">${label}</label>
      <input
        type="search"
        id="${id}"
        autocomplete="off"
        spellcheck="false"
        maxlength="${LONGEST_FILTER}"
        placeholder="${hint}"
      />
    </div>`;
  return html`<form id="filters" class="filters" role="search" aria-label="Portals" hidden>
    ${field("name", "Name", "north-*")}
    <div class="filter" ${pools.length === 0 ? html`hidden` : undefined}>
      <label for="pool">Pool</label>
      <select id="pool">
        <option value="">any</option>
        ${pools.map((pool) => html`<option>${pool}</option>`)}
      </select>
    </div>
    ${field("text", "Text", "a setting, an address, a message")}
    <button id="all" type="reset" hidden>Show all</button>
  </form>`;
}
