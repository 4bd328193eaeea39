// Many files → all planned, confirmed together, and carried out as far as they can be.
import type { Step } from "./apply.js";
import {
  diagnosticsOf,
  eachPortal,
  outcomeOf,
  sideBySide,
  withAllHosts,
  type Kept,
} from "./fleet.js";
import { awaitOutcome, type Waiting } from "./open-journal.js";
import { apply, assertApplicable, plan, type PlannedPortal, type PlanOptions } from "./portal.js";
import { assertFresh } from "./preconditions.js";
import type { ReachablePortal, Tools } from "./reachable.js";
import { afterApply, resultOf, resultWithoutPlan } from "./result.js";
import { Failure } from "../failure.js";
import { printJson } from "../json.js";
import { parseOwn } from "../json-text.js";
import type { Identity } from "../plan/inputs.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import type { Hold } from "../state/state.js";

export interface Applying<K> extends Waiting {
  readonly options: PlanOptions;
  /** What a saved plan says of a file's portal; absent where there is none. */
  readonly saved?: (file: string) => Plan | undefined;
  /** Asked once, with what was kept of every plan; absent where nobody is to be asked. */
  readonly confirm?: {
    readonly keep: (result: PortalResult) => K;
    readonly ask: (planned: Kept<K>) => Promise<boolean>;
  };
  readonly onStep?: (portal: Identity, step: Step) => void;
  /** Takes of each result what is needed of it; the portal is there where its plan was carried out. */
  readonly keep: (result: PortalResult, applied?: ReachablePortal) => K;
}

/** What waits for a yes. Its plan is kept as bytes, a tenth of what it takes otherwise. */
interface Ready {
  readonly portal: Pick<PlannedPortal, "live"> & ReachablePortal;
  readonly plan: Buffer;
  readonly hold: Hold | undefined;
  /** Otherwise there is only a hold to end, or something stands in the way. */
  readonly isToSend: boolean;
  readonly failure?: Failure;
}

/** Plans all, has them confirmed, and carries out those that can be. */
export async function applyAll<K>(
  files: readonly string[],
  tools: Tools,
  concurrency: number,
  applying: Applying<K>,
): Promise<Kept<K>> {
  const { confirm, keep } = applying;
  const planned = await eachPortal(files, tools, concurrency, async (portal) => {
    const ready = await prepare(portal, tools, applying);
    const shown = confirm?.keep(resultOf(ready.made, "changes", ready.failure));
    return isSettled(ready.made) && !ready.failure
      ? { shown, done: keep(resultOf(ready.made, "applied")) }
      : { shown, waiting: waitingOf(ready) };
  });
  const diagnostics = diagnosticsOf(planned);
  const isAnything = planned.some(({ value }) => value?.waiting?.isToSend);
  let isDeclined = false;
  if (confirm && isAnything) {
    const shown = planned.map((each) => each.value?.shown ?? confirm.keep(resultWithoutPlan(each)));
    isDeclined = !(await confirm.ask({ kept: shown, diagnostics }));
  }
  const kept: K[] = [];
  await sideBySide(planned, concurrency, async (member, at) => {
    const { waiting, done } = member.value ?? {};
    kept[at] = waiting
      ? keep(...(await end(waiting, tools, applying, isDeclined)))
      : (done ?? keep(resultWithoutPlan(member)));
  });
  return { kept, diagnostics };
}

interface Prepared {
  readonly made: PlannedPortal;
  readonly failure?: Failure;
}

async function prepare<K>(
  portal: ReachablePortal,
  tools: Tools,
  { options, saved, ...waiting }: Applying<K>,
): Promise<Prepared> {
  const settled = await awaitOutcome(portal, tools, "apply", waiting);
  const made = await plan(settled, tools, options);
  const checked = await outcomeOf(async () => {
    // A secret that was lost must not read like "nothing to do".
    if (made.unable) throw made.unable;
    if (isSettled(made)) return;
    const before = saved?.(made.desired.file);
    if (before) assertFresh(before, made.plan);
    assertApplicable(made, tools);
  }, tools);
  return { made, ...("failure" in checked && checked) };
}

/** Nothing to send, to take note of, or to lift. */
function isSettled({ plan, state }: PlannedPortal): boolean {
  return isNothingToDo(plan) && !state?.hold;
}

function waitingOf({ made, failure }: Prepared): Ready {
  const { plan, state, live, ...portal } = made;
  return {
    portal: { ...portal, live: live.kind === "read" ? { ...live, settings: {} } : live },
    plan: Buffer.from(printJson(plan)),
    hold: state?.hold,
    isToSend: !failure && !isNothingToDo(plan),
    ...(failure && { failure }),
  };
}

/** The portal is told beside its result where its plan was carried out. */
async function end<K>(
  { portal, plan, hold, failure }: Ready,
  tools: Tools,
  { options, confirm, saved, onStep, lockTimeoutMs, mayWait }: Applying<K>,
  isDeclined: boolean,
): Promise<[PortalResult, ReachablePortal?]> {
  const shown = parseOwn(plan.toString()) as unknown as Plan;
  const told = { ...portal, plan: shown, state: { hold } };
  const confirmed = confirm || saved ? shown : undefined;
  const how = { ...options, lockTimeoutMs, mayWait, confirmed };
  const why = failure ? withAllHosts(failure, portal.recipients, tools) : isDeclined && declined();
  const outcome = why
    ? { failure: why }
    : await outcomeOf(
        () => apply(portal, tools, how, (step) => onStep?.(portal.portal, step)),
        tools,
      );
  if ("failure" in outcome) return [resultOf(told, "applied", outcome.failure)];
  // Where nobody was asked, what was carried out may be another plan than the first.
  const result = resultOf({ ...told, plan: outcome.value }, "applied");
  return [afterApply(result, tools.notice), portal];
}

function declined(): Failure {
  return new Failure("declined", "Nothing was applied, because nobody said yes.");
}
