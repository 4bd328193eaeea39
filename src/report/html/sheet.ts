// What became of a portal, or what somebody else changed on it → what a page tells of it, in one form for both.
import type { Change } from "../../plan/diff.js";
import { closedGuards, type PortalResult } from "../../plan/result.js";
import { driftChanges, DRIFT_SIDES, type PortalDrift } from "../text/drift.js";
import { numbersOf, STATUS } from "../model/wording.js";
import { counted } from "../../text.js";

export interface Sheet {
  readonly result: PortalResult;
  /** Those of the plan, or from what was proven last to what the portal shows. */
  readonly changes: readonly Change[];
  readonly isDrift: boolean;
  /** Above the changes. */
  readonly remarks: readonly string[];
}

export function sheetOf(result: PortalResult): Sheet {
  return { result, changes: result.plan?.changes ?? [], isDrift: false, remarks: [] };
}

export function sheetOfDrift(portal: PortalDrift): Sheet {
  const changes = driftChanges(portal);
  const { result, remark } = portal;
  return {
    result,
    changes,
    isDrift: true,
    remarks: [
      ...(remark === undefined ? [] : [remark]),
      ...(changes.length > 0 ? [`From ${DRIFT_SIDES}.`] : []),
    ],
  };
}

/** By which portals can be chosen; one may be in several. */
export type State = PortalResult["status"] | "guarded" | "drift";

/** Also the order in which they are offered. */
export const STATES: Readonly<Record<State, string>> = {
  failed: STATUS.failed,
  held: STATUS.held,
  guarded: "stopped by a guard",
  drift: "with drift",
  changes: STATUS.changes,
  applied: STATUS.applied,
  skipped: STATUS.skipped,
  unchanged: STATUS.unchanged,
};

export function statesOf(sheet: Sheet): State[] {
  const { result, changes, isDrift } = sheet;
  if (isDrift) {
    // That a portal is as it was left is all that "unchanged" says of drift.
    return result.status === "changes" ? ["drift"] : [result.status];
  }
  return [
    result.status,
    ...(closedIn(sheet) > 0 ? ["guarded" as const] : []),
    ...(changes.some(hasDrifted) ? ["drift" as const] : []),
  ];
}

export function statusWord({ result, isDrift }: Sheet): string {
  if (!isDrift) return STATUS[result.status];
  if (result.status === "changes") return STATES.drift;
  return result.status === "unchanged" ? "no drift" : STATUS[result.status];
}

/** Whether the portal was changed by somebody else before this change of the plan. */
export function hasDrifted({ notes }: Change): boolean {
  return notes.some(({ code }) => code === "drift");
}

/** Guards that stop the apply. */
export function closedIn({ result, isDrift }: Sheet): number {
  return isDrift ? 0 : closedGuards(result).length;
}

/** Whether there is more to tell of it than its row says. */
export function hasDetails({ result, changes, remarks, isDrift }: Sheet): boolean {
  const { plan, hold, failure } = result;
  if (changes.length > 0 || remarks.length > 0 || hold || failure) return true;
  return !isDrift && plan !== null && (plan.notes.length > 0 || plan.reason !== null);
}

/** "2 to set, 1 to adopt" or "3 settings changed". */
export function countsIn({ result, changes, isDrift }: Sheet): string {
  if (changes.length === 0) return "";
  if (isDrift) return `${counted(changes.length, "setting")} changed`;
  const { set, adopt, release } = numbersOf(changes);
  const words =
    result.status === "applied"
      ? ["set", "adopted", "released"]
      : ["to set", "to adopt", "to release"];
  return [set, adopt, release]
    .flatMap((count, at) => (count > 0 ? [`${count} ${words[at]}`] : []))
    .join(", ");
}
