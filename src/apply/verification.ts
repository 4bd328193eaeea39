// Verifies an update: reads the portal for a while, and names what it does not show.
import { referenceName } from "../catalog/catalog.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { isEqual, printJson, type JsonObject } from "../lib/json.js";
import type { Change } from "../plan/diff.js";
import { isWhole, type Live } from "../plan/inputs.js";
import type { Plan } from "../plan/plan.js";
import { otherSpelling, spelledIn, valueAt } from "../plan/spelling.js";
import type { PortalAccess } from "../portal/portal.js";
import { readViewAgain } from "../portal/view.js";
import { formatPath, isSamePath, isSent, type Path } from "../settings.js";

export interface Readback {
  readonly settings: JsonObject;
  /** Changes that were sent and that the portal does not show. */
  readonly missing: readonly Change[];
}

/** Ten seconds in total, because some portals are slow. */
const DELAYS_MS = [250, 500, 750, 1_000, 1_500, 2_000, 2_000, 2_000];
const NEVER = new AbortController().signal;

interface Verifying {
  readonly access: PortalAccess;
  /** The live settings that the request was based on. */
  readonly live: Live;
}

/**
 * Only an administrator can verify what an administrator saw. An interrupt does not end this: the update is under way,
 * and its outcome belongs into the state.
 */
export async function verify(plan: Plan, { access, live }: Verifying, io: Io): Promise<Readback> {
  const reading: PortalAccess = { ...access, mustFinish: true };
  for (let attempt = 0; ; attempt++) {
    const delayMs = DELAYS_MS[attempt];
    try {
      const { settings, unproven } = await readViewAgain(reading);
      if (isWhole(live) && unproven !== undefined) throw notSignedIn(unproven);
      const missing = missingIn(plan, settings);
      if (missing.length === 0 || delayMs === undefined) return { settings, missing };
    } catch (error) {
      if (!(error instanceof Failure) || delayMs === undefined) throw error;
    }
    await io.sleep(delayMs, NEVER);
  }
}

function notSignedIn(unproven: string): Failure {
  return new Failure(
    "sign-in-refused",
    `${unproven} Before the update, it was an administrator.`,
    "Check whether something in front of the portal removes tokens, or answers from a cache.",
  );
}

function missingIn({ changes }: Plan, settings: JsonObject): Change[] {
  return changes.filter((change) => {
    const shown = valueAt(settings, change.path) ?? null;
    const isThere = isEqual(shown, change.after) || (change.action === "default" && shown === null);
    return isSent(change) && !isThere;
  });
}

/** Whether the portal still shows the old value of everything that was sent. */
export function showsSame({ changes }: Plan, before: JsonObject, after: JsonObject): boolean {
  const shown = (settings: JsonObject, path: Path) => valueAt(settings, path) ?? null;
  return changes
    .filter(isSent)
    .every(({ path }) => isEqual(shown(after, path), shown(before, path)));
}

export function notTaken(portal: string, readback: Readback): Failure {
  return new Failure(
    "not-taken",
    `The portal "${portal}" accepted the update, but shows another value for ${namesIn(readback)}.`,
    `${spellingsHelp(readback)}The state records the value that it shows. If the portal only reformats the value, nothing is left to do. Otherwise check its log.\n  lintel drift`,
  );
}

export function notShown(portal: string, readback: Readback): Failure {
  return new Failure(
    "not-shown",
    `The portal "${portal}" accepted the update, but does not show it yet: ${namesIn(readback)}.`,
    `${spellingsHelp(readback)}The portal may answer from a cache. The next apply or rollback reads it again before it sends anything. See:\n  lintel status`,
  );
}

function namesIn({ missing }: Readback): string {
  const names = missing.map(({ path }) => `"${formatPath(path)}"`);
  const some = names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return some.join(", ");
}

function spellingsHelp({ missing, settings }: Readback): string {
  const isAbsent = ({ path }: Change) => (valueAt(settings, path) ?? null) === null;
  return missing.map((each) => (isAbsent(each) ? spellingHelp(settings, each) : "")).join("");
}

/**
 * Suggests the other spelling but does not try it: two names for one property would look like two settings in a log.
 */
function spellingHelp(settings: JsonObject, { path, action, after, place }: Change): string {
  const other = otherSpelling(path);
  // If the portal's other settings decide the spelling, a file cannot change it.
  if (!other || isSamePath(spelledIn(settings, other), spelledIn(settings, path))) return "";
  const [[parameter, name], meant] = [path.map(String), String(other[1])];
  const who =
    referenceName(meant) === meant ? "The reference calls" : "Real portals are known to call";
  const at = place ? ` in ${place.file}, line ${place.line}` : "";
  const value = action === "default" ? "!default" : printJson(after);
  return `The portal shows "${name}" in neither spelling. ${who} it "${meant}". To try that, write${at} under "${parameter}":\n  ${meant}: ${value}\n`;
}
