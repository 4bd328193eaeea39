// The story of a rollback: a portal that was applied to → as it was before, or after the apply that is named; then it is on hold.
import type { Look } from "./apply.js";
import { awaitOutcome, foresee, type Waiting } from "./open-journal.js";
import { apply, assertApplicable, plan, planAgain } from "./portal.js";
import type { PlanOptions, PlannedPortal } from "./portal.js";
import { nothingApplied } from "./preconditions.js";
import { rollbackTo } from "./put-back.js";
import type { ReachablePortal, Tools } from "./reachable.js";
import { Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import { isNothingToDo } from "../plan/plan.js";
import { formatPath } from "../settings.js";
import { appliesOf } from "../state/state.js";
import { shellWord, showTime, zoneOf, type Zone } from "../text.js";

export interface RollingBack extends Waiting {
  readonly options: PlanOptions;
  /** The serial of the apply to go back to; undefined for what there was before the last one. */
  readonly to: number | undefined;
  /** Asked before anything is sent, and a yes opens the guards; absent where nobody is to be asked. */
  readonly confirm?: (question: Question) => Promise<boolean>;
}

export interface Question {
  readonly planned: PlannedPortal;
  /** Where the portal is to go, in words. */
  readonly aim: string;
  readonly guards: readonly GuardName[];
}

/** Fails before there is a plan, and while one is carried out; what stops a plan is told beside it. */
export async function rollBack(
  portal: ReachablePortal,
  tools: Tools,
  { options: given, to, confirm, ...waiting }: RollingBack,
): Promise<{ readonly planned: PlannedPortal; readonly failure?: Failure }> {
  const { notice, io } = tools;
  const { file } = portal.desired;
  const settled = await awaitOutcome(portal, tools, "rollback", waiting);
  const state = await portal.store.read();
  if (!state || (appliesOf(state).length === 0 && !state.journal)) throw nothingApplied(file);
  const found = rollbackTo(await foresee(state, settled), to, file);
  const { leaves, wants, lost, why, aim } = found;
  for (const { path, value } of lost) {
    notice(
      `"${formatPath(path)}" is left as it is: ${value === null ? "nothing stood there, and an update cannot unset it" : "nobody knows what stood there"}.`,
    );
  }
  const first = await plan({ ...settled, leaves }, tools, given);
  if (wants.length === 0 && lost.length > 0) throw notUndone(why);
  if (isNothingToDo(first.plan)) {
    notice(nothingToDo(state, file, zoneOf(io)));
    return { planned: first };
  }
  const guards = first.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  if (confirm && !(await confirm({ planned: first, aim: aim(zoneOf(io)), guards }))) {
    return { planned: first, failure: new Failure("declined", "Nothing was rolled back.") };
  }
  // Whoever says yes has read which guards that opens.
  const options = confirm ? { ...given, allow: [...given.allow, ...guards] } : given;
  const planned = planAgain(first, tools, options);
  try {
    assertApplicable({ ...planned, state: undefined }, tools);
  } catch (failure) {
    if (failure instanceof Failure) return { planned, failure };
    throw failure;
  }
  const done = await apply(planned, tools, {
    ...options,
    ...waiting,
    confirmed: confirm && planned.plan,
    rollback: { why, wants },
  });
  // Elsewhere the plan is shown when all is done, and says so itself.
  if (confirm) {
    notice(
      `The portal is on hold: applies refuse until the file agrees, or until\n  lintel state unhold ${shellWord(file)}`,
    );
  }
  return { planned: { ...planned, ...done } };
}

function nothingToDo({ hold }: NonNullable<Look["state"]>, file: string, zone: Zone): string {
  return hold
    ? `The portal is rolled back already, and on hold since ${showTime(hold.since, zone)}. To go further back:\n  lintel state history ${shellWord(file)}\n  lintel rollback ${shellWord(file)} --to SERIAL`
    : "The portal is so already: nothing was sent, and there is no hold.";
}

function notUndone(why: string): Failure {
  return new Failure(
    "nothing-applied",
    `What was applied cannot be put back (${why}): nothing stood there, or nobody knows what did.`,
    "An update can set values and cannot unset them. Write the values that you want into the file, and apply.",
  );
}
