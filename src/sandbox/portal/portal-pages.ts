// The pages for people: each portal's home as the visitor or the account in this browser meets it, and its Security settings.
import contrastStyle from "../../../generated/preview/contrast-style.js";
import type { InformationalBanner, Settings } from "../../../schemas/names.js";
import { catalog } from "../../catalog/catalog.js";
import { AA_CONTRAST } from "../../colour.js";
import { toPage, type View } from "../../lib/html-document.js";
import { html, type Html } from "../../lib/html.js";
import { answerPage, answerText, type Answer } from "../../lib/local-server.js";
import { bannerStyle, legibilityOf, renderBannerPicture } from "../../preview/banner.js";
import { renderContrast } from "../../preview/contrast.js";
import { home, sitePage } from "../../preview/home.js";
import { answerIn } from "../../preview/notice.js";
import {
  findPortal,
  portalBase,
  portalIds,
  portalName,
  signInAddress,
  BROWSER_SIGN_OUT,
  HOME,
  type SandboxContext,
} from "../context.js";
import { redirect, type Incoming } from "../incoming.js";
import type { Account } from "../memory.js";
import { isAdministrative } from "../options.js";
import { browserAccount } from "../sign-in/browser.js";

const PAGES = new RegExp(`^${HOME}/([^/]+)(/security)?$`);

/** undefined for a path that is no portal's page. */
export function answerPages(context: SandboxContext, incoming: Incoming): Answer | undefined {
  const [, id = "", isSecurity] = PAGES.exec(incoming.path) ?? [];
  const portal = findPortal(context, incoming.path === "/" ? "self" : id);
  if (portal === undefined) return undefined;
  if (incoming.method !== "GET") return answerText(405, "This page takes GET.");
  const account = browserAccount(context, incoming);
  if (!isSecurity) return answerPage(toPage(homeView(context, incoming, portal, account)));
  if (!account) return redirect(signInAddress(incoming.path));
  if (!isAdministrative(account.role)) return answerText(403, "This page is for administrators.");
  return answerPage(toPage(securityView(context, incoming, portal)));
}

function homeView(
  context: SandboxContext,
  { path, query }: Incoming,
  portal: string,
  account: Account | undefined,
): View {
  // Every administrative role sees the home of administrators.
  const member = account && isAdministrative(account.role) ? "administrator" : "member";
  return home({
    settings: context.memory.stored(portal),
    viewer: account ? member : "anonymous",
    name: portalName(portal),
    here: path,
    door: account
      ? { text: "Sign out", href: BROWSER_SIGN_OUT }
      : { text: "Sign in", href: signInAddress(path) },
    ...answerIn(query),
    below: renderWays(context, portal),
  });
}

function renderWays(context: SandboxContext, portal: string): Html {
  const others = portalIds(context).filter((each) => each !== portal);
  const update = catalog.update.path.replace("<portal_id>", portal);
  const settings = `${portalBase(context.switches)}${update.replace(/\/update$/, "")}`;
  return html`<aside class="foot quiet" aria-label="Sandbox">
    <ul>
      <li>A sandbox of version ${context.switches.version}, ${context.switches.deployment}</li>
      <li><a href="${settings}">Settings</a></li>
      <li><a href="${HOME}/${portal}/security">Security settings</a></li>
      ${others.map((each) => html`<li><a href="${HOME}/${each}">${portalName(each)}</a></li>`)}
    </ul>
  </aside>`;
}

function securityView(context: SandboxContext, { path, query }: Incoming, portal: string): View {
  const settings: Settings = context.memory.stored(portal);
  const { informationalBanner: banner } = settings;
  const view = sitePage(
    {
      settings,
      viewer: "administrator",
      name: `Security settings – ${portalName(portal)}`,
      here: path,
      ...answerIn(query),
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
  return { ...view, style };
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
