// A portal → its version in the numbering of the reference, or the release that it calls itself where that is not listed.
import { catalog } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import { type JsonObject, nearestNumber } from "../json.js";
import { showForeign } from "../text.js";
import { secretsOf } from "../request.js";
import type { Secret } from "../secret.js";
import { understand } from "./answer.js";
import { read, type PortalAccess } from "./portal.js";

/** Neither where the portal tells nothing. */
export interface PortalVersion {
  readonly version?: string;
  /** In the portal's own words, fit to be shown. */
  readonly unlistedRelease?: string;
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
