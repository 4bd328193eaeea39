// What was sent and does not show → the Failure that names it, and for a property with two spellings how to try the other.
import { referenceName } from "../catalog/catalog.js";
import { Failure } from "../failure.js";
import { printJson, type JsonObject } from "../json.js";
import type { Change } from "../plan/diff.js";
import { otherSpelling, valueAt } from "../plan/spelling.js";
import { formatPath } from "../settings.js";

export function notTaken(
  portal: string,
  missing: readonly Change[],
  settings: JsonObject | undefined,
): Failure {
  const names = missing.map(({ path }) => `"${formatPath(path)}"`);
  const some = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  const spellings = missing
    .filter(({ path }) => (valueAt(settings ?? {}, path) ?? null) === null)
    .flatMap(spellingHelp);
  return new Failure(
    "not-taken",
    `The portal "${portal}" said that it took the update, but shows ${some.join(", ")} otherwise.`,
    [
      ...spellings,
      "What it shows is in the state now. If that is what the portal makes of the value, nothing is left to do; else see its log.\n  lintel drift",
    ].join("\n"),
  );
}

/** Nothing is tried in silence: two names sent for one property would be two settings to somebody who reads the log. */
function spellingHelp({ path, action, after, place }: Change): string[] {
  const other = otherSpelling(path);
  if (!other) return [];
  const [parameter, name] = path.map(String);
  const meant = String(other[1]);
  const who =
    referenceName(meant) === meant ? "The reference calls" : "Real portals are known to call";
  const at = place ? ` in ${place.file}, line ${place.line}` : "";
  const value = action === "default" ? "!default" : printJson(after);
  return [
    `The portal shows "${name}" in neither spelling. ${who} it "${meant}". To try that, write${at} under "${parameter}":\n  ${meant}: ${value}`,
  ];
}
