// A portal → what it shows to whoever the token belongs to, or to anybody; and its version.
import { Failure } from "../failure.js";
import type { JsonObject } from "../json.js";
import { hostOf, secretsOf } from "../request.js";
import { understand } from "./answer.js";
import { addressOf, read, readLive, type PortalAccess } from "./portal.js";
import { readVersion, versionOf, type PortalVersion } from "./version.js";

export interface PortalView extends PortalVersion {
  readonly settings: JsonObject;
}

/** Fails where a token was sent but the portal answers as if there were none: such a view would lack settings. */
export async function readView(access: PortalAccess): Promise<PortalView> {
  const { settings, self, secrets } = await look(access);
  const told = self ? versionOf(self, secrets) : {};
  if (told.version !== undefined) return { settings, ...told };
  return { settings, ...told, ...(await unlessNotOffered(readVersion(access))) };
}

/** The settings alone, once the version is known; what stands in front of a portal may change its mind between two looks. */
export async function readViewAgain(access: PortalAccess): Promise<JsonObject> {
  return (await look(access)).settings;
}

async function look(access: PortalAccess) {
  const [settings, told] = await Promise.all([readLive(access), unlessNotOffered(tell(access))]);
  const { self, secrets = [] } = told ?? {};
  if (access.token && self && !("user" in self)) throw notSignedIn(access);
  return { settings, self, secrets };
}

async function tell(access: PortalAccess) {
  const exchange = await read(access, "/portals/self");
  return { self: understand(exchange), secrets: secretsOf(exchange.request) };
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

function notSignedIn({ portal }: PortalAccess): Failure {
  return new Failure(
    "not-signed-in",
    `The portal at "${hostOf({ url: addressOf(portal, "") })}" answers as if nobody had signed in, although a token was sent.`,
    "Check that the portal takes tokens of the place that signIn names, how signIn.carry says that they travel, and whether something in front of the portal removes them or answers from a cache.",
  );
}
