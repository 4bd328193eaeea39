// A portal → what it shows to whoever the token belongs to, or to anybody; and its version in the numbering of the reference.
import { Failure } from "../failure.js";
import { catalog } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import { isJsonObject, nearestNumber, type JsonObject } from "../json.js";
import { hostOf, secretsOf } from "../request.js";
import type { Secret } from "../secret.js";
import { firstText, showForeign } from "../text.js";
import { understand } from "./answer.js";
import { addressOf, read, readLive, type PortalAccess } from "./portal.js";

/** Neither where the portal tells nothing. */
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

export interface PortalView extends PortalVersion {
  readonly settings: JsonObject;
  /** Who is signed in, as the portal calls them. */
  readonly account?: string;
  readonly own?: OwnPortal;
}

/** Fails where a token was sent but the portal answers as if there were none: such a view would lack settings. */
export async function readView(access: PortalAccess): Promise<PortalView> {
  const view = await look(access);
  if (view.version !== undefined) return view;
  return { ...view, ...(await unlessNotOffered(readVersion(access))) };
}

/** The settings alone, once the version is known; what stands in front of a portal may change its mind between two looks. */
export async function readViewAgain(access: PortalAccess): Promise<JsonObject> {
  return (await look(access)).settings;
}

async function look(access: PortalAccess): Promise<PortalView> {
  const [settings, told] = await Promise.all([readLive(access), unlessNotOffered(tell(access))]);
  if (access.token && told && !told.hasUser) {
    throw new Failure(
      "not-signed-in",
      `The portal at "${hostOf({ url: addressOf(access.portal, "") })}" answers as if nobody had signed in, although a token was sent.`,
      "Check that the portal takes tokens of the place that signIn names, how signIn.carry says that they travel, and whether something in front of the portal removes them or answers from a cache.",
    );
  }
  const { version, own, account } = told ?? {};
  return { settings, ...version, ...(own && { own }), ...(account && { account }) };
}

async function tell(access: PortalAccess) {
  const exchange = await read(access, "/portals/self");
  const self = understand(exchange);
  const secrets = secretsOf(exchange.request);
  // To nobody, many portals show one that is nobody's.
  const own = access.token && ownOf(self, access);
  const account = access.token && accountIn(self, secrets);
  return { hasUser: "user" in self, version: versionOf(self, secrets), own, account };
}

function accountIn({ user }: JsonObject, secrets: readonly Secret[]): string | undefined {
  const { username, fullName } = isJsonObject(user) ? user : {};
  const name = firstText([username, fullName]);
  return name && showForeign(name, secrets, LONGEST_NAME);
}

const LONGEST_NAME = 200;

/** Of an id or a host name; whatever else stands there is left alone. */
const NAME = /^[\w.:/-]{1,250}$/;

/** `portals/self` tells of the portal of whoever asks, so that another id than `self` stands for itself. */
export function ownOf(
  { id: shown, portalHostname }: JsonObject,
  { portal }: Pick<PortalAccess, "portal">,
): OwnPortal | undefined {
  const isName = (each: unknown): each is string => typeof each === "string" && NAME.test(each);
  const id = portal.id === "self" ? shown : portal.id;
  if (!isName(id)) return undefined;
  return isName(portalHostname) ? { id, hostname: portalHostname.toLowerCase() } : { id };
}

/** The reference shows neither resource, so a portal may do without them. */
async function unlessNotOffered<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isRefused = error instanceof Failure && error.code === "portal-refused";
    if (isRefused || (error as Failure).code === "answer-not-understood") return undefined;
    throw error;
  }
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
