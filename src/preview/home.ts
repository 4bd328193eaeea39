// Renders a page of the portal's site, such as its home, for one kind of visitor.
import style from "../../generated/preview/home-style.js";
import type { AccessNotice, FooterLink, Settings } from "../../schemas/names.js";
import { isJsonObject } from "../lib/json.js";
import { mailHref, safeHref, html, type Html, renderText } from "../lib/html.js";
import { bannerStyle, isShown, renderBanner } from "./banner.js";
import { renderLauncher, renderLink } from "./launcher.js";
import { isAsked, renderDeclined, renderNotice, type Answer } from "./notice.js";
import type { View } from "../lib/html-document.js";

export const VIEWERS = ["anonymous", "member", "administrator"] as const;
export type Viewer = (typeof VIEWERS)[number];

export interface Visit {
  readonly settings: Settings;
  readonly viewer: Viewer;
  readonly name: string;
  /** The address of this page without a query, which receives the answer to a notice. */
  readonly here: string;
  /** The visitor's answer to the notice; absent before it. */
  readonly answer?: Answer;
  /** The end of the header: a sign-in or sign-out link, or the user's name. */
  readonly door?: { readonly text: string; readonly href?: string };
  /** Shown below the page and never behind a notice, for the sandbox's own content. */
  readonly below?: Html;
  /** The text for unknown values, if some settings are unknown and may differ from their defaults. */
  readonly unsaid?: string;
  /** Another page of the same server shows it in a frame. */
  readonly isFramed?: boolean;
}

export function noticeFor(viewer: Viewer, settings: Settings): AccessNotice | undefined {
  return viewer === "anonymous"
    ? settings.anonymousAccessNotice
    : settings.authenticatedAccessNotice;
}

export function home(visit: Visit): View {
  return sitePage(visit, renderHome(visit));
}

/** Any page of the site, with banner, notice and footer. */
export function sitePage(visit: Visit, content: Html): View {
  const { settings, viewer, name, here, answer, isFramed } = visit;
  const banner = settings.informationalBanner;
  const notice = noticeFor(viewer, settings);
  const isWaiting = isAsked(notice) && answer === undefined;
  const isDeclined = isAsked(notice) && answer === "declined";
  const page = html`${isDeclined ? renderDeclined(here) : content}
  ${renderFooter(settings.portalConfigProperties?.footerLinks, visit.unsaid)}`;
  const strip = isShown(banner) ? renderBanner(banner) : undefined;
  return {
    title: name,
    style: `${style}${isShown(banner) ? bannerStyle(banner) : ""}`,
    body: html`${
      isWaiting
        ? html`<div class="screen asking">
            ${strip}
            <div class="front">
              <div class="site" inert>${page}</div>
              ${renderNotice(notice, here, isFramed)}
            </div>
          </div>`
        : html`<div class="screen">
            ${strip}
            <div class="site">${page}</div>
          </div>`
    }
    ${visit.below && html`<div class="below">${visit.below}</div>`}`,
    ...(isFramed && { isFramed }),
  };
}

function renderHome({ settings, viewer, name, here, door, unsaid }: Visit): Html {
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
      <a class="mark" href="${here}">
        <span aria-hidden="true" class="contours"></span
        ><span class="name">${renderText(name)}</span>
      </a>
      <nav aria-label="Portal">
        <ul>
          <li><a href="${here}" aria-current="page">Home</a></li>
          ${places.map((place) => html`<li><span>${place}</span></li>`)}
        </ul>
      </nav>
      <div class="doors">${renderLauncher(advanced, unsaid)} ${door && renderDoor(door)}</div>
    </header>
    <main>
      <section class="hero">
        <div class="hill" aria-hidden="true"></div>
        <div>
          <h1>${renderText(name)}</h1>
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
    </main>`;
}

function renderDoor({ text, href }: NonNullable<Visit["door"]>): Html {
  return href === undefined
    ? html`<span class="quiet">${text}</span>`
    : html`<a class="button" href="${href}">${text}</a>`;
}

const FEATURED = [
  { title: "Base maps", text: "Streets, terrain and imagery to draw on." },
  { title: "Boundaries", text: "Districts, parcels and places, kept up to date." },
  { title: "Field work", text: "Forms and maps for a day outdoors." },
];

function renderFooter(links: unknown, unsaid: string | undefined): Html {
  const empty =
    unsaid === undefined || Array.isArray(links) ? "No links." : `Footer links: ${unsaid}`;
  const entries = (Array.isArray(links) ? links : []).filter(isJsonObject) as FooterLink[];
  return html`<footer class="foot">
    ${
      entries.length > 0
        ? html`<nav aria-label="Footer">
            <ul>
              ${entries.map((entry) => html`<li>${renderFooterLink(entry)}</li>`)}
            </ul>
          </nav>`
        : html`<p class="quiet">${empty}</p>`
    }
  </footer>`;
}

// Settings of a live portal are unchecked, so each value is checked before use.
function renderFooterLink({ title, url, email }: FooterLink): Html {
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  const target = [url, email].find(isText) ?? "";
  const href = target === url ? safeHref(url) : mailHref(email);
  return renderLink({ title: isText(title) ? title : target, href });
}
