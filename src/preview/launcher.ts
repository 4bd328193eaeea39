// Renders the app launcher in the header of a portal's home, and the links of its pages.
import type { PortalConfigProperties } from "../../schemas/names.js";
import { safeHref, html, type Html, renderText } from "../lib/html.js";

export interface Entry {
  readonly title: string;
  readonly href?: string | undefined;
}

/** A list this long may scroll, and the keyboard must reach it. */
const SHORT = 6;
const SHORT_TITLE = 60;

/** The applications that are there or not as a property of their own says, also where a list names them. */
const SWITCHED = [
  { title: "Web Editor", property: "webEditorEnabled" },
  { title: "Topographic production", property: "tpsEnabled" },
  { title: "Data pipelines", property: "dataPipelinesEnabled" },
] as const satisfies readonly { title: string; property: keyof PortalConfigProperties }[];

/** The titles that the settings list, then the applications that a property of their own switches on or places elsewhere. */
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

// How a portal titles these applications is not documented, so capital letters and a name before them count for nothing.
function isSameTitle(title: string, listed: string): boolean {
  return listed.toLowerCase().endsWith(title.toLowerCase());
}

/** `unsaid` stands for the list where the settings hold none. */
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

/** Opens in a new tab, so that following a link does not lose the page. */
export function renderLink({ title, href }: Entry): Html {
  return href === undefined
    ? html`<span dir="auto">${renderText(title)}</span>`
    : html`<a href="${href}" target="_blank" rel="noopener noreferrer" dir="auto"
        >${renderText(title)}</a
      >`;
}
