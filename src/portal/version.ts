// A portal → its version in the numbering of the reference; undefined where it does not say one that is known.
import { catalog } from "../catalog/catalog.js";
import { parseVersion } from "../catalog/version.js";
import type { JsonObject } from "../json.js";
import { readJson, type Visit } from "./portal.js";

export async function readVersion(visit: Visit): Promise<string | undefined> {
  return versionOf(await readJson(visit, ""));
}

export function versionOf({ enterpriseVersion, currentVersion }: JsonObject): string | undefined {
  if (typeof enterpriseVersion === "string" && parseVersion(enterpriseVersion)) {
    // The reference counts in two numbers where the third is zero.
    return enterpriseVersion.replace(/^(\d+\.\d+)\.0$/, "$1");
  }
  return typeof currentVersion === "object"
    ? undefined
    : catalog.releases.find(({ release }) => release === String(currentVersion))?.version;
}
