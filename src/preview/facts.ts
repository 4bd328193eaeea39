// Describes the visible settings of a file in words.
import { isShown } from "./banner.js";
import { renderContrast } from "./contrast.js";
import { html, type Html } from "../lib/html.js";
import { appsOf } from "./launcher.js";
import { scheduleText } from "../schedule.js";
import type { Preview } from "./card.js";

type Settings = Preview["settings"];

/** For a file with errors, from its last content without any. */
export function renderFacts({ settings, schedule }: Preview, isBefore: boolean): Html {
  const banner = settings.informationalBanner;
  const advanced = settings.portalConfigProperties;
  const apps = appsOf(advanced ?? {}).length;
  const facts = {
    Banner: bannerState(banner),
    "Notice for visitors": noticeState(settings.anonymousAccessNotice),
    "Notice for members": noticeState(settings.authenticatedAccessNotice),
    "Footer links": listState(advanced?.footerLinks),
    // As many as the picture shows.
    "App launcher": apps > 0 ? String(apps) : listState(advanced?.showInAppLauncher),
  };
  return html`${isBefore ? html`<p class="quiet small">As the file was before its errors.</p>` : undefined}
    ${
      banner &&
      html`<section>
        <h2>Contrast of the banner</h2>
        ${
          isShown(banner)
            ? renderContrast(banner)
            : html`<p class="quiet small">Not shown now: ${bannerState(banner)}. If it were:</p>
                <div class="off">${renderContrast(banner)}</div>`
        }
      </section>`
    }
    ${
      schedule &&
      html`<section>
        <h2>Schedule</h2>
        <p>${scheduleText(schedule)}</p>
      </section>`
    }
    <section>
      <h2>In this file</h2>
      <dl class="facts">
        ${Object.entries(facts).map(
          ([name, state]) =>
            html`<div>
              <dt>${name}</dt>
              ${state === undefined ? html`<dd class="quiet">unknown: not managed</dd>` : html`<dd>${state}</dd>`}
            </div>`,
        )}
      </dl>
      <p class="quiet small">
        What this file does not manage stays on the portal as it is, unknown here and left out of
        the picture.
      </p>
    </section>`;
}

function bannerState(banner: Settings["informationalBanner"]): string | undefined {
  if (!banner) return undefined;
  if (banner.enabled !== true) return whyHidden(banner.enabled);
  return isShown(banner) ? "shown" : "enabled, without a text";
}

function noticeState(notice: Settings["anonymousAccessNotice"]): string | undefined {
  if (!notice) return undefined;
  if (notice.enabled !== true) return whyHidden(notice.enabled);
  return notice.buttons === "okOnly" ? "shown, with OK" : "shown, with Accept and Decline";
}

function whyHidden(enabled: unknown): string {
  return enabled === false ? "switched off" : "hidden: not enabled here";
}

function listState(list: readonly unknown[] | undefined): string | undefined {
  return Array.isArray(list) ? String(list.length || "none") : undefined;
}
