// Adds a banner to every page during an outage: the database does not answer, or no worker checks portals.
import { html, renderText, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import { shortened } from "../../../lib/text.js";
import type { Outage } from "../source.js";
import { renderTime } from "./time.js";

const LONGEST = 600;

/** Hidden without an outage, so that the script of an open page can fill it. */
export function withOutage(view: View, outage: Outage | undefined): View {
  const banner = outage
    ? html`<aside id="outage" class="part" aria-label="Outage">
        <div class="callout failed"><p>${renderOutage(outage)}</p></div>
      </aside>`
    : html`<aside id="outage" class="part" aria-label="Outage" hidden></aside>`;
  return { ...view, body: html`${banner}${view.body}` };
}

function renderOutage(outage: Outage): Html {
  return "sinceMs" in outage
    ? html`Database unreachable since ${renderTime(outage.sinceMs)}. This page shows what was known
      then.`
    : html`${renderText(shortened(outage.why, LONGEST))} <a href="/workers">Workers</a>`;
}
