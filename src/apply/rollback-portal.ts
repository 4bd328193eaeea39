// The story of a rollback: portals that were applied to → as they were before, or after the apply that is named; then they are on hold.
import type { Look } from "./apply-portal.js";
import { outcomeOf, type Kept } from "../run/fleet.js";
import { awaitOutcome, foresee } from "./wait.js";
import { assertApplicable, plan, planAgain } from "../run/portal.js";
import type { PlanOptions } from "../run/portal.js";
import { assertNotHeldManually, nothingApplied } from "./preconditions.js";
import { assertValuesFit } from "./restored-values.js";
import { passedText, rollbackTo, undoneBy, type Aim } from "./restore-plan.js";
import type { ReachablePortal, Tools } from "../run/reachable.js";
import { carryOutTogether, type Prepared, type Together } from "../run/together/together.js";
import { Failure } from "../failure.js";
import { isNothingToDo } from "../plan/plan.js";
import { isPicked } from "../plan/spelling.js";
import { formatPath, type Path } from "../settings.js";
import { appliesOf } from "../state/state.js";
import { shellWord, showTime, someOf, zoneOf, type Zone } from "../lib/text.js";

export interface RollingBack<K> extends Omit<Together<K>, "prepare" | "isBound" | "confirm">, Aim {
  readonly options: PlanOptions;
  /** Asked before anything is sent, and a yes opens the guards. */
  readonly confirm?: Omit<NonNullable<Together<K>["confirm"]>, "declined">;
}

export function rollBackAll<K>(
  files: readonly string[],
  tools: Tools,
  concurrency: number,
  { options, to, since, confirm, weigh, ...rolling }: RollingBack<K>,
): Promise<Kept<K>> {
  const isAlone = files.length === 1;
  // Of many portals, what is to be said of several is said once.
  const told = new Map<string, string[]>();
  return carryOutTogether(files, tools, concurrency, {
    ...rolling,
    // What it undoes is the apply that was last when it was planned.
    isBound: true,
    ...(confirm && {
      confirm: { ...confirm, declined: "Cancelled at the prompt. Nothing was rolled back." },
    }),
    prepare: async (portal): Promise<Prepared> => {
      const { portal: settled } = await awaitOutcome(portal, tools, "rollback", rolling);
      const notice = (sentence: string) =>
        void told.set(sentence, [...(told.get(sentence) ?? []), portal.portal.name]);
      const own = isAlone ? tools : { ...tools, notice };
      const preparing = { options, to, since, isAsked: confirm !== undefined, isAlone };
      return prepareRollback(settled, own, preparing);
    },
    weigh: (undone) => {
      weigh?.(undone);
      for (const [sentence, names] of told) {
        tools.notice(`${someOf(names, "portal")}: ${sentence}`);
      }
    },
  });
}

interface Preparing extends Aim {
  readonly options: PlanOptions;
  readonly isAsked: boolean;
  /** Otherwise the report says of which portals nothing is to be undone. */
  readonly isAlone: boolean;
}

async function prepareRollback(
  portal: ReachablePortal,
  tools: Tools,
  { options: given, to, since, isAsked, isAlone }: Preparing,
): Promise<Prepared> {
  const { notice, io } = tools;
  const { file } = portal.desired;
  const { state } = await portal.store.read();
  if (!state || (appliesOf(state).length === 0 && !state.journal)) throw nothingApplied(file);
  const last = appliesOf(state).at(-1);
  if (since !== undefined && !state.journal && Date.parse(last?.time ?? "") < Date.parse(since)) {
    const moment = showTime(since, zoneOf(io));
    throw new Failure("not-begun", `Nothing was applied here since ${moment}.`);
  }
  const foreseen = await foresee(state, portal);
  const found = rollbackTo(foreseen, { to, since }, file);
  const isMeant = ({ path }: { readonly path: Path }) => isPicked(path, given.paths);
  const { leaves, why } = found;
  const [wants, lost] = [found.wants.filter(isMeant), found.lost.filter(isMeant)];
  for (const { path, value } of lost) {
    notice(
      `"${formatPath(path)}" stays as it is: ${value === null ? "it had no value before, and an update cannot remove one" : "the state does not know the earlier value"}.`,
    );
  }
  if (found.passed.length > 0) {
    notice(`Skipped, because these did not apply a file: ${passedText(found.passed)}.`);
  }
  const first = await plan({ ...portal, leaves, isPutBack: true }, tools, given);
  if (wants.length === 0 && lost.length > 0) throw notUndone(why);
  const wanted = portal.leaves;
  if (isNothingToDo(first.plan)) {
    if (isAlone && first.plan.leftOut === 0) notice(nothingToDo(state, file, zoneOf(io)));
    return { made: first, options: given, wanted, isSettled: true };
  }
  await assertValuesFit(state, first, io);
  const closed = first.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  // Whoever says yes has read which guards that opens.
  const options = isAsked ? { ...given, allowAtPrompt: closed } : given;
  const made = planAgain(first, tools, options);
  const checked = await outcomeOf(async () => {
    assertNotHeldManually(made.state, { file, io });
    assertApplicable({ ...made, state: undefined }, tools);
  }, tools);
  return {
    made,
    shown: first,
    options,
    wanted,
    rollback: { why, wants, aim: found.aim(zoneOf(io)), undone: undoneBy(foreseen) },
    isSettled: false,
    ...("failure" in checked && { failure: checked.failure }),
  };
}

function nothingToDo({ hold }: NonNullable<Look["state"]>, file: string, zone: Zone): string {
  return hold
    ? `The portal is rolled back already, and on hold since ${showTime(hold.since, zone)}. To go further back:\n  lintel state history ${shellWord(file)}\n  lintel rollback ${shellWord(file)} --to N`
    : "Nothing to roll back: the portal already shows these values. Nothing was sent, and no hold was placed.";
}

function notUndone(why: string): Failure {
  return new Failure(
    "nothing-applied",
    `What was applied cannot be put back (${why}): there was no earlier value, or the state does not know it.`,
    "An update can set values and cannot unset them. Write the values that you want into the file, and apply.",
  );
}
