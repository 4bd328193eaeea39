// The settings interface: a path and a method → the resource or operation, carried out and shown in the format asked for.
import { catalog } from "../../catalog/catalog.js";
import type { JsonObject } from "../../json.js";
import { browserAccount } from "../sign-in/browser.js";
import { identify, type Call } from "../sign-in/caller.js";
import { answerPreflight, openToPages } from "../server/cors.js";
import { resourcePage, updateFormPage } from "./directory.js";
import { answerJson, answerPage, mediaType, type Reply, type Incoming } from "../server/reply.js";
import {
  answerClientCredentials,
  answerGenerateToken,
  answerRevokeToken,
  issuePortalToken,
} from "../sign-in/portal-token.js";
import { findPortal } from "./portals.js";
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
import { portalBase, type SandboxContext } from "../context.js";

interface Route {
  readonly methods: readonly string[];
  /** May have one step in angle brackets: a portal's id, or a name. */
  readonly path: string;
  readonly title: string;
  /** Told the portal, or the name that the path holds. */
  carryOut(call: Call, step: string): JsonObject;
}

/** Clients post by default, also where they read. */
const READ = ["GET", "POST"];
const WRITE = ["POST"];

const ROUTES: readonly Route[] = [
  { methods: READ, path: "", title: "Root", carryOut: describeRoot },
  { methods: READ, path: "/info", title: "Info", carryOut: describeTokens },
  { methods: READ, path: "/search", title: "Search", carryOut: findItems },
  { methods: READ, path: "/portals/<portal_id>", title: "Portal", carryOut: describePortal },
  { methods: READ, path: "/community/self", title: "Self", carryOut: describeSelf },
  { methods: READ, path: "/community/users/<name>", title: "User", carryOut: describeUser },
  {
    methods: READ,
    path: catalog.update.path.replace(/\/update$/, ""),
    title: "Settings",
    carryOut: readSettings,
  },
  {
    methods: [catalog.update.method],
    path: catalog.update.path,
    title: "Update settings",
    carryOut: update,
  },
  {
    methods: WRITE,
    path: "/generateToken",
    title: "Generate token",
    carryOut: answerGenerateToken,
  },
  { methods: WRITE, path: "/oauth2/token", title: "Token", carryOut: answerClientCredentials },
  {
    methods: WRITE,
    path: "/oauth2/revokeToken",
    title: "Revoke token",
    carryOut: answerRevokeToken,
  },
];

/** undefined for a path that is none of this interface's. */
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

  const route = ROUTES.find((each) => match(each.path, path) !== undefined);
  if (!route) return show("Error", refusal(404, "There is no such resource."), 404);
  const named = match(route.path, path) ?? "";
  const step = route.path.includes("<portal_id>") ? findPortal(context, named) : named;
  if (!route.methods.includes(incoming.method)) {
    const isAskedFor = incoming.method === "GET" && format === "html" && route.carryOut === update;
    if (isAskedFor && step !== undefined) return showForm(context, incoming);
    return show(route.title, refusal(405, `This operation does not take ${incoming.method}.`));
  }
  if (step === undefined) return show(route.title, NO_PORTAL);
  const caller = identify(context, incoming, form);
  return show(route.title, route.carryOut({ context, incoming, form, caller }, step));
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
