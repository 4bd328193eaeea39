// A portal's version → how its root and its self tell it.
import { catalog } from "../catalog/catalog.js";
import { compareVersions, parseVersion } from "../catalog/version.js";
import type { Version } from "../catalog/names.js";
import type { JsonObject } from "../json.js";
import type { Switches } from "./options.js";

/** Before it, a portal tells its release alone. */
const TELLS_ENTERPRISE_VERSION = "11.3" satisfies Version;

/** Where the reference does not know the release, the version stands in for it. */
export function currentVersion({ knownVersion }: Switches): string {
  return catalog.releases.find(({ version }) => version === knownVersion)?.release ?? knownVersion;
}

export function describeVersion(switches: Switches): JsonObject {
  const { version, deployment } = switches;
  const isTold =
    deployment === "enterprise" && compareVersions(version, TELLS_ENTERPRISE_VERSION) >= 0;
  return {
    currentVersion: currentVersion(switches),
    ...(isTold && {
      enterpriseVersion: (parseVersion(version) ?? []).join("."),
      enterpriseBuild: "51526",
    }),
  };
}
