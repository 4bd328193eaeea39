// A heading → the same, with the buttons that open and close what is folded below it.
import { html, type Html } from "../../pages/html.js";

/** A heading above several portals or the like, with what opens and closes all of them; once a page. */
export function renderFolds(title: string): Html {
  return html`<div class="bar">
    <h2>${title}</h2>
    <p id="folds" class="folds" hidden>
      <button type="button" data-open="true">Open all</button>
      <button type="button" data-open="false">Close all</button>
    </p>
  </div>`;
}
