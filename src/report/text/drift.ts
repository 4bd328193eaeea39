// What somebody else changed on portals → text for a terminal, portal by portal, counts last.
import { reportDrift, type PortalDrift } from "../model/portal.js";
import { driftVerdictOf } from "../model/verdict.js";
import { WIDTH } from "./layout.js";
import type { Paint } from "./paint.js";
import { portalText } from "./portal.js";

export function driftText(portals: readonly PortalDrift[], paint: Paint): string {
  const isFine = ({ result, drifts }: PortalDrift) => drifts.length === 0 && !result.failure;
  return [
    ...(portals.every(isFine) ? [`${paint.green("No drift.")}\n`] : []),
    ...portals
      .filter((each) => !isFine(each) || each.remark !== undefined)
      .map((each) =>
        portalText(reportDrift(each, paint.time), { paint, width: WIDTH, isFull: false }),
      ),
    `${paint.bold(driftVerdictOf(portals))}\n`,
  ].join("\n");
}
