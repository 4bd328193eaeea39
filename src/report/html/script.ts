// What a report's page does beyond opening and closing: it filters, leads from a row to its portal, and opens all for print.

// Nothing is put into the page; what is there is shown or hidden. Without a script all of it is shown.
export const SCRIPT = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const portals = [...document.querySelectorAll("details.portal")];
  const shown = () => portals.filter((each) => !each.hidden);

  const folds = find("folds");
  if (folds && portals.length > 1) {
    folds.hidden = false;
    folds.addEventListener("click", ({ target }) => {
      if (target.dataset.open) for (const each of shown()) each.open = target.dataset.open === "true";
    });
  }

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = shown().filter((each) => !each.open);
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });

  const open = () => {
    const portal = find(location.hash.slice(1));
    if (!portal || !portals.includes(portal)) return;
    portal.open = true;
    portal.scrollIntoView();
    portal.firstElementChild.focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#matrix a");
    if (link && link.hash === location.hash) open();
  });
  open();

  const filters = find("filters");
  if (!filters) return;
  const [text, state, parameter, found] = ["text", "state", "parameter", "found"].map(find);
  const split = (words) => new Set(words.split(" "));
  const rows = [...find("matrix").tBodies[0].rows].map((row) => {
    const link = row.querySelector("a");
    const { states, changed } = row.dataset;
    return { row, portal: link && find(link.hash.slice(1)), states: split(states), changed: split(changed) };
  });
  // Not in requests: they hold all that stays as it is, which nobody looks for.
  const told = ":scope > summary, :scope > .inside > :not(.request)";
  const textOf = (each) =>
    (each.text ??= [each.row, ...(each.portal ? each.portal.querySelectorAll(told) : [])]
      .map((part) => part.textContent)
      .join(" ")
      .toLowerCase());
  const all = found.textContent;

  function filter() {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const each of rows) {
      const isShown =
        (state.value === "" || each.states.has(state.value)) &&
        (parameter.value === "" || each.changed.has(parameter.value)) &&
        words.every((word) => textOf(each).includes(word));
      if (each.row.hidden === isShown) each.row.hidden = !isShown;
      if (each.portal && each.portal.hidden === isShown) each.portal.hidden = !isShown;
      count += isShown;
    }
    found.textContent = count === rows.length ? all : count.toLocaleString("en") + " of " + all;
  }

  filters.hidden = false;
  filters.addEventListener("input", filter);
  filters.addEventListener("reset", () => setTimeout(filter));
  filters.addEventListener("submit", (event) => event.preventDefault());
  // A browser that comes back to a page remembers what was chosen in it.
  filter();
})();
`;
