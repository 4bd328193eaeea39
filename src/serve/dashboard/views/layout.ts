// Lays out every page of the dashboard: header with navigation, live indicator and signed-in user, then the page's own content.
import script from "../../../../generated/serve/dashboard-script.js";
import style from "../../../../generated/serve/dashboard-style.js";
import { html, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import type { JsonObject } from "../../../lib/json.js";

const NAVIGATION = [
  ["/", "Portals"],
  ["/rollout", "Rollout"],
  ["/activity", "Activity"],
  ["/calendar", "Calendar"],
  ["/workers", "Workers"],
] as const;

export type NavPath = (typeof NAVIGATION)[number][0];

export interface Layout {
  /** Of the browser's tab, without the product's name. */
  readonly title: string;
  /** The entry of the navigation that the page belongs to. */
  readonly nav: NavPath;
  /**
   * Holds the one `<h1>`. While the page is open, the script replaces each element of the class "part" whose content has
   * changed: give these an id, and an `aria-label` by which a screen reader announces the change.
   */
  readonly main: Html;
  /** Added to the style sheet of all pages, such as the colours of a portal's banner. */
  readonly style?: string;
  /** For the script: `stamp` is the version of the data shown, `portal` the key of the one portal that the page is about. */
  readonly data?: JsonObject;
  /** The signed-in user, where a proxy names one. */
  readonly user?: string | undefined;
}

export function layout({ title, nav, main, style: own = "", data = {}, user }: Layout): View {
  return {
    title: `${title} – Lintel`,
    style: style + own,
    script,
    data,
    isLive: true,
    body: html`<div class="dashboard">
      <a class="skip" href="#main">Skip to content</a>
      <header class="top">
        <p class="brand"><span aria-hidden="true" class="contours"></span>Lintel</p>
        <nav aria-label="Pages">
          ${NAVIGATION.map(
            ([path, name]) =>
              html`<a href="${path}" ${path === nav ? html`aria-current="page"` : undefined}
                >${name}</a
              >`,
          )}
        </nav>
        <p class="live">
          <span aria-hidden="true" class="dot"></span><span id="live" role="status">Not live</span>
        </p>
        ${user === undefined ? undefined : html`<p class="user">Signed in as <bdi>${user}</bdi></p>`}
      </header>
      <main id="main" tabindex="-1">${main}</main>
      <p id="announcement" class="unseen" role="status"></p>
    </div>`,
  };
}
