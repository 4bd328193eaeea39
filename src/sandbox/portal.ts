// The settings interface: the root, a portal's self and settings, the update, and the portal's own tokens.
import { catalog } from "../catalog/catalog.js";
import type { JsonObject } from "../json.js";
import { browserAccount } from "./browser.js";
import { identify, type Call, type Caller } from "./caller.js";
import { resourcePage, updateFormPage } from "./directory.js";
import { answerJson, answerPage, mediaType, type Answer, type Asked } from "./exchange.js";
import { answerClientCredentials, answerGenerateToken, issuePortalToken } from "./portal-token.js";
import { findPortal, portalName, SELF_ID } from "./portals.js";
import { NO_PORTAL, NOT_PERMITTED, TOKEN_REQUIRED, refusal } from "./refusal.js";
import { update } from "./update.js";
import { currentVersion, describeVersion } from "./version.js";
import { viewFor } from "./view.js";
import { PORTAL_BASE, type World } from "./world.js";

interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly title: string;
  carryOut(call: Call, portal: string): JsonObject;
}

const ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "",
    title: "Root",
    carryOut: ({ world }) => describeVersion(world.switches),
  },
  {
    method: "GET",
    path: "/portals/<portal_id>",
    title: "Portal",
    carryOut: describePortal,
  },
  {
    // Scripting clients ask here who their token belongs to.
    method: "GET",
    path: "/community/self",
    title: "Self",
    carryOut: describeUser,
  },
  {
    method: "GET",
    path: catalog.update.path.replace(/\/update$/, ""),
    title: "Settings",
    carryOut: readSettings,
  },
  {
    method: catalog.update.method,
    path: catalog.update.path,
    title: "Update settings",
    carryOut: update,
  },
  {
    method: "POST",
    path: "/generateToken",
    title: "Generate token",
    carryOut: answerGenerateToken,
  },
  {
    method: "POST",
    path: "/oauth2/token",
    title: "Token",
    carryOut: answerClientCredentials,
  },
];

/** undefined for a path that is none of this interface's. */
export function answerPortal(world: World, asked: Asked): Answer | undefined {
  if (asked.path !== PORTAL_BASE && !asked.path.startsWith(`${PORTAL_BASE}/`)) return undefined;
  const path = asked.path.slice(PORTAL_BASE.length).replace(/\/$/, "");
  const isForm = mediaType(asked) === catalog.update.contentType;
  const form = new URLSearchParams(isForm ? asked.body : "");
  const written = form.get("f") ?? asked.query.get("f");
  const format = catalog.formats.find(({ name, isDefault }) =>
    written === null ? isDefault : name === written,
  )?.name;
  const show = (title: string, body: JsonObject, status = 200): Answer => {
    if (format === "html") return answerPage(status, resourcePage(title, asked.path, body));
    return answerJson(status, body, format === "pjson" ? 2 : undefined);
  };
  if (format === undefined) return show("Error", refusal(400, `Invalid format "${written}".`));

  const routes = ROUTES.map((route) => ({ route, id: match(route.path, path) })).filter(
    ({ id }) => id !== undefined,
  );
  const [first] = routes;
  if (!first) return show("Error", refusal(404, "There is no such resource."), 404);
  const { route, id = "" } = routes.find((each) => each.route.method === asked.method) ?? first;
  const portal = id === "" ? "self" : findPortal(world, id);
  const caller = identify(world, asked, form);
  if (route.method !== asked.method) {
    const isForm = asked.method === "GET" && format === "html" && route.carryOut === update;
    if (isForm && portal !== undefined) return showForm(world, asked);
    return show(route.title, refusal(405, `This operation does not take ${asked.method}.`));
  }
  if (portal === undefined) return show(route.title, NO_PORTAL);
  return show(route.title, route.carryOut({ world, asked, form, caller }, portal));
}

/** The portal's id where the path has one, else ""; undefined for another path. */
function match(pattern: string, path: string): string | undefined {
  const found = new RegExp(`^${pattern.replace("<portal_id>", "([^/]+)")}$`).exec(path);
  return found ? (found[1] ?? "") : undefined;
}

function showForm(world: World, asked: Asked): Answer {
  const account = browserAccount(world, asked);
  const token = account && issuePortalToken(world, account, {}).token;
  return answerPage(200, updateFormPage(world.switches, asked.path, token));
}

function describePortal({ world, caller }: Call, portal: string): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  return {
    id: portal === "self" ? SELF_ID : portal,
    name: portalName(portal),
    isPortal: world.switches.deployment === "enterprise",
    access: "public",
    currentVersion: currentVersion(world.switches),
    ...(caller.kind === "signed-in" && { user: userOf(caller) }),
  };
}

function describeUser({ caller }: Call): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  return caller.kind === "signed-in" ? userOf(caller) : TOKEN_REQUIRED;
}

function userOf({ account, isAdministrator }: Extract<Caller, { kind: "signed-in" }>): JsonObject {
  const { username, fullName } = account;
  return { username, fullName, role: isAdministrator ? "org_admin" : "org_user" };
}

function readSettings({ world, caller }: Call, portal: string): JsonObject {
  if (caller.kind === "refused") return caller.refusal;
  if (!world.switches.canRead) return NOT_PERMITTED;
  return viewFor(caller, world.store.read().portals[portal] ?? {});
}
