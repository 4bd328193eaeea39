// What the page of all portals does: it filters the rows, and takes in those that change.
// What is put in as HTML was escaped by the template, and the policy lets nothing else run.
import { showBlocks } from "./blocks.js";
import { find } from "../../../lib/client/find.js";
import type { PortalsNews } from "./news.js";
import { compareRows } from "./order.js";
import { patternOf, rowOf, wordsOf, type Row } from "./row.js";
import { stayLive } from "./live.js";
import { tellTimes } from "./times.js";

const TIMES_MS = 15_000;
/** Many changes at once are told in one sentence. */
const SAY_MS = 1_500;

const { stamp } = JSON.parse(find("data", HTMLElement).textContent) as { readonly stamp: string };
const form = find("filters", HTMLFormElement);
const showAll = find("all", HTMLButtonElement);
const [name, text] = [find("name", HTMLInputElement), find("text", HTMLInputElement)];
const pool = find("pool", HTMLSelectElement);
const found = find("found", HTMLElement);
const nothing = find("nothing", HTMLElement);
const said = find("said", HTMLElement);
const table = find("portals", HTMLTableElement);
const states = [...find("states", HTMLElement).querySelectorAll<HTMLButtonElement>("button")];

/** In the order in which they stand. */
const ranks = states.flatMap(({ dataset }) => dataset["status"] || []);
const rows = [...table.tBodies].flatMap(({ rows }) => [...rows]).map((row) => rowOf(row, ranks));
const byKey = new Map(rows.map((row) => [row.key, row]));

function chosenState(): string {
  return states.find((each) => each.ariaPressed === "true")?.dataset["status"] ?? "";
}

/** What is chosen, made once for all rows. */
function chooser(): (row: Row) => boolean {
  const [state, pooled, named] = [chosenState(), pool.value, patternOf(name.value)];
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) =>
    (state === "" || row.status === state) &&
    (pooled === "" || row.pool === pooled) &&
    (named === undefined || named.test(row.name)) &&
    words.every((word) => wordsOf(row).includes(word));
}

