// What a report's page does beyond opening and closing: it filters, leads from a row to its portal, and opens all for print.
// Nothing is put into the page; what is there is shown or hidden. Without a script all of it is shown.
import { find, lookFor } from "./find.js";

const portals = [...document.querySelectorAll<HTMLDetailsElement>("details.portal")];
const shown = () => portals.filter((each) => !each.hidden);

const folds = lookFor("folds", HTMLElement);
if (folds && portals.length > 1) {
  folds.hidden = false;
  folds.addEventListener("click", ({ target }) => {
    const { open } = (target as HTMLElement).dataset;
    if (open) for (const each of shown()) each.open = open === "true";
  });
}

let closed: HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  closed = shown().filter((each) => !each.open);
  for (const each of closed) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of closed) each.open = false;
});

function openNamed(): void {
  const portal = portals.find(({ id }) => id === location.hash.slice(1));
  if (!portal) return;
  portal.open = true;
  portal.scrollIntoView();
  portal.querySelector("summary")?.focus({ preventScroll: true });
}
addEventListener("hashchange", openNamed);
document.addEventListener("click", ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>("#matrix a");
  if (link?.hash === location.hash) openNamed();
});
openNamed();

const filters = lookFor("filters", HTMLFormElement);
if (filters) beginToFilter(filters);

function beginToFilter(form: HTMLFormElement): void {
  const text = find("text", HTMLInputElement);
  const state = find("state", HTMLSelectElement);
  const parameter = find("parameter", HTMLSelectElement);
  const found = find("found", HTMLElement);
  const all = found.textContent;
  const rows = [...document.querySelectorAll<HTMLElement>("#matrix tbody tr")].map((row) => {
    const link = row.querySelector("a");
    const portal = link ? lookFor(link.hash.slice(1), HTMLElement) : undefined;
    const { states = "", changed = "" } = row.dataset;
    let words: string | undefined;
    return {
      parts: portal ? [row, portal] : [row],
      states: states.split(" "),
      changed: changed.split(" "),
      // Read when somebody first looks for a word.
      has: (word: string) => (words ??= wordsOf(row, portal)).includes(word),
    };
  });

  function filter(): void {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { parts, states, changed, has } of rows) {
      const isShown =
        (state.value === "" || states.includes(state.value)) &&
        (parameter.value === "" || changed.includes(parameter.value)) &&
        words.every(has);
      for (const part of parts) if (part.hidden === isShown) part.hidden = !isShown;
      if (isShown) count++;
    }
    found.textContent = count === rows.length ? all : `${count.toLocaleString("en")} of ${all}`;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  // A browser that comes back to a page remembers what was chosen in it.
  filter();
}

/** Not those of requests: they hold all that stays as it is, which nobody looks for. */
function wordsOf(row: HTMLElement, portal: HTMLElement | undefined): string {
  const told =
    portal?.querySelectorAll(":scope > summary, :scope > .inside > :not(.request)") ?? [];
  return [row, ...told]
    .map(({ textContent }) => textContent)
    .join(" ")
    .toLowerCase();
}
