// A target that the reference does not list → what is to be said of it.
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { aboutFile, type Diagnostic } from "../../diagnostic.js";

export function unlistedTarget(target: string, file: string): Diagnostic[] {
  const known = knownVersion(target);
  if (!known || compareVersions(known, target) === 0) return [];
  const message =
    known === catalog.versions.at(-1)
      ? `The reference ends at version ${known}; what it says of that is taken to hold for ${target}.`
      : `The reference does not list version "${target}"; what it says of "${known}" is applied.`;
  const help = `Check that the portal has this version. Versions listed: ${catalog.versions.join(", ")}.`;
  return [aboutFile("unlisted-target", file, message, help)];
}
