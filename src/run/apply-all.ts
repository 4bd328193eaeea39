// Many files → all planned, confirmed together, and carried out as far as they can be.
import { diagnosticsOf, eachPortal, outcomeOf, sideBySide, withAllHosts } from "./fleet.js";
import type { Kept } from "./fleet.js";
import { awaitOutcome, type Waiting } from "./open-journal.js";
import { apply, assertApplicable, plan, type PlannedPortal, type PlanOptions } from "./portal.js";
import { assertFresh } from "./preconditions.js";
import type { ReachablePortal, Tools } from "./reachable.js";
import { afterApply, resultOf, resultWithoutPlan } from "./result.js";
import { Failure } from "../failure.js";
import { printJson } from "../json.js";
import { parseOwn } from "../json-text.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";

export interface Applying<K> extends Waiting {
  readonly options: PlanOptions;
  /** What a saved plan says of a file's portal; absent where there is none. */
  readonly saved?: (file: string) => Plan | undefined;
  /** Asked once, with what was kept of every plan; absent where nobody is to be asked. */
  readonly confirm?: {
    readonly keep: (result: PortalResult) => K;
    readonly ask: (planned: Kept<K>) => Promise<boolean>;
  };
  /** Takes of each result what is needed of it; the portal is there where its plan was carried out. */
  readonly keep: (result: PortalResult, applied?: ReachablePortal) => K;
}

/** Plans all, has them confirmed, and carries out those that can be. */
export async function applyAll<K>(
  files: readonly string[],
  tools: Tools,
  concurrency: number,
  applying: Applying<K>,
): Promise<Kept<K>> {
  const { confirm, keep } = applying;
  const planned = await eachPortal(files, tools, concurrency, async (portal, note) => {
    const settled = await awaitOutcome(portal, tools, "apply", applying);
    const made = await plan(settled, tools, applying.options);
    if (!isNothingToDo(made.plan)) tools.progress.changes(portal.desired.file);
    note(made.live);
    const failure = await obstacleTo(made, tools, applying);
    const shown = confirm?.keep(resultOf(made, "changes", failure));
    return isSettled(made) && !failure
      ? { shown, done: keep(resultOf(made, "applied")) }
      : { shown, waiting: waitingOf(made, failure) };
  });
  const diagnostics = diagnosticsOf(planned);
  const isAnything = planned.some(({ value }) => value?.waiting?.isToSend);
  let isDeclined = false;
  if (confirm && isAnything) {
    const shown = planned.map((each) => each.value?.shown ?? confirm.keep(resultWithoutPlan(each)));
    isDeclined = !(await confirm.ask({ kept: shown, diagnostics }));
  }
  const kept: K[] = [];
  tools.progress.begin(planned.filter(({ value }) => value?.waiting).length);
  await sideBySide(planned, concurrency, async (member, at) => {
    const { waiting, done } = member.value ?? {};
    if (!waiting) {
      kept[at] = done ?? keep(resultWithoutPlan(member));
      return;
    }
    const { file, portal } = member;
    tools.progress.at(file, "lock", portal.name);
    const [result, applied] = await end(waiting, tools, applying, isDeclined);
    tools.progress.end(file, result.failure ? "failed" : "done");
    kept[at] = keep(result, applied);
  });
  return { kept, diagnostics };
}

/** Why a plan cannot be carried out, known before anybody is asked. */
async function obstacleTo<K>(
  made: PlannedPortal,
  tools: Tools,
  { saved }: Applying<K>,
): Promise<Failure | undefined> {
  const checked = await outcomeOf(async () => {
    // A secret that was lost must not read like "nothing to do".
    if (made.unable) throw made.unable;
    if (isSettled(made)) return;
    const before = saved?.(made.desired.file);
    if (before) assertFresh(before, made.plan);
    assertApplicable(made, tools);
  }, tools);
  return "failure" in checked ? checked.failure : undefined;
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && !state?.hold;
}

/** What waits for a yes. Its plan is kept as bytes, a tenth of what it takes otherwise. */
function waitingOf({ plan, state, live, ...portal }: PlannedPortal, failure: Failure | undefined) {
  return {
    portal: { ...portal, live: live.kind === "read" ? { ...live, settings: {} } : live },
    plan: Buffer.from(printJson(plan)),
    hold: state?.hold,
    /** Otherwise there is only a hold to end, or something stands in the way. */
    isToSend: !failure && !isNothingToDo(plan),
    failure,
  };
}

/** The portal is told beside its result where its plan was carried out. */
async function end<K>(
  { portal, plan, hold, failure }: ReturnType<typeof waitingOf>,
  tools: Tools,
  { options, confirm, saved, lockTimeoutMs, mayWait }: Applying<K>,
  isDeclined: boolean,
): Promise<[PortalResult, ReachablePortal?]> {
  const shown = parseOwn(plan.toString()) as unknown as Plan;
  const told = { ...portal, plan: shown, state: { hold } };
  const confirmed = confirm || saved ? shown : undefined;
  const how = { ...options, lockTimeoutMs, mayWait, confirmed };
  const declined =
    isDeclined && new Failure("declined", "Nothing was applied, because nobody said yes.");
  const why = failure ? withAllHosts(failure, portal.recipients, tools) : declined;
  const carryOut = () => apply(portal, tools, how);
  const outcome = why ? { failure: why } : await outcomeOf(carryOut, tools);
  if ("failure" in outcome) return [resultOf(told, "applied", outcome.failure)];
  // Where nobody was asked, what was carried out may be another plan than the first.
  const { plan: done, state } = outcome.value;
  const result = resultOf({ ...told, plan: done, state: { ...state, hold } }, "applied");
  return [afterApply(result, tools.notice), portal];
}
