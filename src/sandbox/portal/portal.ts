// The settings interface: a path and a method → the resource or operation, carried out and shown in the format asked for.
import { catalog } from "../../catalog/catalog.js";
import type { JsonObject } from "../../lib/json.js";
import { browserAccount } from "../sign-in/browser.js";
import { identify, type Call } from "../sign-in/caller.js";
import { PREFLIGHT, openToPages, answerJson, answerPage, mediaType } from "../server/reply.js";
import type { Reply, Incoming } from "../server/reply.js";
import { resourcePage, updateFormPage } from "./directory.js";
import * as tokens from "../sign-in/portal-token.js";
import { findPortal, portalBase, type SandboxContext } from "../context.js";
import { NO_PORTAL, refusal } from "./refusal.js";
import * as resource from "./resource.js";
import { update } from "./update.js";

/** What is carried out is told the portal, or the name that the path holds. */
type Route = readonly [
  methods: readonly string[],
  title: string,
  carryOut: (call: Call, step: string) => JsonObject,
];

/** Clients post by default, also where they read. */
const READ = ["GET", "POST"];
const WRITE = ["POST"];

/** Path → what it leads to. A path may have one step in angle brackets: a portal's id, or a name. */
const ROUTES: Readonly<Record<string, Route>> = {
  "": [READ, "Root", resource.describeRoot],
  "/info": [READ, "Info", resource.describeTokens],
  "/search": [READ, "Search", asReader(resource.findItems)],
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

/** A token that is not good is refused, whatever it was sent for. */
function asCaller(carryOut: Route[2]): Route[2] {
  return (call, step) => {
    const found = identify(call);
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
export function answerPortal(context: SandboxContext, incoming: Incoming): Reply | undefined {
  const base = portalBase(context.switches);
  if (incoming.path !== base && !incoming.path.startsWith(`${base}/`)) return undefined;
  if (incoming.method === "OPTIONS") return openToPages(PREFLIGHT);
  const path = incoming.path.slice(base.length).replace(/\/$/, "");
  return openToPages(answerRoute(context, incoming, path));
}

function answerRoute(context: SandboxContext, incoming: Incoming, path: string): Reply {
  const isForm = mediaType(incoming) === catalog.update.contentType;
  const form = new URLSearchParams(isForm ? incoming.body : "");
  const written = form.get("f") ?? incoming.query.get("f");
  const format = catalog.formats.find(({ name, isDefault }) =>
    written === null ? isDefault : name === written,
  )?.name;
  const show = (title: string, body: JsonObject, status = 200): Reply => {
    if (format === "html") return answerPage(status, resourcePage(title, incoming.path, body));
    return answerJson(status, body, format === "pjson" ? 2 : undefined);
  };
  if (format === undefined) return show("Error", refusal(400, `Invalid format "${written}".`));

  const found = Object.entries(ROUTES).find(([each]) => match(each, path) !== undefined);
  if (!found) return show("Error", refusal(404, "There is no such resource."), 404);
  const [place, [methods, title, carryOut]] = found;
  const named = match(place, path) ?? "";
  const step = place.includes("<portal_id>") ? findPortal(context, named) : named;
  if (!methods.includes(incoming.method)) {
    const isAskedFor =
      incoming.method === "GET" && format === "html" && place === catalog.update.path;
    if (isAskedFor && step !== undefined) return showForm(context, incoming);
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

function showForm(context: SandboxContext, incoming: Incoming): Reply {
  const account = browserAccount(context, incoming);
  const token = account && tokens.issuePortalToken(context, account, {}).token;
  return answerPage(200, updateFormPage(context.switches, incoming.path, token));
}
