// Reads what a portal shows to an account or a visitor, and its version as numbered by the reference.
import { Failure } from "../failure.js";
import { catalog } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import { isJsonList, isJsonObject, nearestNumber, type JsonObject } from "../lib/json.js";
import { secretsOf } from "../request.js";
import type { Secret } from "../secret.js";
import { firstText, showForeign } from "../lib/text.js";
import { understand, type Exchange } from "./answer.js";
import { read, readSettings, type PortalAccess } from "./portal.js";

/** Both are absent if the portal reports none. */
export interface PortalVersion {
  readonly version?: string;
  /** In the portal's own words, safe to show. */
  readonly unlistedRelease?: string;
}

/** The id and host that the portal reports for itself. */
export interface OwnPortal {
  readonly id: string;
  readonly hostname?: string;
}

/** What the portal reports about the signed-in account. */
export interface UserRole {
  readonly account?: string;
  readonly role?: string;
  /** Why settings may be hidden from it; absent for a confirmed administrator, who sees all. */
  readonly unproven?: string;
}

export interface PortalView extends PortalVersion, UserRole {
  readonly settings: JsonObject;
  readonly own?: OwnPortal;
}

export async function readView(access: PortalAccess): Promise<PortalView> {
  const view = await look(access);
  if (view.version !== undefined) return view;
  try {
    return { ...view, ...(await readVersion(access)) };
  } catch (error) {
    // The reference does not show this resource either.
    if (isNotOffered(error)) return view;
    throw error;
  }
}

/** Without the version. A proxy in front of a portal may change its answers between two reads. */
export async function readViewAgain(
  access: PortalAccess,
): Promise<UserRole & Pick<PortalView, "settings">> {
  const { settings, account, unproven } = await look(access);
  return { settings, ...(account && { account }), ...(unproven && { unproven }) };
}

/** The signed-in account, without the settings. */
export async function readUserRole(access: PortalAccess): Promise<UserRole> {
  const { account, role, unproven } = await readAbout(access);
  return { ...(account && { account }), ...(role && { role }), ...(unproven && { unproven }) };
}

async function look(access: PortalAccess): Promise<PortalView> {
  const [settings, about] = await Promise.all([readSettings(access), readAbout(access)]);
  return { settings, ...about };
}

const NOBODY = "The portal does not say who is signed in";

/** The reference does not show this resource, so a portal may lack it. */
async function readAbout(access: PortalAccess): Promise<Omit<PortalView, "settings">> {
  let exchange: Exchange;
  let self: JsonObject;
  try {
    exchange = await read(access, "/portals/self");
    self = understand(exchange);
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    return access.token ? { unproven: `${NOBODY}. ${error.message}` } : {};
  }
  const secrets = secretsOf(exchange.request);
  const version = versionOf(self, secrets);
  if (!access.token) return version;
  const { user } = self;
  if (!isJsonObject(user)) return { ...version, unproven: `${NOBODY}.` };
  const own = ownOf(self, access);
  const name = firstText([user["username"], user["fullName"]]);
  const account = name && showForeign(name, secrets, LONGEST_NAME);
  const role = typeof user["role"] === "string" && showForeign(user["role"], secrets, LONGEST_NAME);
  const who = account ? `the account "${account}"` : "the account";
  const unproven = (await isOfPortal(self, access))
    ? whyNoAdministrator(user, who, secrets)
    : `${capital(who)} belongs to another portal than "${access.portal.id}".`;
  return {
    ...version,
    ...(own && { own }),
    ...(account && { account }),
    ...(role && { role }),
    ...(unproven && { unproven }),
  };
}

const LONGEST_NAME = 200;

/** `portals/self` is the portal of the account. One server may have several, each with its own users. */
async function isOfPortal(self: JsonObject, access: PortalAccess): Promise<boolean> {
  const { id } = access.portal;
  if (id === "self" || self["id"] === id) return true;
  try {
    const named = understand(await read(access, "/portals/<portal_id>"));
    return named["id"] === id && isJsonObject(named["user"]);
  } catch (error) {
    if (isNotOffered(error)) return false;
    throw error;
  }
}

const SECURITY_PRIVILEGE = "portal:admin:manageSecurity";

/** Undefined for the default administrator, and for a role with the privilege for security and infrastructure. */
function whyNoAdministrator(
  { role, roleId, privileges }: JsonObject,
  who: string,
  secrets: readonly Secret[],
): string | undefined {
  if (isJsonList(privileges) && privileges.includes(SECURITY_PRIVILEGE)) return undefined;
  // A custom role is reported as the most similar built-in one, with its own id.
  const isCustom = typeof roleId === "string" && roleId !== "" && roleId !== role;
  if (role === "org_admin" && !isCustom) return undefined;
  if (typeof role !== "string" || role === "") return `The portal does not show a role of ${who}.`;
  const name = isCustom ? "a custom role" : `the role "${showForeign(role, secrets, LONGEST)}"`;
  return `${capital(who)} has ${name} without the privilege for security and infrastructure.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An id or a host name; other values are ignored. */
const NAME = /^[\w.:/-]{1,250}$/;

/** `self` depends on the account; any other id is the portal's own. */
export function ownOf(
  { id: shown, portalHostname }: JsonObject,
  { portal }: Pick<PortalAccess, "portal">,
): OwnPortal | undefined {
  const isName = (each: unknown): each is string => typeof each === "string" && NAME.test(each);
  const id = portal.id === "self" ? shown : portal.id;
  if (!isName(id)) return undefined;
  return isName(portalHostname) ? { id, hostname: portalHostname.toLowerCase() } : { id };
}

function isNotOffered(error: unknown): error is Failure {
  const codes = ["portal-refused", "answer-not-understood"];
  return error instanceof Failure && codes.includes(error.code);
}

/** Longer than any release name. */
const LONGEST = 40;

export async function readVersion(access: PortalAccess): Promise<PortalVersion> {
  const exchange = await read(access, "");
  return versionOf(understand(exchange), secretsOf(exchange.request));
}

export function versionOf(
  { enterpriseVersion, currentVersion }: JsonObject,
  secrets: readonly Secret[],
): PortalVersion {
  if (typeof enterpriseVersion === "string" && parseVersion(enterpriseVersion)) {
    // The reference omits a third number of zero.
    return { version: enterpriseVersion.replace(/^(\d+\.\d+)\.0$/, "$1") };
  }
  const release = [currentVersion, enterpriseVersion]
    .map((each) => nearestNumber(each) ?? each)
    .filter((each) => typeof each === "string" || typeof each === "number")
    .map((each) => showForeign(String(each), secrets, LONGEST))
    .find((each) => each !== "");
  if (release === undefined) return {};
  const version = catalog.releases.find((each) => each.release === release)?.version;
  return version === undefined ? { unlistedRelease: release } : { version };
}
