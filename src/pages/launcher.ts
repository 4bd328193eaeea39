// Advanced properties → the app launcher in the header of a portal's home, and the links that pages are made of.
import type { PortalConfigProperties } from "../catalog/names.js";
import { safeHref } from "./address.js";
import { html, type Html } from "./html.js";
import { renderText } from "./text.js";

export interface Entry {
  readonly title: string;
  readonly href?: string | undefined;
}

/** A list this long may scroll, and the keyboard must reach it. */
const SHORT = 6;
const SHORT_TITLE = 60;

/** The titles that the settings list, then the applications that a property of their own switches on or places elsewhere. */
export function appsOf(advanced: PortalConfigProperties): readonly Entry[] {
  const listed: readonly unknown[] = Array.isArray(advanced.showInAppLauncher)
    ? advanced.showInAppLauncher
    : [];
  return [
    ...listed.filter((each) => typeof each === "string").map((title) => ({ title })),
    ...(advanced.webEditorEnabled === true ? [{ title: "Web Editor" }] : []),
    ...(advanced.tpsEnabled === true ? [{ title: "Topographic production" }] : []),
    ...(advanced.dataPipelinesEnabled === true ? [{ title: "Data pipelines" }] : []),
    ...placed("Survey", advanced.surveyUrl),
    ...placed("Streaming analytics", advanced.iotViewerUrl),
  ];
}

export function renderLauncher(advanced: PortalConfigProperties): Html {
  const entries = appsOf(advanced);
  const isShort =
    entries.length <= SHORT && entries.every(({ title }) => title.length <= SHORT_TITLE);
  const list = html`<ul>
    ${entries.map((entry) => html`<li>${renderLink(entry)}</li>`)}
  </ul>`;
  return html`<details class="launcher">
    <summary aria-label="Apps" title="Apps"><span aria-hidden="true" class="dots"></span></summary>
    <div class="apps">
      <h2>Apps</h2>
      ${
        entries.length === 0
          ? html`<p class="quiet">The settings list no apps.</p>`
          : isShort
            ? list
            : html`<div class="long" tabindex="0" role="group" aria-label="Apps">${list}</div>`
      }
    </div>
  </details>`;
}

function placed(title: string, address: unknown): readonly Entry[] {
  return typeof address === "string" && address !== "" ? [{ title, href: safeHref(address) }] : [];
}

/** Opens beside the page, so that nobody loses it by looking where a link leads. */
export function renderLink({ title, href }: Entry): Html {
  return href === undefined
    ? html`<span dir="auto">${renderText(title)}</span>`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer" dir="auto"
        >${renderText(title)}</a
      >`;
}
