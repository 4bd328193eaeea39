// Many files → their portals as the files want them: all planned, confirmed together, and carried out as far as they can be.
import { wantedOtherwise } from "./divergent-applies.js";
import { outcomeOf } from "./each-portal.js";
import type { Kept } from "./each-portal.js";
import { missedTexts, remark, tellRemarks, type Remarks } from "./missed-windows.js";
import { awaitOutcome } from "./wait.js";
import { assertApplicable, plan } from "./plan-portal.js";
import type { PlannedPortal, PlanOptions } from "./plan-portal.js";
import { assertNotFrozen, isByClock } from "./preconditions.js";
import type { PortalContext, RunContext } from "./portal-context.js";
import { assertFresh } from "./stale.js";
import { carryOutTogether, type Prepared, type Together } from "./apply-fleet.js";
import type { Failure } from "../failure.js";
import { changedEnds } from "../plan/binding.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import { authorOf } from "../state/author/author.js";
import type { Stored } from "../state/state-store.js";

export interface Applying<K> extends Omit<Together<K>, "prepare" | "isBound" | "confirm"> {
  readonly options: PlanOptions;
  /** What a saved plan says of a file's portal; absent where there is none. */
  readonly saved?: (file: string) => Plan | undefined;
  readonly confirm?: Omit<NonNullable<Together<K>["confirm"]>, "declined">;
}

export function applyAll<K>(
  files: readonly string[],
  tools: RunContext,
  concurrency: number,
  { options, saved, confirm, ...applying }: Applying<K>,
): Promise<Kept<K>> {
  const missed: Remarks = new Map();
  return carryOutTogether(files, tools, concurrency, {
    ...applying,
    weigh: () => tellRemarks(missed, tools),
    isBound: saved !== undefined,
    ...(confirm && {
      confirm: { ...confirm, declined: "Cancelled at the prompt. Nothing was applied." },
    }),
    prepare: async (portal): Promise<Prepared> => {
      const { portal: settled, known } = await awaitOutcome(portal, tools, "apply", applying);
      if (known) askAhead(portal, known, tools);
      const made = await plan(settled, tools, options, known);
      remark(missed, missedTexts(made, tools.io), portal.portal.name);
      const failure = await obstacleTo(made, tools, saved);
      return { made, options, wanted: portal.leaves, isSettled: isSettled(made), failure };
    },
  });
}

/** Who applies, asked of git while the portal answers, for both take as long; not where nothing seems to be wanted otherwise. */
function askAhead({ desired, leaves }: PortalContext, { state }: Stored, { io }: RunContext): void {
  if (state && wantedOtherwise(state, leaves).length === 0) return;
  // Whoever needs to know asks again, and hears why git cannot tell.
  authorOf(io, desired.paths).catch(() => undefined);
}

/** Why a plan cannot be carried out, known before anybody is asked. */
async function obstacleTo(
  made: PlannedPortal,
  tools: RunContext,
  saved: ((file: string) => Plan | undefined) | undefined,
): Promise<Failure | undefined> {
  const checked = await outcomeOf(async () => {
    // A secret that was lost must not read like "nothing to do".
    if (made.unable) throw made.unable;
    const before = saved?.(made.desired.file);
    // What was carried out already is done; what nobody carried out before its time was over is not.
    if (isSettled(made) && !(before && isMissed(before, made.plan))) return;
    if (!isNothingToDo(made.plan)) assertNotFrozen(made.state, { ...made.desired, io: tools.io });
    if (before) assertFresh(before, made, tools.io);
    assertApplicable(made, tools);
  }, tools);
  return "failure" in checked ? checked.failure : undefined;
}

/** Whether a window has closed before anybody applied the plan that it was for. */
function isMissed(saved: Plan, fresh: Plan): boolean {
  const ends = changedEnds(saved, fresh);
  return !isNothingToDo(saved) && ends.includes("schedule") && !ends.includes("state");
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && (!state?.hold || isByClock(plan));
}
