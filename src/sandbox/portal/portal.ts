// The settings interface: a path and a method → the resource or operation, carried out and shown in the format asked for.
import { catalog } from "../../catalog/catalog.js";
import type { JsonObject } from "../../json.js";
import { browserAccount } from "../sign-in/browser.js";
import { identify, type Call } from "../sign-in/caller.js";
import {
  answerPreflight,
  openToPages,
  answerJson,
  answerPage,
  mediaType,
  type Reply,
  type Incoming,
} from "../server/reply.js";
import { resourcePage, updateFormPage } from "./directory.js";
import {
  answerClientCredentials,
  answerGenerateToken,
  answerRevokeToken,
  issuePortalToken,
} from "../sign-in/portal-token.js";
import { findPortal, portalBase, type SandboxContext } from "../context.js";
import { NO_PORTAL, refusal } from "./refusal.js";
import {
  describePortal,
  describeRoot,
  describeSelf,
  describeTokens,
  describeUser,
  findItems,
  readSettings,
} from "./resource.js";
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
  "": [READ, "Root", describeRoot],
  "/info": [READ, "Info", describeTokens],
  "/search": [READ, "Search", findItems],
  "/portals/<portal_id>": [READ, "Portal", describePortal],
  "/community/self": [READ, "Self", describeSelf],
  "/community/users/<name>": [READ, "User", describeUser],
  [catalog.update.path.replace(/\/update$/, "")]: [READ, "Settings", readSettings],
  [catalog.update.path]: [[catalog.update.method], "Update settings", update],
  "/generateToken": [WRITE, "Generate token", answerGenerateToken],
  "/oauth2/token": [WRITE, "Token", answerClientCredentials],
  "/oauth2/revokeToken": [WRITE, "Revoke token", answerRevokeToken],
};

/** undefined for a path outside of this interface. */
export function answerPortal(context: SandboxContext, incoming: Incoming): Reply | undefined {
  const base = portalBase(context.switches);
  if (incoming.path !== base && !incoming.path.startsWith(`${base}/`)) return undefined;
  if (incoming.method === "OPTIONS") return answerPreflight();
  return openToPages(
    answerRoute(context, incoming, incoming.path.slice(base.length).replace(/\/$/, "")),
  );
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
    const isAskedFor = incoming.method === "GET" && format === "html" && carryOut === update;
    if (isAskedFor && step !== undefined) return showForm(context, incoming);
    return show(title, refusal(405, `This operation does not take ${incoming.method}.`));
  }
  if (step === undefined) return show(title, NO_PORTAL);
  const caller = identify(context, incoming, form);
  return show(title, carryOut({ context, incoming, form, caller }, step));
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
  const token = account && issuePortalToken(context, account, {}).token;
  return answerPage(200, updateFormPage(context.switches, incoming.path, token));
}
