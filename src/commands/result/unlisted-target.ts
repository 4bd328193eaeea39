// A target that the reference does not list → what is to be said of it.
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { severityOf, type Diagnostic } from "../../diagnostic.js";

export function unlistedTarget(target: string, file: string): Diagnostic[] {
  const known = knownVersion(target);
  if (!known || compareVersions(known, target) === 0) return [];
  const newest = catalog.versions.at(-1);
  const code = "unlisted-target";
  return [
    {
      code,
      severity: severityOf(code),
      message:
        known === newest
          ? `The reference ends at version ${newest}; what it says of that is taken to hold for ${target}.`
          : `The reference does not list version "${target}"; what it says of "${known}" is applied.`,
      help: `Check that the portal has this version. Versions listed: ${catalog.versions.join(", ")}.`,
      file,
      related: [],
    },
  ];
}
