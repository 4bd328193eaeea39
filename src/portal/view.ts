// Reads what a portal shows to an account or to a visitor, and its version in the numbering of the reference.
import { Failure } from "../failure.js";
import { catalog } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import { isJsonList, isJsonObject, nearestNumber, type JsonObject } from "../lib/json.js";
import { secretsOf } from "../request.js";
import type { Secret } from "../secret.js";
import { firstText, showForeign } from "../lib/text.js";
import { understand, type Exchange } from "./answer.js";
import { read, readSettings, type PortalAccess } from "./portal.js";

/** Neither where the portal states none. */
export interface PortalVersion {
  readonly version?: string;
  /** In the portal's own words, fit to be shown. */
  readonly unlistedRelease?: string;
}

/** The id and the host by which a portal knows itself. */
export interface OwnPortal {
  readonly id: string;
  readonly hostname?: string;
}

/** What the portal says of the account that is signed in. */
export interface Standing {
  /** As the portal calls it. */
  readonly account?: string;
  /** As the portal shows it. */
  readonly role?: string;
  /** Why settings may be hidden from it; absent where the portal says that it is an administrator, who sees all. */
  readonly unproven?: string;
}

export interface PortalView extends PortalVersion, Standing {
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

/** Without the version; what stands in front of a portal may change its mind between two looks. */
export async function readViewAgain(
  access: PortalAccess,
): Promise<Standing & Pick<PortalView, "settings">> {
  const { settings, account, unproven } = await look(access);
  return { settings, ...(account && { account }), ...(unproven && { unproven }) };
}

/** Who is signed in, without the settings. */
export async function readStanding(access: PortalAccess): Promise<Standing> {
  const { account, role, unproven } = await readAbout(access);
  return { ...(account && { account }), ...(role && { role }), ...(unproven && { unproven }) };
}

async function look(access: PortalAccess): Promise<PortalView> {
  const [settings, about] = await Promise.all([readSettings(access), readAbout(access)]);
  return { settings, ...about };
}

const NOBODY = "The portal does not say who is signed in";

/** The reference does not show the resource, so a portal may do without it. */
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

/** `portals/self` is the portal of the calling account. One server may have several, each with users of its own. */
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
  // A custom role is shown as the built-in one that it comes closest to, with an id of its own.
  const isCustom = typeof roleId === "string" && roleId !== "" && roleId !== role;
  if (role === "org_admin" && !isCustom) return undefined;
  if (typeof role !== "string" || role === "") return `The portal does not show a role of ${who}.`;
  const name = isCustom ? "a custom role" : `the role "${showForeign(role, secrets, LONGEST)}"`;
  return `${capital(who)} has ${name} without the privilege for security and infrastructure.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Of an id or a host name; other keys are left alone. */
const NAME = /^[\w.:/-]{1,250}$/;

/** `portals/self` is the portal of the calling account; any other id stands for itself. */
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

/** Longer than any release. */
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
    // The reference counts in two numbers where the third is zero.
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