function filter(): void {
  const isChosen = chooser();
  const counts = new Map([...table.tBodies].map((block) => [block as ParentNode, 0]));
  let count = 0;
  for (const row of rows) {
    const { element } = row;
    const isShown = isChosen(row);
    if (element.hidden === isShown) element.hidden = !isShown;
    const block = element.parentNode;
    if (!isShown || !block) continue;
    count++;
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  showBlocks(table, counts);
  tellCount(count);
}

function tellCount(count: number): void {
  showAll.hidden = chosenState() === "" && [name, text, pool].every(({ value }) => value === "");
  const portals = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "portal" : "portals"}`;
  const told = count === rows.length ? portals : `${count.toLocaleString("en")} of ${portals}`;
  if (found.textContent !== told) found.textContent = told;
  nothing.hidden = count > 0 || rows.length === 0;
}

/** Kept in the address, so that it can be sent to somebody, and is there again on the way back. */
function remember(): void {
  const values = { state: chosenState(), name: name.value, pool: pool.value, text: text.value };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  history.replaceState(null, "", `${location.pathname}${query.size > 0 ? `?${query}` : ""}`);
}

function recall(): void {
  const query = new URLSearchParams(location.search);
  name.value = query.get("name") ?? "";
  text.value = query.get("text") ?? "";
  pool.value = query.get("pool") ?? "";
  // A pool that is no longer there.
  if (pool.selectedIndex < 0) pool.value = "";
  choose(query.get("state") ?? "");
}

function choose(state: string): void {
  const isThere = states.some(({ dataset }) => dataset["status"] === state);
  for (const each of states) {
    each.ariaPressed = String(each.dataset["status"] === (isThere ? state : ""));
  }
}

/** At most once for each picture that the screen shows. */
let isDue = false;
function filterSoon(): void {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    filter();
  });
}

function place(row: Row): void {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = rows[middle];
    if (other && compareRows(other, row) <= 0) from = middle + 1;
    else to = middle;
  }
  const next = rows[from];
  if (next) next.element.before(row.element);
  else [...table.tBodies].at(-1)?.append(row.element);
  rows.splice(from, 0, row);
}

function remove(key: string): void {
  const row = byKey.get(key);
  if (!row) return;
  row.element.remove();
  rows.splice(rows.indexOf(row), 1);
  byKey.delete(key);
}

const template = document.createElement("template");

/** Puts a row where it belongs; what had the focus in it has it still. */
function put(key: string, markup: string): string | undefined {
  template.innerHTML = `<table><tbody>${markup}</tbody></table>`;
  const element = template.content.querySelector("tr");
  if (!element) return undefined;
  const before = byKey.get(key);
  const row = rowOf(document.adoptNode(element), ranks);
  const hasFocus = before?.element.contains(document.activeElement) === true;
  const isInPlace = before !== undefined && compareRows(before, row) === 0;
  if (isInPlace) {
    before.element.replaceWith(row.element);
    rows[rows.indexOf(before)] = row;
  } else {
    remove(key);
    place(row);
  }
  byKey.set(key, row);
  tellTimes(row.element);
  if (hasFocus) row.element.querySelector("a")?.focus({ preventScroll: true });
  const isNews = before?.status !== row.status;
  if (isNews) row.element.classList.add("is-new");
  return isNews ? `${row.name}: ${row.element.querySelector(".pill")?.textContent}` : undefined;
}

function take(data: string): void {
  const news = JSON.parse(data) as PortalsNews;
  for (const key of news.gone) remove(key);
  for (const [key, markup] of news.rows) {
    const told = put(key, markup);
    if (told !== undefined) tell(told);
  }
  tellCounts(news);
  const known = new Set([...pool.options].map(({ value }) => value));
  for (const each of news.pools) if (!known.has(each)) pool.add(new Option(each));
  if (news.pools.length > 0 && pool.parentElement) pool.parentElement.hidden = false;
  filter();
}

function tellCounts({ verdict, counts }: PortalsNews): void {
  const line = find("verdict", HTMLElement);
  if (line.textContent !== verdict) line.textContent = verdict;
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  let x = 0;
  for (const state of states) {
    const { status = "" } = state.dataset;
    const count = status === "" ? all : (counts[status] ?? 0);
    const figure = state.querySelector("b");
    if (figure) figure.textContent = count.toLocaleString("en");
    state.hidden = count === 0 && status !== "" && state.ariaPressed !== "true";
    const share = document.querySelector(`.share .is-${status}`);
    if (!share) continue;
    const width = all > 0 ? (count / all) * 1000 : 0;
    share.setAttribute("x", x.toFixed(1));
    share.setAttribute("width", width.toFixed(1));
    x += width;
  }
}

/** For those who do not see the rows change. */
let waiting: string[] = [];
function tell(sentence: string): void {
  waiting.push(sentence);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const [first = ""] = waiting;
    said.textContent =
      waiting.length === 1 ? `${first}.` : `${waiting.length} portals changed their state.`;
    waiting = [];
  }, SAY_MS);
}

form.hidden = false;
form.addEventListener("input", () => {
  filterSoon();
  remember();
});
form.addEventListener("reset", () =>
  setTimeout(() => {
    choose("");
    filterSoon();
    remember();
  }),
);
form.addEventListener("submit", (event) => event.preventDefault());
find("states", HTMLElement).addEventListener("click", ({ target }) => {
  const state = (target as Element).closest<HTMLButtonElement>("button[data-status]");
  if (!state) return;
  choose(state.ariaPressed === "true" ? "" : (state.dataset["status"] ?? ""));
  filterSoon();
  remember();
});
recall();
filter();
tellTimes();
setInterval(tellTimes, TIMES_MS);
stayLive(stamp, (from) => `/events?since=${encodeURIComponent(from)}`, { rows: take });
