// What a report's page does beyond opening and closing: it filters, leads from a row to its portal, and opens all for print.
// Nothing is put into the page; what is there is shown or hidden. Without a script all of it is shown.
import { find, lookFor } from "./find.js";

const sections = [...document.querySelectorAll<HTMLDetailsElement>("details.portal")];
const shown = () => sections.filter((each) => !each.hidden);

const folds = lookFor("folds", HTMLElement);
if (folds && sections.length > 1) {
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
  const section = sections.find(({ id }) => id === location.hash.slice(1));
  if (!section) return;
  section.open = true;
  section.scrollIntoView();
  section.querySelector("summary")?.focus({ preventScroll: true });
}
addEventListener("hashchange", openNamed);

/** By the number of a portal in the run: what is told of it alone, and together with others. */
const tellingOf = new Map<number, HTMLDetailsElement[]>();
const telling = sections.filter(({ dataset }) => dataset["of"]);
for (const section of telling) {
  for (const at of numbersIn(section.dataset["of"] ?? "")) {
    const known = tellingOf.get(at);
    if (known) known.push(section);
    else tellingOf.set(at, [section]);
  }
}

document.addEventListener("click", ({ target }) => {
  const link = (target as Element).closest<HTMLAnchorElement>("#matrix a, .others a");
  if (!link) return;
  for (const each of tellingOf.get(numberOf(link)) ?? []) each.open = true;
  if (link.hash === location.hash) openNamed();
});
openNamed();

const filters = lookFor("filters", HTMLFormElement);
if (filters) beginToFilter(filters);

/** Of the portal in whose row it stands. */
function numberOf(inside: HTMLElement): number {
  return Number(inside.closest<HTMLElement>("[data-at]")?.dataset["at"] ?? -1);
}

/** "0-4 7" */
function numbersIn(ranges: string): number[] {
  return ranges
    .split(" ")
    .filter(Boolean)
    .flatMap((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => from + at);
    });
}

function beginToFilter(form: HTMLFormElement): void {
  const text = find("text", HTMLInputElement);
  const state = find("state", HTMLSelectElement);
  const parameter = find("parameter", HTMLSelectElement);
  const found = find("found", HTMLElement);
  const all = found.textContent;
  const rows = [...document.querySelectorAll<HTMLElement>("#matrix tr[data-states]")].map(beginRow);
  const inSections = new Map(telling.map((each) => [each, reader(() => toldIn(each))]));

  function filter(): void {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isIn = new Map(
      words.map((word) => [word, new Set(telling.filter((each) => inSections.get(each)?.(word)))]),
    );
    const told = new Set<HTMLDetailsElement>();
    let count = 0;
    for (const { states, changed, row, portals, show } of rows) {
      const isChosen =
        (state.value === "" || states.includes(state.value)) &&
        (parameter.value === "" || changed.includes(parameter.value));
      const chosen = portals.filter(
        ({ at, name }) =>
          isChosen &&
          words.every(
            (word) =>
              name(word) ||
              row(word) ||
              tellingOf.get(at)?.some((each) => isIn.get(word)?.has(each)),
          ),
      );
      show(new Set(chosen.map(({ part }) => part)), words.length > 0);
      for (const { at } of chosen) for (const each of tellingOf.get(at) ?? []) told.add(each);
      count += chosen.length;
    }
    for (const each of telling) if (each.hidden === told.has(each)) each.hidden = !told.has(each);
    found.textContent =
      count === Number(form.dataset["count"]) ? all : `${count.toLocaleString("en")} of ${all}`;
  }

  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  // A browser that comes back to a page remembers what was chosen in it.
  filter();
}

/** A row of one portal, or of several that are alike, whose names stand in the row below. */
function beginRow(row: HTMLElement) {
  const { states = "", changed = "", at } = row.dataset;
  const below = at === undefined ? row.nextElementSibling : null;
  const parts = below ? [...below.querySelectorAll<HTMLElement>("li")] : [row];
  const fold = row.querySelector("details");
  const title = fold?.querySelector("summary");
  const whole = title?.textContent ?? "";
  let isOpened = false;

  function show(chosen: ReadonlySet<HTMLElement>, isSearched: boolean): void {
    const isSome = chosen.size > 0 && chosen.size < parts.length;
    for (const part of parts) if (part.hidden === chosen.has(part)) part.hidden = !chosen.has(part);
    if (!fold || !title || !(below instanceof HTMLElement)) return;
    row.hidden = below.hidden = chosen.size === 0;
    title.textContent = isSome ? `${chosen.size.toLocaleString("en")} of ${whole}` : whole;
    // Those that somebody looks for are named without another click.
    const isToOpen = isSome && isSearched;
    if (isToOpen === isOpened) return;
    fold.open = isOpened = isToOpen;
  }

  return {
    states: states.split(" "),
    changed: changed.split(" "),
    row: reader(() => [row]),
    portals: parts.map((part) => ({ at: numberOf(part), part, name: reader(() => [part]) })),
    show,
  };
}

/** Whether a word stands there; read when somebody first looks for one. */
function reader(partsOf: () => readonly Element[]) {
  let words: string | undefined;
  return (word: string) =>
    (words ??= partsOf()
      .map(({ textContent }) => textContent)
      .join(" ")
      .toLowerCase()).includes(word);
}

/** Not the names of several, which are looked for one by one, nor requests: they hold all that stays as it is. */
function toldIn(section: HTMLElement): Element[] {
  const inside = ":scope > .inside > :not(.request, .names, .others)";
  return [...section.querySelectorAll(inside)];
}
