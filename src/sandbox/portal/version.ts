// A portal's version → how its root and its self tell it. What is not known of a version is left out rather than made up.
import { catalog } from "../../catalog/catalog.js";
import { compareVersions, parseVersion } from "../../catalog/version.js";
import type { Version } from "../../../schemas/names.js";
import type { JsonObject } from "../../json.js";
import type { Switches } from "../options.js";

/** Before it, a portal tells its release alone. */
const TELLS_ENTERPRISE_VERSION = "11.3" satisfies Version;

export function describeVersion({ version, deployment }: Switches): {
  /** What the portal's self tells too. */
  readonly told: JsonObject;
  readonly build: JsonObject;
} {
  const known = catalog.releases.find((each) => compareVersions(each.version, version) === 0);
  const isTold =
    deployment === "enterprise" && compareVersions(version, TELLS_ENTERPRISE_VERSION) >= 0;
  return {
    told: {
      ...(known && { currentVersion: known.release }),
      ...(isTold && { enterpriseVersion: (parseVersion(version) ?? []).join(".") }),
    },
    build: isTold && known?.build !== undefined ? { enterpriseBuild: known.build } : {},
  };
}
