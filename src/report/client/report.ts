// Opens the sections of a report: all of them on request and for print, and the one that a link names.
import { lookFor } from "../../lib/client/find.js";

const sections = [...document.querySelectorAll<HTMLDetailsElement>("details.portal")];

const folds = lookFor("folds", HTMLElement);
if (folds && sections.length > 1) {
  folds.hidden = false;
  folds.addEventListener("click", ({ target }) => {
    const { open } = (target as HTMLElement).dataset;
    if (open) for (const each of sections) each.open = open === "true";
  });
}

let closed: HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  closed = sections.filter((each) => !each.open);
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
openNamed();
