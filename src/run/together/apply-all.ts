// Many files → their portals as the files want them: all planned, confirmed together, and carried out as far as they can be.
import { wantedOtherwise } from "../look/apart.js";
import { outcomeOf } from "../fleet.js";
import type { Kept } from "../fleet.js";
import { missedTexts, remark, tellRemarks, type Remarks } from "../late.js";
import { awaitOutcome } from "../../apply/wait.js";
import { assertApplicable, plan } from "../portal.js";
import type { PlannedPortal, PlanOptions } from "../portal.js";
import { assertNotHeldManually, isByClock } from "../../apply/preconditions.js";
import type { ReachablePortal, Tools } from "../reachable.js";
import { assertFresh } from "../../apply/stale.js";
import { carryOutTogether, type Prepared, type Together } from "./together.js";
import type { Failure } from "../../failure.js";
import { changedEnds } from "../../plan/binding.js";
import { isNothingToDo, type Plan } from "../../plan/plan.js";
import { authorOf } from "../../state/author/author.js";
import { rollbackHoldOf } from "../../state/state.js";
import type { Stored } from "../../state/state-store.js";

export interface Applying<K> extends Omit<Together<K>, "prepare" | "isBound" | "confirm"> {
  readonly options: PlanOptions;
  /** What a saved plan says of a file's portal; absent where there is none. */
  readonly saved?: (file: string) => Plan | undefined;
  readonly confirm?: Omit<NonNullable<Together<K>["confirm"]>, "declined">;
}

export function applyAll<K>(
  files: readonly string[],
  tools: Tools,
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
function askAhead({ desired, leaves }: ReachablePortal, { state }: Stored, { io }: Tools): void {
  if (state && wantedOtherwise(state, leaves).length === 0) return;
  // Whoever needs to know asks again, and hears why git cannot tell.
  authorOf(io, desired.paths).catch(() => undefined);
}

/** Why a plan cannot be carried out, known before anybody is asked. */
async function obstacleTo(
  made: PlannedPortal,
  tools: Tools,
  saved: ((file: string) => Plan | undefined) | undefined,
): Promise<Failure | undefined> {
  const checked = await outcomeOf(async () => {
    // A secret that was lost must not read like "nothing to do".
    if (made.unable) throw made.unable;
    const before = saved?.(made.desired.file);
    if (isSettled(made) && !(before && isOvertaken(before, made.plan))) return;
    if (!isNothingToDo(made.plan))
      assertNotHeldManually(made.state, { ...made.desired, io: tools.io });
    if (before) assertFresh(before, made, tools.io);
    assertApplicable(made, tools);
  }, tools);
  return "failure" in checked ? checked.failure : undefined;
}

/** Where nothing is left to do: whether the file sets other values now, or a window closed before its plan was applied. */
function isOvertaken(saved: Plan, fresh: Plan): boolean {
  if (isNothingToDo(saved)) return false;
  const ends = changedEnds(saved, fresh);
  return ends.includes("schedule") ? !ends.includes("state") : ends.includes("desired");
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && (!(state && rollbackHoldOf(state)) || isByClock(plan));
}
