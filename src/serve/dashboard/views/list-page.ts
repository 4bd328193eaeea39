// Renders the list of portals: counts by status, search, and one page of rows.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { counted, grouped, shortened } from "../../../lib/text.js";
import type { Snapshot } from "../../snapshot.js";
import { listAddress, PAGE_SIZE, type Counts, type PortalList } from "../portal-list.js";
import { layout, type Around } from "./layout.js";
import { differenceOf, LABELS, renderStatus, STATUSES, type Status } from "./status.js";
import { renderCheckbox, renderSelectionForm, type Selection } from "./action-forms.js";
import { portalAddress } from "./portal-link.js";
import { renderTime } from "./time.js";
import { renderShares } from "./status-bar.js";

const LONGEST_NAME = 100;
const LONGEST_SENTENCE = 160;

/** For operators: actions on several portals, and the result of the last one. */
export interface ListActions {
  readonly selection?: Selection | undefined;
  readonly result?: Html | undefined;
}

export function listPage(
  list: PortalList,
  around: Around,
  { selection, result }: ListActions = {},
): View {
  // A user may be an operator of some portals only.
  const isAny = list.rows.some((each) => selection?.mayAct(each));
  return layout({
    title: "Portals",
    nav: "/",
    around,
    main: html`<section id="summary" class="part" aria-label="Portals by status">
        ${renderSummary(list)}
      </section>
      ${result} ${renderSearch(list)}
      <section id="results" class="part" aria-label="List of portals">
        ${renderResults(list, isAny ? selection : undefined)}
      </section>`,
  });
}

function renderSummary({ counts, query, total }: PortalList): Html {
  const all = STATUSES.reduce((sum, each) => sum + counts[each], 0);
  const shares = STATUSES.map((each) => ({ kind: `is-${each}`, count: counts[each] }));
  const link = (status: Status | undefined, label: string, count: number) =>
    html`<a
      id="status-${status ?? "all"}"
      class="state is-${status ?? "all"}"
      href="${listAddress({ ...query, status, page: 1 })}"
      ${query.status === status ? html`aria-current="true"` : undefined}
      ><b>${grouped(count)}</b> <span>${label}</span></a
    >`;
  const shown = STATUSES.filter((each) => counts[each] > 0 || each === query.status);
  return html`<div class="head">
      <h1>Portals</h1>
      <p class="verdict">${total === 0 ? "No portals yet." : verdictOf(counts)}</p>
    </div>
    ${all > 0 ? renderShares(shares, "Portals by status") : undefined}
    <nav class="states" aria-label="Status">
      ${link(undefined, "All", all)} ${shown.map((each) => link(each, LABELS[each], counts[each]))}
    </nav>`;
}

const NEEDS_ATTENTION = ["invalid", "unreachable", "drifted", "held", "blocked"] as const;

export function verdictOf(counts: Counts): string {
  const all = STATUSES.reduce((sum, each) => sum + counts[each], 0);
  const isAll = counts["in-sync"] === all;
  if (all === 0) return "Nothing found.";
  if (isAll)
    return all === 1 ? "The portal is in sync." : `All ${counted(all, "portal")} are in sync.`;
  const count = NEEDS_ATTENTION.reduce((sum, each) => sum + counts[each], 0);
  const inSync = `${grouped(counts["in-sync"])} of ${counted(all, "portal")} in sync`;
  return count === 0
    ? `${inSync}.`
    : `${inSync}, ${grouped(count)} ${count === 1 ? "needs" : "need"} attention.`;
}

/** Works as a plain form; with the script it is sent while the user types. */
function renderSearch({ query, pools }: PortalList): Html {
  return html`<form id="search" class="filters" role="search" aria-label="Portals" action="/">
    <div class="filter wide">
      <label for="q">Search</label>
      <input
        type="search"
        id="q"
        name="q"
        value="${query.q}"
        autocomplete="off"
        spellcheck="false"
        maxlength="200"
        placeholder="north-*  host:gis.example.com"
        aria-describedby="q-hint"
      />
    </div>
    ${
      pools.length > 0
        ? html`<div class="filter">
            <label for="pool">Pool</label>
            <select id="pool" name="pool">
              <option value="">any</option>
              ${pools.map(
                (pool) =>
                  html`<option ${pool === query.pool ? html`selected` : undefined}>
                    ${pool}
                  </option>`,
              )}
            </select>
          </div>`
        : undefined
    }
    <input type="hidden" name="status" value="${query.status ?? ""}" />
    <button>Search</button>
    <p id="q-hint" class="quiet hint">
      Finds names, hosts, settings, authors and commits. To search one of them, add
      <code>name:</code>, <code>host:</code>, <code>setting:</code>, <code>author:</code> or
      <code>commit:</code>.
    </p>
  </form>`;
}

