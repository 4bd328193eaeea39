// A portal's Security settings, for its administrators: the banner, and a warning where its colours contrast poorly.
import contrastStyle from "../../../generated/preview/contrast-style.js";
import type { InformationalBanner, Settings } from "../../../schemas/names.js";
import { AA_CONTRAST } from "../../colour.js";
import { bannerStyle, legibilityOf, renderBannerPicture } from "../../preview/banner.js";
import { renderContrast } from "../../preview/contrast.js";
import { sitePage } from "../../preview/home.js";
import { html, type Html } from "../../lib/html.js";
import { answerIn } from "../../preview/notice.js";
import { toPage } from "../../lib/html-document.js";
import { isAdministrative } from "../options.js";
import { browserAccount } from "../sign-in/browser.js";
import { answerPage, answerText, redirect, type Reply, type Incoming } from "../server/reply.js";
import { findPortal, portalName, signInAddress, HOME, type SandboxContext } from "../context.js";

export function securityPath(portal: string): string {
  return `${HOME}/${portal}/security`;
}

/** undefined for a path that is not a portal's security page. */
export function answerSecurity(context: SandboxContext, incoming: Incoming): Reply | undefined {
  const [, id = ""] = new RegExp(`^${securityPath("([^/]+)")}$`).exec(incoming.path) ?? [];
  const portal = findPortal(context, id);
  if (portal === undefined) return undefined;
  if (incoming.method !== "GET") return answerText(405, "This page takes GET.");
  const account = browserAccount(context, incoming);
  if (!account) return redirect(signInAddress(incoming.path));
  if (!isAdministrative(account.role)) {
    return answerText(403, "This page is for administrators.");
  }
  const settings: Settings = context.memory.read().portals[portal] ?? {};
  const { informationalBanner: banner } = settings;
  const view = sitePage(
    {
      settings,
      viewer: "administrator",
      name: `Security settings – ${portalName(portal)}`,
      here: incoming.path,
      ...answerIn(incoming.query),
    },
    html`<main class="narrow">
      <p class="quiet"><a href="${HOME}/${portal}">${portalName(portal)}</a> / Settings</p>
      <h1>Security settings</h1>
      <section class="sheet" aria-labelledby="banner">
        <h2 id="banner">Informational banner</h2>
        ${banner ? renderBanner(banner) : html`<p>None was ever set.</p>`}
      </section>
    </main>`,
  );
  const style = `${view.style}${contrastStyle}${PICTURE_STYLE}${banner ? bannerStyle(banner, PICTURE) : ""}`;
  return answerPage(200, toPage({ ...view, style }));
}

const PICTURE = ".sheet .banner";
const PICTURE_STYLE = `${PICTURE} { position: static; border-radius: 8px; outline: 1px solid var(--line); }
`;

/** A warning and no error: any colour is accepted. From which contrast on real portals warn is not documented. */
function renderBanner(banner: InformationalBanner): Html {
  const found = legibilityOf(banner);
  const isPoor = "ratio" in found && found.ratio < AA_CONTRAST;
  return html`<p>${banner.enabled === true ? "It is shown." : "It is not shown."}</p>
    ${
      isPoor
        ? html`<p class="bad" role="alert">
            Insufficient contrast: the text is hard to read on this background.
          </p>`
        : undefined
    }
    ${renderBannerPicture(banner)} ${renderContrast(banner)}`;
}
