// Prepares rollbacks: to before the last apply, or to the result of a named one. The portals are on hold afterwards.
import type { Snapshot } from "./snapshot.js";
import { prepared, type Prepared } from "./apply-fleet.js";
import { eachPortal, outcomeOf } from "./each-portal.js";
import { awaitOutcome, foresee, type Waiting } from "./wait.js";
import { assertApplicable, planAgain, planPortal, type PlanOptions } from "./plan-portal.js";
import { assertNotHeldManually, nothingApplied } from "./preconditions.js";
import { assertValuesFit } from "./restored-values.js";
import { passedText, rollbackTo, undoneBefore, undoneBy, type Aim } from "./restore-plan.js";
import type { Member, PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { Failure } from "../failure.js";
import { isEqual } from "../lib/json.js";
import { isNothingToDo } from "../plan/plan.js";
import { isPicked } from "../plan/spelling.js";
import { formatPath, type Path } from "../settings.js";
import { clockOf } from "../moment.js";
import { keyOf } from "../catalog/spelling.js";
import { appliesOf, type WantedLeaf } from "../state/state.js";
import { shellWord, showTime, someOf, zoneOf, type Zone } from "../lib/text.js";

export interface RollbackOptions extends Aim {
  readonly options: PlanOptions;
  readonly waiting: Waiting;
  /** A prompt follows, and a yes allows the guards. */
  readonly isAsked: boolean;
}

/** Plans the rollbacks of all portals, and finds why any of them is impossible. */
export async function prepareRollbacks(
  run: RunContext,
  files: readonly string[],
  rolling: RollbackOptions,
): Promise<Member<Prepared>[]> {
  const isAlone = files.length === 1;
  // Shows a notice of several portals once.
  const notices = new Map<string, string[]>();
  const members = await eachPortal(run, files, async (portal) => {
    const { portal: settled } = await awaitOutcome(portal, run, "rollback", rolling.waiting);
    const notice = (sentence: string) =>
      void notices.set(sentence, [...(notices.get(sentence) ?? []), portal.portal.name]);
    const own = isAlone ? run : { ...run, notice };
    return prepared(run, await prepareRollback(own, settled, { ...rolling, isAlone }));
  });
  for (const [sentence, names] of notices) run.notice(`${someOf(names, "portal")}: ${sentence}`);
  return members;
}

interface Preparing extends RollbackOptions {
  /** For one file. For several, the report lists the portals without anything to undo. */
  readonly isAlone: boolean;
}

async function prepareRollback(
  run: RunContext,
  portal: PortalContext,
  { options: given, to, since, isAsked, isAlone }: Preparing,
): Promise<Prepared> {
  const { notice, io } = run;
  const { file } = portal.desired;
  const { state } = await portal.store.read();
  if (!state || (appliesOf(state).length === 0 && !state.journal)) {
    if (since === undefined || isAlone) throw nothingApplied(file);
    throw new Failure("not-begun", "Nothing has been applied here yet.");
  }
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
  const pathsOf = (isKnown: boolean) =>
    lost.filter(({ value }) => (value === null) === isKnown).map(({ path }) => formatPath(path));
  const [unset, unknown] = [pathsOf(true), pathsOf(false)];
  if (unset.length > 0) {
    notice(`Not undone, because an update cannot remove a value: ${someOf(unset, "setting")}.`);
  }
  if (unknown.length > 0) {
    notice(`Not undone, because the earlier value is unknown: ${someOf(unknown, "setting")}.`);
  }
  if (found.passed.length > 0) {
    notice(`Not undone, because no file change caused it: ${passedText(found.passed)}.`);
  }
  const first = await planPortal(run, { ...portal, leaves, isRollback: true }, given);
  if (wants.length === 0 && lost.length > 0) throw notUndone(why);
  const wanted = portal.leaves;
  if (isNothingToDo(first.plan)) {
    if (isAlone && first.plan.leftOut === 0) notice(nothingToDo(state, file, zoneOf(io)));
    const undone = undoneBefore(foreseen);
    return { planned: first, options: given, wanted, isSettled: true, undone };
  }
  for (const text of windowTexts(portal, wants)) notice(text);
  await assertValuesFit(state, first, io);
  const closed = first.plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  // The prompt names the guards that a yes allows.
  const options = isAsked ? { ...given, allowAtPrompt: closed } : given;
  const planned = planAgain(run, first, options);
  const checked = await outcomeOf(async () => {
    assertNotHeldManually(planned.state, { file, io });
    assertApplicable(run, { ...planned, state: undefined });
  }, run);
  return {
    planned,
    shown: first,
    options,
    wanted,
    rollback: { why, wants, aim: found.aim(zoneOf(io)), undone: undoneBy(foreseen) },
    isSettled: false,
    ...("failure" in checked && { failure: checked.failure }),
  };
}

/** The hold of a rollback also blocks the end of a window that is open now. */
function windowTexts(
  { schedule, leaves, desired }: PortalContext,
  wants: readonly WantedLeaf[],
): string[] {
  const time = clockOf(desired.timeZone);
  return (schedule?.open ?? []).map(({ name, until }) => {
    const replaced = leaves
      .filter(
        (leaf) =>
          leaf.window === name && wants.some(({ path }) => keyOf(path) === keyOf(leaf.path)),
      )
      .map(({ path }) => formatPath(path));
    const what =
      replaced.length > 0
        ? ` This rollback replaces what the window sets: ${someOf(replaced, "setting")}.`
        : "";
    const returning = linesAfter(name, leaves, wants);
    const after =
      returning.length > 0
        ? ` After the window, these lines apply again; correct them, too: ${returning.join(", ")}.`
        : "";
    return `The window "${name}" is open until ${time(until)}.${what}${after} While on hold, the window cannot close.`;
  });
}

/** Lines that the window hides, and that set another value than the rollback. */
function linesAfter(
  window: string,
  leaves: PortalContext["leaves"],
  wants: readonly WantedLeaf[],
): string[] {
  return leaves.flatMap(({ path, window: open, gives = [] }) => {
    const wanted = wants.find((each) => keyOf(each.path) === keyOf(path));
    const own = gives.find((each) => each.window === null);
    if (open !== window || !wanted || !own?.place || isEqual(own.value, wanted.value)) return [];
    return [`${own.place.file}:${own.place.line}`];
  });
}

function nothingToDo({ hold }: NonNullable<Snapshot["state"]>, file: string, zone: Zone): string {
  return hold
    ? `The portal was already rolled back, and is on hold since ${showTime(hold.since, zone)}. To go further back:\n  lintel history ${shellWord(file)}\n  lintel rollback ${shellWord(file)} --to N`
    : "Nothing to roll back: the portal already shows these values. Nothing was sent, and no hold was placed.";
}

function notUndone(why: string): Failure {
  return new Failure(
    "nothing-applied",
    `The last apply cannot be undone (${why}): there was no earlier value, or it is unknown.`,
    "An update cannot remove values. Write the right values into the file, and apply.",
  );
}
