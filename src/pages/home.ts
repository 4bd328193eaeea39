// Settings and who is looking → a portal's home page the way that visitor meets it.
import type { FooterLink, PortalConfigProperties, Settings } from "../catalog/names.js";
import { isJsonObject } from "../json.js";
import { mailHref, safeHref } from "./address.js";
import { bannerStyle, isShown, renderBanner } from "./banner.js";
import { HOME_STYLE } from "./home-style.js";
import { html, type Html } from "./html.js";
import { isAsked, renderDeclined, renderNotice, type Answer } from "./notice.js";
import type { View } from "./page.js";
import { STYLE } from "./style.js";

export type Viewer = "anonymous" | "member" | "administrator";

export interface Visit {
  readonly settings: Settings;
  readonly viewer: Viewer;
  readonly name: string;
  /** The address of this page, without a query: where the answer to a notice goes. */
  readonly here: string;
  /** What the visitor said to the notice; absent until then. */
  readonly answer?: Answer;
  /** The way in or out, at the end of the header. */
  readonly door?: { readonly text: string; readonly href: string };
  /** Stands below the page and never behind a notice: what a preview or a sandbox adds of its own. */
  readonly below?: Html;
}

export function home(visit: Visit): View {
  const { settings, viewer, name, here, answer } = visit;
  const banner = settings.informationalBanner;
  const notice =
    viewer === "anonymous" ? settings.anonymousAccessNotice : settings.authenticatedAccessNotice;
  const isWaiting = isAsked(notice) && answer === undefined;
  const isDeclined = isAsked(notice) && answer === "declined";
  const page = isDeclined ? renderDeclined(here) : renderSite(visit);
  return {
    title: name,
    style: `${STYLE}${HOME_STYLE}${isShown(banner) ? bannerStyle(banner) : ""}`,
    body: html`${isShown(banner) ? renderBanner(banner) : undefined}
    ${isWaiting ? html`<div class="site" inert>${page}</div>` : html`<div class="site">${page}</div>`}
    ${isWaiting ? renderNotice(notice, here) : undefined}
    ${visit.below && html`<div class="below">${visit.below}</div>`}`,
  };
}

function renderSite({ settings, viewer, name, here, door }: Visit): Html {
  const advanced = settings.portalConfigProperties ?? {};
  const isOrganizationHidden =
    viewer === "anonymous" ||
    (advanced.restrictOrganizationPageToAdmin === true && viewer !== "administrator");
  const places = [
    "Gallery",
    "Map",
    ...(advanced.sceneViewerEnabled === false ? [] : ["Scene"]),
    ...(viewer === "anonymous" ? [] : ["Content"]),
    ...(isOrganizationHidden ? [] : ["Organization"]),
  ];
  return html`<header class="top">
      <a class="mark" href="${here}"><span aria-hidden="true" class="contours"></span>${name}</a>
      <nav aria-label="Portal">
        <ul>
          <li><a href="${here}" aria-current="page">Home</a></li>
          ${places.map((place) => html`<li><span>${place}</span></li>`)}
        </ul>
      </nav>
      <div class="doors">
        ${renderLauncher(advanced)}
        ${door && html`<a class="button" href="${door.href}">${door.text}</a>`}
      </div>
    </header>
    <main>
      <section class="hero">
        <div>
          <h1>${name}</h1>
          <p>Maps, scenes and data of this organisation in one place.</p>
        </div>
      </section>
      <section class="cards" aria-label="Featured">
        ${FEATURED.map(
          ({ title, text }) =>
            html`<article>
              <div class="sketch" aria-hidden="true"></div>
              <h2>${title}</h2>
              <p class="quiet">${text}</p>
            </article>`,
        )}
      </section>
    </main>
    ${renderFooter(advanced.footerLinks)}`;
}

const FEATURED = [
  { title: "Base maps", text: "Streets, terrain and imagery to draw on." },
  { title: "Boundaries", text: "Districts, parcels and places, kept up to date." },
  { title: "Field work", text: "Forms and maps for a day outdoors." },
];

/** The titles that the settings list, then the applications that a property of their own switches on or places elsewhere. */
function renderLauncher(advanced: PortalConfigProperties): Html {
  const listed = Array.isArray(advanced.showInAppLauncher) ? advanced.showInAppLauncher : [];
  const entries: readonly Entry[] = [
    ...listed.filter((each) => typeof each === "string").map((title) => ({ title })),
    ...(advanced.webEditorEnabled === true ? [{ title: "Web Editor" }] : []),
    ...(advanced.tpsEnabled === true ? [{ title: "Topographic production" }] : []),
    ...(advanced.dataPipelinesEnabled === true ? [{ title: "Data pipelines" }] : []),
    ...placed("Survey", advanced.surveyUrl),
    ...placed("Streaming analytics", advanced.iotViewerUrl),
  ];
  return html`<details class="launcher">
    <summary aria-label="Apps" title="Apps"><span aria-hidden="true" class="dots"></span></summary>
    <div class="sheet">
      <h2>Apps</h2>
      ${
        entries.length > 0
          ? html`<ul>
              ${entries.map((entry) => html`<li>${renderLink(entry.title, entry.href)}</li>`)}
            </ul>`
          : html`<p class="quiet">The settings list no apps.</p>`
      }
    </div>
  </details>`;
}

interface Entry {
  readonly title: string;
  readonly href?: string;
}

function placed(title: string, address: unknown): readonly Entry[] {
  if (typeof address !== "string" || address === "") return [];
  const href = safeHref(address);
  return [{ title, ...(href !== undefined && { href }) }];
}

function renderFooter(links: unknown): Html {
  const entries = (Array.isArray(links) ? links : []).filter(isJsonObject) as FooterLink[];
  return html`<footer class="foot">
    ${
      entries.length > 0
        ? html`<nav aria-label="Footer">
            <ul>
              ${entries.map((entry) => html`<li>${renderFooterLink(entry)}</li>`)}
            </ul>
          </nav>`
        : html`<p class="quiet">No links.</p>`
    }
  </footer>`;
}

// Settings read from a portal have not been checked: every value is looked at before it is used.
function renderFooterLink({ title, url, email }: FooterLink): Html {
  const target = [url, email].find((each) => typeof each === "string" && each !== "");
  const href = target === url ? safeHref(url) : mailHref(email);
  return renderLink(typeof title === "string" && title !== "" ? title : (target ?? ""), href);
}

function renderLink(title: string, href: string | undefined): Html {
  return href === undefined
    ? html`<span dir="auto">${title}</span>`
    : html`<a href="${href}" rel="noopener noreferrer" dir="auto">${title}</a>`;
}
