// A person at the front door: each portal's home page, as the visitor or the account in this browser meets it.
import { catalog } from "../../catalog/catalog.js";
import { home, type Viewer } from "../../preview/home.js";
import { html, type Html } from "../../lib/html.js";
import { answerIn } from "../../preview/notice.js";
import { toPage } from "../../lib/html-document.js";
import type { Account } from "../memory.js";
import { isAdministrative } from "../options.js";
import { browserAccount } from "../sign-in/browser.js";
import { answerPage, answerText, type Reply, type Incoming } from "../server/reply.js";
import {
  findPortal,
  portalIds,
  portalName,
  signInAddress,
  BROWSER_SIGN_OUT,
  HOME,
  portalBase,
  type SandboxContext,
} from "../context.js";
import { securityPath } from "./security.js";

/** A page is made for whoever administers the portal, whatever their role is called. */
function viewerOf({ role }: Account): Exclude<Viewer, "anonymous"> {
  return isAdministrative(role) ? "administrator" : "member";
}

/** undefined for a path that is not a portal's home. */
export function answerHome(context: SandboxContext, incoming: Incoming): Reply | undefined {
  const id = incoming.path === "/" ? "self" : incoming.path.replace(`${HOME}/`, "");
  const portal = findPortal(context, id);
  if (portal === undefined) return undefined;
  if (incoming.method !== "GET") return answerText(405, "This page takes GET.");
  const account = browserAccount(context, incoming);
  const here = incoming.path;
  const view = home({
    settings: context.memory.read().portals[portal] ?? {},
    viewer: account ? viewerOf(account) : "anonymous",
    name: portalName(portal),
    here,
    door: account
      ? { text: "Sign out", href: BROWSER_SIGN_OUT }
      : { text: "Sign in", href: signInAddress(here) },
    ...answerIn(incoming.query),
    below: renderWays(context, portal),
  });
  return answerPage(200, toPage(view));
}

function renderWays(context: SandboxContext, portal: string): Html {
  const others = portalIds(context).filter((each) => each !== portal);
  const settings = `${portalBase(context.switches)}${catalog.update.path.replace("<portal_id>", portal)}`;
  return html`<aside class="foot quiet" aria-label="Sandbox">
    <ul>
      <li>A sandbox of version ${context.switches.version}, ${context.switches.deployment}</li>
      <li><a href="${settings.replace(/\/update$/, "")}">Settings</a></li>
      <li><a href="${settings}">Update settings</a></li>
      <li><a href="${securityPath(portal)}">Security settings</a></li>
      ${others.map((each) => html`<li><a href="${HOME}/${each}">${portalName(each)}</a></li>`)}
    </ul>
  </aside>`;
}
