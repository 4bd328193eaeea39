// What a portal shows of itself, its users and its settings, to each kind of caller.
import { isJsonObject, type JsonObject } from "../../lib/json.js";
import type { Call, Caller } from "../sign-in/portal-token.js";
import { portalName, SELF_ID, portalBase } from "../context.js";
import { NOT_PERMITTED, refusal, TOKEN_REQUIRED } from "./refusal.js";
import { ADVANCED, catalog, findSetting } from "../../catalog/catalog.js";
import type { ValueType } from "../../catalog/facts.js";
import { compareVersions, parseVersion } from "../../catalog/version.js";
import type { Version } from "../../../schemas/names.js";
import { isAdministrative, type Role, type Switches } from "../options.js";

export function describeRoot({ context }: Call): JsonObject {
  return describeVersion(context.switches, true);
}

/** Scripting clients ask here where a token for this portal is made. */
export function describeTokens({ context, incoming }: Call): JsonObject {
  const root = `http://${incoming.headers.host}${portalBase(context.switches)}`;
  return {
    owningSystemUrl: root.replace(/\/sharing\/rest$/, ""),
    authInfo: { tokenServicesUrl: `${root}/generateToken`, isTokenBasedSecurity: true },
  };
}

export function describePortal({ context, caller }: Call, portal: string): JsonObject {
  return {
    id: portal === "self" ? SELF_ID : portal,
    name: portalName(portal),
    isPortal: context.switches.deployment === "enterprise",
    access: "public",
    ...describeVersion(context.switches),
    ...(caller && { user: describeAccount(caller) }),
  };
}

/** Scripting clients ask here who their token belongs to. */
export function describeSelf({ caller }: Call): JsonObject {
  return caller ? describeAccount(caller) : TOKEN_REQUIRED;
}

/** No profile is public, so a visitor cannot find out which names exist. */
export function describeUser({ context, caller }: Call, name: string): JsonObject {
  if (caller && name === caller.account.username) return describeAccount(caller);
  const account = context.memory.read().accounts.find(({ username }) => username === name);
  return caller && account
    ? describeAccount({ account, isAdministrator: isAdministrative(account.role) })
    : refusal(400, "User does not exist or is inaccessible.");
}

function describeAccount({ account, isAdministrator }: Caller): JsonObject {
  const { username, fullName, role } = account;
  const isPowerless = isAdministrative(role) && !isAdministrator;
  return { username, fullName, ...SHOWN_ROLES[isPowerless ? "member" : role] };
}

const MEMBER_PRIVILEGES = ["portal:user:createItem", "portal:user:joinGroup"];
const PUBLISHER_PRIVILEGES = [...MEMBER_PRIVILEGES, "portal:publisher:publishFeatures"];
const SECURITY_PRIVILEGE = "portal:admin:manageSecurity";

/** A role of the portal's own making is shown as the built-in one that it comes closest to, with an id of its own. */
const SHOWN_ROLES: Readonly<Record<Role, JsonObject>> = {
  administrator: {
    role: "org_admin",
    roleId: "org_admin",
    privileges: [
      "portal:admin:manageRoles",
      SECURITY_PRIVILEGE,
      "portal:admin:manageServers",
      "portal:admin:manageWebsite",
      "portal:admin:updateUsers",
      ...PUBLISHER_PRIVILEGES,
    ],
  },
  security: {
    role: "org_admin",
    roleId: "Kq3vT8sWm1ZbYx5e",
    privileges: [SECURITY_PRIVILEGE, ...MEMBER_PRIVILEGES],
  },
  publisher: { role: "org_publisher", roleId: "org_publisher", privileges: PUBLISHER_PRIVILEGES },
  member: { role: "org_user", roleId: "org_user", privileges: MEMBER_PRIVILEGES },
};

export function readSettings({ context, caller }: Call, portal: string): JsonObject {
  if (!context.switches.canRead) return NOT_PERMITTED;
  return visibleTo(caller, context.memory.shown(portal));
}

/** Before it, a portal shows only its release. */
const TELLS_ENTERPRISE_VERSION = "11.3" satisfies Version;

/** What is not known of a version is left out rather than made up; the build stands at the root alone. */
function describeVersion({ version, deployment }: Switches, isRoot = false): JsonObject {
  const known = catalog.releases.find((each) => compareVersions(each.version, version) === 0);
  const isTold =
    deployment === "enterprise" && compareVersions(version, TELLS_ENTERPRISE_VERSION) >= 0;
  const build = isTold && isRoot ? known?.build : undefined;
  return {
    ...(known && { currentVersion: known.release }),
    ...(isTold && { enterpriseVersion: (parseVersion(version) ?? []).join(".") }),
    ...(build !== undefined && { enterpriseBuild: build }),
  };
}

// Real portals answer with much that no reference document lists; a client must neither trip over it nor send it back.
const STOCK: JsonObject = {
  allowedRedirectUris: [],
  culture: "en",
  defaultExtent: {
    xmin: -20037508,
    ymin: -15000000,
    xmax: 20037508,
    ymax: 15000000,
    spatialReference: { wkid: 102100, latestWkid: 3857 },
  },
  featuredGroups: [],
  helperServices: { geometry: { url: "https://services.example.com/rest/services/Geometry" } },
};

// Settings of how a portal is run, not of what its pages show.
const PRIVATE: readonly unknown[] = [
  "minutes",
  "array of domain names",
  "string or `false`",
] satisfies ValueType[];

/**
 * | caller        | notices, banner | advanced properties            | booleans | the rest |
 * |---------------|-----------------|--------------------------------|----------|----------|
 * | anonymous     | yes             | those that pages are made from | no       | stock    |
 * | member        | yes             | those that pages are made from | yes      | stock    |
 * | administrator | yes             | all                            | yes      | all      |
 *
 * A setting without a value is absent for all callers.
 */
function visibleTo(caller: Caller | undefined, stored: JsonObject): JsonObject {
  if (caller?.isAdministrator) return { ...STOCK, ...stored };
  const shown = catalog.parameters.flatMap(({ name, object }): [string, JsonObject[string]][] => {
    const value = stored[name];
    if (value === undefined) return [];
    if (name === ADVANCED && isJsonObject(value)) {
      const open = Object.entries(value).filter(([property]) => isOpen(property));
      return open.length > 0 ? [[name, Object.fromEntries(open)]] : [];
    }
    return object !== undefined || caller ? [[name, value]] : [];
  });
  return { ...STOCK, ...Object.fromEntries(shown) };
}

function isOpen(name: string): boolean {
  const property = findSetting([ADVANCED, name])?.property;
  return property !== undefined && !PRIVATE.includes(property.type);
}
