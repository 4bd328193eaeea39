// What somebody else changed on portals → text for a terminal: what differs first, alike changes once, counts last.
import { openCollection } from "../../model/alike.js";
import { DRIFT_SIDES, reportDrift, type PortalDrift } from "../../model/portal.js";
import { driftVerdictOf } from "../../model/verdict.js";
import { alikeText } from "./alike.js";
import { said } from "../flow.js";
import type { Paint } from "../paint.js";
import { failuresText } from "./plan.js";
import { portalText } from "./portal.js";

export function driftText(portals: readonly PortalDrift[], paint: Paint): string {
  const isFine = ({ result, drifts }: PortalDrift) => drifts.length === 0 && !result.failure;
  const looks = { paint, width: paint.width, isFull: false, sides: DRIFT_SIDES };
  const [only] = portals;
  const isCompared = portals.every((each) => isFine(each) && each.last);
  const nothing = only && isCompared ? [`${paint.green("No drift.")}\n`] : [];
  const verdict = `${said(driftVerdictOf(portals), paint.bold, "", paint).join("\n")}\n`;
  if (only && portals.length === 1) {
    const isTold = !isFine(only) || only.remark !== undefined;
    const told = isTold ? [portalText(reportDrift(only, paint.time), looks)] : [];
    return [...nothing, ...told, verdict].join("\n");
  }
  const collection = openCollection();
  const results = portals.map(({ result }) => result);
  const pieces = portals.map((each) => collection.add(reportDrift(each, paint.time)));
  const told = [...alikeText(results, pieces, collection, looks)].join("");
  const failed = results.filter(({ failure }) => failure);
  return [
    ...nothing.map((line) => `${line}\n`),
    told,
    ...failuresText(failed, paint).map((text) => `${text}\n`),
    verdict,
  ].join("");
}