const COLUMNS = ["Portal", "Status", "Details", "Next window", "Checked"];

function renderResults({ rows, found, pages, query }: PortalList, selection?: Selection): Html {
  const { page } = query;
  const from = (page - 1) * PAGE_SIZE;
  const isFiltered = query.q !== "" || query.status !== undefined || query.pool !== "";
  const count =
    pages > 1
      ? `${grouped(from + 1)} to ${grouped(from + rows.length)} of ${counted(found, "portal")}`
      : counted(found, "portal");
  return html`<p class="count">
      <span id="count">${count}</span> ${isFiltered ? html`<a href="/">Show all</a>` : undefined}
    </p>
    ${
      rows.length === 0
        ? html`<p class="nothing">No portal matches.</p>`
        : html`${selection && renderSelectionForm(selection, listAddress(query))}
            <table id="portals" role="table" aria-label="Portals">
              <thead role="rowgroup">
                <tr role="row">
                  ${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}
                </tr>
              </thead>
              <tbody role="rowgroup">
                ${rows.map((each) => renderRow(each, selection?.mayAct(each) === true))}
              </tbody>
            </table>`
    }
    ${pages > 1 ? renderPager(query, pages) : undefined}`;
}

function renderPager(query: PortalList["query"], pages: number): Html {
  const { page } = query;
  const link = (to: number, label: string) =>
    to >= 1 && to <= pages
      ? html`<a
          id="page-${label.toLowerCase()}"
          class="button"
          href="${listAddress({ ...query, page: to })}"
          >${label}</a
        >`
      : html`<span class="button is-off" aria-hidden="true">${label}</span>`;
  return html`<nav class="pager" aria-label="Pages of the list">
    ${link(page - 1, "Previous")}
    <span>Page ${grouped(page)} of ${grouped(pages)}</span>
    ${link(page + 1, "Next")}
  </nav>`;
}

function renderRow(seen: Snapshot, isSelectable: boolean): Html {
  const { key, name, status } = seen;
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      ${isSelectable ? renderCheckbox(seen) : undefined}
      <a id="portal-${key}" href="${portalAddress(key)}"
        ><bdi>${renderText(shortened(name, LONGEST_NAME))}</bdi></a
      >
      <span class="where">${renderText(shortened(whereOf(seen), LONGEST_NAME))}</span>
    </th>
    <td role="cell">${renderStatus(status)}</td>
    <td role="cell" class="details">
      ${renderText(shortened(differenceOf(seen), LONGEST_SENTENCE))}
    </td>
    <td role="cell" class="next">${renderNextWindow(seen)}</td>
    <td role="cell" class="when">
      ${seen.checkedMs === undefined ? "not yet" : renderTime(seen.checkedMs, "near")}
    </td>
  </tr>`;
}

/** Shows "gis.example.com/portal, portal-7", or the file if the portal is unknown. */
function whereOf({ url, id, file }: Snapshot): string {
  if (url === "") return file;
  const short = url.replace(/^https?:\/\//, "").replace(/\/sharing\/rest$/, "");
  return id === "self" ? short : `${short}, ${id}`;
}

/** The first boundary after the last check, of applied windows only. */
function renderNextWindow({ windows, checkedMs = 0 }: Snapshot): Html | undefined {
  const boundaries = windows
    .filter(({ isUnapplied }) => !isUnapplied)
    .flatMap(({ name, fromMs, untilMs }) => [
      { name, ms: fromMs, verb: "opens" },
      { name, ms: untilMs, verb: "closes" },
    ]);
  const [next] = boundaries
    .filter(({ ms }) => ms > checkedMs)
    .toSorted((one, other) => one.ms - other.ms);
  if (!next) return undefined;
  const name = renderText(shortened(next.name, LONGEST_NAME));
  return html`<span class="window">${name}</span> ${next.verb} ${renderTime(next.ms, "near")}`;
}
