// The settings interface: finds the resource or operation of a path and method, and answers in the format asked for.
import { catalog } from "../../catalog/catalog.js";
import type { JsonObject } from "../../lib/json.js";
import * as tokens from "../sign-in/portal-token.js";
import type { Call } from "../sign-in/portal-token.js";
import style from "../../../generated/lib/page-style.js";
import { toPage, type Page } from "../../lib/html-document.js";
import { html } from "../../lib/html.js";
import { answerPage, type Answer } from "../../lib/local-server.js";
import { answerJson, mediaType, type Incoming } from "../incoming.js";
import { findPortal, portalBase, type SandboxContext } from "../context.js";
import { isRefusal, NO_PORTAL, refusal } from "./refusal.js";
import * as resource from "./resource.js";
import { update } from "./update.js";

/** An operation gets the portal, or the name that the path holds. */
type Route = readonly [
  methods: readonly string[],
  title: string,
  carryOut: (call: Call, step: string) => JsonObject,
];

/** Clients post by default, also where they read. */
const READ = ["GET", "POST"];
const WRITE = ["POST"];

/** What each path leads to. A path may have one step in angle brackets: a portal's id, or a name. */
const ROUTES: Readonly<Record<string, Route>> = {
  "": [READ, "Root", resource.describeRoot],
  "/info": [READ, "Info", resource.describeTokens],
  "/portals/<portal_id>": [READ, "Portal", asReader(resource.describePortal)],
  "/community/self": [READ, "Self", asReader(resource.describeSelf)],
  "/community/users/<name>": [READ, "User", asReader(resource.describeUser)],
  [catalog.update.path.replace(/\/update$/, "")]: [
    READ,
    "Settings",
    asReader(resource.readSettings),
  ],
  [catalog.update.path]: [[catalog.update.method], "Update settings", asCaller(update)],
  "/generateToken": [WRITE, "Generate token", tokens.answerGenerateToken],
  "/oauth2/token": [WRITE, "Token", tokens.answerClientCredentials],
  "/oauth2/revokeToken": [WRITE, "Revoke token", tokens.answerRevokeToken],
};

/** An invalid token is refused on every path. */
function asCaller(carryOut: Route[2]): Route[2] {
  return (call, step) => {
    const found = tokens.identify(call);
    return "error" in found ? found : carryOut({ ...call, ...found }, step);
  };
}

/** The same, unless something on the way has taken the token out. */
function asReader(carryOut: Route[2]): Route[2] {
  const identified = asCaller(carryOut);
  return (call, step) =>
    call.context.switches.anonymousReads ? carryOut(call, step) : identified(call, step);
}

/** undefined for a path outside of this interface. */
export function answerPortal(context: SandboxContext, incoming: Incoming): Answer | undefined {
  const base = portalBase(context.switches);
  if (incoming.path !== base && !incoming.path.startsWith(`${base}/`)) return undefined;
  const path = incoming.path.slice(base.length).replace(/\/$/, "");
  return answerRoute(context, incoming, path);
}

function answerRoute(context: SandboxContext, incoming: Incoming, path: string): Answer {
  const isForm = mediaType(incoming) === catalog.update.contentType;
  const form = new URLSearchParams(isForm ? incoming.body : "");
  const written = form.get("f") ?? incoming.query.get("f");
  const format = catalog.formats.find(({ name, isDefault }) =>
    written === null ? isDefault : name === written,
  )?.name;
  const show = (title: string, body: JsonObject, status = 200): Answer => {
    if (format === "html") return answerPage(resourcePage(title, incoming.path, body), status);
    return answerJson(status, body, format === "pjson" ? 2 : undefined);
  };
  if (format === undefined) return show("Error", refusal(400, `Invalid format "${written}".`));

  const found = Object.entries(ROUTES).find(([each]) => match(each, path) !== undefined);
  if (!found) return show("Error", refusal(404, "There is no such resource."), 404);
  const [place, [methods, title, carryOut]] = found;
  const named = match(place, path) ?? "";
  const step = place.includes("<portal_id>") ? findPortal(context, named) : named;
  if (!methods.includes(incoming.method)) {
    return show(title, refusal(405, `This operation does not take ${incoming.method}.`));
  }
  if (step === undefined) return show(title, NO_PORTAL);
  return show(title, carryOut({ context, incoming, form }, step));
}

/** The step in angle brackets where the path has one, else ""; undefined for another path. */
function match(pattern: string, path: string): string | undefined {
  const found = new RegExp(`^${pattern.replace(/<\w+>/, "([^/]+)")}$`).exec(path);
  if (!found) return undefined;
  try {
    return decodeURIComponent(found[1] ?? "");
  } catch {
    return undefined;
  }
}

/** A page of the REST directory: a resource or an answer as text. */
function resourcePage(title: string, path: string, body: JsonObject): Page {
  const note = isRefusal(body)
    ? html`<p class="bad" role="alert">${body.error.message}</p>`
    : html`<p><a href="${path}?f=pjson">As JSON</a></p>`;
  const done = html`<p role="status">The settings were updated.</p>`;
  return toPage({
    title: `${title} – REST directory`,
    style,
    body: html`<main class="narrow">
      <p class="quiet"><a href="/">Home</a> / REST directory</p>
      <h1>${title}</h1>
      ${body["success"] === true ? done : note}
      <pre tabindex="0">${JSON.stringify(body, undefined, 2)}</pre>
    </main>`,
  });
}
