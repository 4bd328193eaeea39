// What somebody else changed on portals → text for a terminal, portal by portal, counts last.
import type { Change } from "../../plan/diff.js";
import type { Drift } from "../../plan/drift.js";
import type { PortalResult } from "../../plan/result.js";
import type { Looks } from "./difference.js";
import type { Paint } from "./paint.js";
import { changesLines, titleOf } from "./portal.js";
import { failureText } from "./diagnostic.js";
import { counted } from "../../text.js";

export interface PortalDrift {
  readonly result: PortalResult;
  readonly drifts: readonly Drift[];
  /** Lines of the file by setting, for those that stand in it. */
  readonly placeOf: (drift: Drift) => Change["place"];
  /** What stands in the way of a comparison; undefined where it was made. */
  readonly remark?: string;
}

const WIDTH = 96;

export function driftText(portals: readonly PortalDrift[], paint: Paint): string {
  const looks: Looks = { paint, width: WIDTH, isFull: false, isDone: false };
  const isFine = ({ result, drifts }: PortalDrift) => drifts.length === 0 && !result.failure;
  return [
    ...(portals.every(isFine) ? [`${paint.green("No drift.")}\n`] : []),
    ...portals
      .filter((each) => !isFine(each) || each.remark !== undefined)
      .map((each) => portalText(each, looks)),
    `${paint.bold(driftVerdictOf(portals))}\n`,
  ].join("\n");
}

/** "2 portals: 3 settings changed since the last apply, 1 failed." */
export function driftVerdictOf(portals: readonly PortalDrift[]): string {
  const drifts = portals.reduce((sum, each) => sum + each.drifts.length, 0);
  const failed = portals.filter(({ result }) => result.failure).length;
  return [
    counted(portals.length, "portal"),
    ": ",
    [
      ...(drifts > 0 ? [`${counted(drifts, "setting")} changed since the last apply`] : []),
      ...(drifts === 0 && failed < portals.length ? ["no drift"] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ].join(", "),
    ".",
  ].join("");
}

/** As changes of a plan look, from what the last apply left to what the portal shows. */
export function driftChanges({ drifts, placeOf }: PortalDrift): Change[] {
  return drifts.map((drift) => ({
    path: drift.path,
    action: "set",
    before: drift.proven,
    after: drift.live,
    place: placeOf(drift),
    notes: drift.isManaged ? [] : [UNMANAGED],
  }));
}

/** Above such changes, because there is no plan beside them that tells which side is which. */
export const DRIFT_SIDES = "what the last apply left → what the portal shows now";

function portalText(portal: PortalDrift, looks: Looks): string {
  const { result, remark } = portal;
  const { paint } = looks;
  const changes = driftChanges(portal);
  return [
    titleOf(result, paint),
    ...(remark === undefined ? [] : [`  ${paint.dim(remark)}`]),
    ...(changes.length > 0 ? ["", paint.dim(`  ${DRIFT_SIDES}`)] : []),
    ...changesLines({ changes }, looks),
    ...(result.failure ? ["", failureText(result.failure, paint).trimEnd()] : []),
    "",
  ].join("\n");
}

const UNMANAGED = { code: "drift", message: "The file does not manage it." } as const;
