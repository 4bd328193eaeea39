// Lays out every page of the dashboard: header with navigation, live indicator and user, then the content.
import script from "../../../../generated/serve/dashboard-script.js";
import style from "../../../../generated/serve/dashboard-style.js";
import { html, type Html } from "../../../lib/html.js";
import type { View } from "../../../lib/html-document.js";
import type { Repository } from "./forge.js";

const NAVIGATION = [
  ["/", "Portals"],
  ["/rollout", "Rollout"],
  ["/activity", "Activity"],
  ["/calendar", "Calendar"],
  ["/workers", "Workers"],
] as const;

export type NavPath = (typeof NAVIGATION)[number][0];

/** What every page needs besides its own content. */
export interface Around {
  /** The version of the data shown. */
  readonly stamp: string;
  /** The user named by a proxy, if there is one, and their role. */
  readonly user?: { readonly name: string; readonly role: string } | undefined;
  /** Sentences on what is applied automatically and what operators may do. */
  readonly note?: string | undefined;
  readonly repository?: Repository | undefined;
}

export interface Layout {
  /** The browser tab's title, without the product's name. */
  readonly title: string;
  /** The entry of the navigation that the page belongs to. */
  readonly nav: NavPath;
  /**
   * Contains the one `<h1>`. The script replaces each element of class "part" whose content changed. Give parts an id,
   * and an `aria-label` for screen readers.
   */
  readonly main: Html;
  /** Added to the common style sheet, such as the colours of a banner. */
  readonly style?: string;
  /** The key of the one portal that the page is about. */
  readonly portal?: string;
  readonly around: Around;
}

export function layout({ title, nav, main, style: own = "", portal, around }: Layout): View {
  const { stamp, user, note } = around;
  return {
    title: `${title} – Lintel`,
    style: style + own,
    script,
    data: { stamp, ...(portal !== undefined && { portal }) },
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
        ${user && html`<p class="user">Signed in as <bdi>${user.name}</bdi>, ${user.role}</p>`}
      </header>
      <main id="main" tabindex="-1">${main}</main>
      ${note && html`<footer class="foot">${note}</footer>`}
      <p id="announcement" class="unseen" role="status"></p>
    </div>`,
  };
}
