// A plan that was sent → what the portal shows of it, read again for a while, since some portals take their time.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { isEqual, type JsonObject } from "../json.js";
import type { Change } from "../plan/diff.js";
import type { Plan } from "../plan/plan.js";
import { isSent } from "../plan/request.js";
import { valueAt } from "../plan/spelling.js";
import type { PortalAccess } from "../portal/portal.js";
import { readViewAgain } from "../portal/view.js";

export interface Proof {
  readonly settings: JsonObject;
  /** What was sent and does not show. */
  readonly missing: readonly Change[];
}

/** Ten seconds in all. */
const DELAYS_MS = [250, 500, 750, 1_000, 1_500, 2_000, 2_000, 2_000];
const NEVER = new AbortController().signal;

/**
 * What anybody may see proves nothing. An interrupt does not end it: the update is under way, and its outcome belongs
 * into the state.
 */
export async function prove(plan: Plan, access: PortalAccess, io: Io): Promise<Proof> {
  const reading: PortalAccess = { ...access, mustFinish: true };
  for (let attempt = 0; ; attempt++) {
    const delayMs = DELAYS_MS[attempt];
    try {
      const settings = await readViewAgain(reading);
      const missing = missingIn(plan, settings);
      if (missing.length === 0 || delayMs === undefined) return { settings, missing };
    } catch (error) {
      if (!(error instanceof Failure) || delayMs === undefined) throw error;
    }
    await io.sleep(delayMs, NEVER);
  }
}

function missingIn({ changes }: Plan, settings: JsonObject): Change[] {
  return changes.filter((change) => {
    const shown = valueAt(settings, change.path) ?? null;
    const isThere = isEqual(shown, change.after) || (change.action === "default" && shown === null);
    return isSent(change) && !isThere;
  });
}

/** Whether the portal shows of all that was sent what it showed before. */
export function isUntouched({ changes }: Plan, settings: JsonObject): boolean {
  return changes
    .filter(isSent)
    .every(({ path, before }) => isEqual(valueAt(settings, path) ?? null, before));
}
