// Renders the app launcher of a home page, and the links of its pages.
import type { PortalConfigProperties } from "../../schemas/names.js";
import { safeHref, html, type Html, renderText } from "../lib/html.js";

export interface Entry {
  readonly title: string;
  readonly href?: string | undefined;
}

/** A longer list may scroll, and then the keyboard must reach it. */
const SHORT = 6;
const SHORT_TITLE = 60;

/** Applications that a property of their own shows or hides, even if a list names them. */
const SWITCHED = [
  { title: "Web Editor", property: "webEditorEnabled" },
  { title: "Topographic production", property: "tpsEnabled" },
  { title: "Data pipelines", property: "dataPipelinesEnabled" },
] as const satisfies readonly { title: string; property: keyof PortalConfigProperties }[];

/** The listed titles, then the applications that a property of their own adds or moves. */
export function appsOf(advanced: PortalConfigProperties): readonly Entry[] {
  const listed: readonly unknown[] = Array.isArray(advanced.showInAppLauncher)
    ? advanced.showInAppLauncher
    : [];
  const switched = (isOn: boolean) =>
    SWITCHED.filter(({ property }) => advanced[property] === isOn);
  const isOff = (listed: string) => switched(false).some(({ title }) => isSameTitle(title, listed));
  const titles = listed.filter((each) => typeof each === "string").filter((each) => !isOff(each));
  const unlisted = switched(true).filter(
    ({ title }) => !titles.some((each) => isSameTitle(title, each)),
  );
  return [
    ...titles.map((title) => ({ title })),
    ...unlisted.map(({ title }) => ({ title })),
    ...placed("Survey", advanced.surveyUrl),
    ...placed("Streaming analytics", advanced.iotViewerUrl),
  ];
}

// The titles of these applications are not documented, so case and a prefix are ignored.
function isSameTitle(title: string, listed: string): boolean {
  return listed.toLowerCase().endsWith(title.toLowerCase());
}

/** `unsaid` replaces the list if the settings have none. */
export function renderLauncher(advanced: PortalConfigProperties, unsaid?: string): Html {
  const rest = Array.isArray(advanced.showInAppLauncher) ? undefined : unsaid;
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
          ? html`<p class="quiet">
              ${rest === undefined ? "The settings list no apps." : `Apps: ${rest}`}
            </p>`
          : isShort
            ? list
            : html`<div class="long" tabindex="0" role="group" aria-label="Apps">${list}</div>`
      }
      ${rest !== undefined && entries.length > 0 ? html`<p class="quiet">Others: ${rest}</p>` : undefined}
    </div>
  </details>`;
}

function placed(title: string, address: unknown): readonly Entry[] {
  return typeof address === "string" && address !== "" ? [{ title, href: safeHref(address) }] : [];
}

/** Opens in a new tab, so that the page stays open. */
export function renderLink({ title, href }: Entry): Html {
  return href === undefined
    ? html`<span dir="auto">${renderText(title)}</span>`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer" dir="auto"
        >${renderText(title)}</a
      >`;
}
