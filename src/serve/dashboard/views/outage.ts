// Adds to every page that the database of a queue does not answer, so that what the page shows is old.
import { html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { renderTime } from "./time.js";

/** Hidden while there is no outage: so the script of an open page can fill it. */
export function withOutage(view: View, sinceMs: number | undefined): View {
  const banner =
    sinceMs === undefined
      ? html`<aside id="outage" class="part" aria-label="Database" hidden></aside>`
      : html`<aside id="outage" class="part" aria-label="Database">
          <p class="callout failed">
            Database unreachable since ${renderTime(sinceMs)}. What is shown is from before.
          </p>
        </aside>`;
  return { ...view, body: html`${banner}${view.body}` };
}
