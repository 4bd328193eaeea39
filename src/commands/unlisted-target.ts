// Warns of a target version that the reference does not list.
import { knownVersion } from "../catalog/catalog.js";
import { compareVersions } from "../catalog/version.js";
import { aboutFile, type Diagnostic } from "../diagnostic.js";
import { aboutUnlisted } from "../document/check/desired-state.js";

export function unlistedTarget(target: string, file: string): Diagnostic[] {
  const known = knownVersion(target);
  if (!known || compareVersions(known, target) === 0) return [];
  return [aboutFile("unlisted-target", file, ...aboutUnlisted(target, known))];
}
