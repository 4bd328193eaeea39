// Renders links to portals; a long list is collapsed.
import { html, renderText, type Html } from "../../../lib/html.js";
import { counted, shortened } from "../../../lib/text.js";

export interface NamedPortal {
  readonly key: string;
  readonly name: string;
}

const LONGEST_NAME = 100;
const MOST = 500;

export function portalAddress(key: string): string {
  return `/portals/${encodeURIComponent(key)}`;
}

export function renderPortalLink({ key, name }: NamedPortal): Html {
  return html`<a class="portal-link" href="${portalAddress(key)}"
    ><bdi>${renderText(shortened(name, LONGEST_NAME))}</bdi></a
  >`;
}

/** With an `id`, an open list stays open when the page is updated. */
export function renderPortalLinks(portals: readonly NamedPortal[], id: string): Html {
  const [first] = portals;
  if (first && portals.length === 1) return renderPortalLink(first);
  const left = portals.length - MOST;
  return html`<details class="names" id="${id}">
    <summary>${counted(portals.length, "portal")}</summary>
    <ul>
      ${portals.slice(0, MOST).map((each) => html`<li>${renderPortalLink(each)}</li>`)}
      ${left > 0 ? html`<li class="quiet">and ${counted(left, "more portal")}</li>` : undefined}
    </ul>
  </details>`;
}
