// Many files → what is prepared for their portals, confirmed together, and carried out as far as it can be.
import type { CarriedOut } from "../../apply/apply-portal.js";
import { appliesApart } from "../look/apart.js";
import { randomUUID } from "node:crypto";
import { diagnosticsOf, eachPortal, outcomeOf, sideBySide, withAllHosts } from "../fleet.js";
import type { Kept } from "../fleet.js";
import { lateTexts, remark, tellRemarks, type Remarks } from "../late.js";
import type { Waiting } from "../../apply/wait.js";
import { isByClock } from "../../apply/preconditions.js";
import { apply, type ApplyOptions, type PlannedPortal, type PlanOptions } from "../portal.js";
import type { Member, ReachablePortal, Tools } from "../reachable.js";
import { afterApply, resultOf, resultWithoutPlan } from "../result.js";
import { rollbackHoldOf, type Entry, type Journal, type State } from "../../state/state.js";
import { openWaves, type Going, type Waves } from "./waves.js";
import { Failure } from "../../failure.js";
import { parseExact, printJson } from "../../lib/json.js";
import { isNothingToDo, type Plan } from "../../plan/plan.js";
import type { PortalResult } from "../../plan/result.js";
import type { DesiredLeaf } from "../../settings.js";

/** An apply: when, by which run and from which commit. */
export type Applied = Pick<Entry, "time" | "run" | "by">;

export interface Undone extends Applied {
  /** The portal's. */
  readonly name: string;
}

/** What is to be carried out at a portal, and what a person is told of it before. */
export interface Prepared {
  readonly made: PlannedPortal;
  /** The plan that is shown, where a yes to it opens guards. */
  readonly shown?: PlannedPortal;
  readonly options: PlanOptions;
  /** What the file wants, whatever is to be carried out. */
  readonly wanted: readonly DesiredLeaf[];
  /** Absent for an apply. */
  readonly rollback?: NonNullable<ApplyOptions["rollback"]> & {
    /** Where it goes, in words. */
    readonly aim: string;
    /** What was applied last and is undone. */
    readonly undone: Applied | undefined;
  };
  /** Whether nothing is to be done at all. */
  readonly isSettled: boolean;
  /** Why it cannot be carried out, as far as that is known before anybody is asked. */
  readonly failure?: Failure | undefined;
}

export interface Together<K> extends Waiting {
  /** Fails where it does not come to a plan. */
  readonly prepare: (portal: ReachablePortal) => Promise<Prepared>;
  /** Given what is to be undone, before anybody is asked; fails where that is not one thing. */
  readonly weigh?: (undone: readonly Undone[]) => void;
  /** Whether nothing but the plan that was made may be carried out, though nobody is asked. */
  readonly isBound: boolean;
  /** Asked once, with what was kept of every plan; absent where nobody is to be asked. */
  readonly confirm?: {
    readonly keep: (result: PortalResult, prepared?: Prepared) => K;
    readonly ask: (planned: Kept<K>) => Promise<boolean>;
    /** What is told of each portal where the answer is no. */
    readonly declined: string;
  };
  /** All at once, as far as concurrency allows, when left out. */
  readonly waves?: Waves;
  /** Takes of each result what is needed of it; the portal is there where its plan was carried out. */
  readonly keep: (result: PortalResult, done?: Done) => K;
}

/** The state as it was left. */
export type Done = ReachablePortal & Pick<CarriedOut, "state">;

export async function carryOutTogether<K>(
  files: readonly string[],
  tools: Tools,
  concurrency: number,
  together: Together<K>,
): Promise<Kept<K>> {
  const { confirm, keep, prepare, weigh, waves = { onError: "continue" } } = together;
  const run = randomUUID();
  const late: Remarks = new Map();
  const planned = await eachPortal(
    files,
    tools,
    concurrency,
    async (portal, note): Promise<Found<K>> => {
      const prepared = await prepare(portal);
      const { made, shown = made, wanted: leaves, failure, isSettled } = prepared;
      if (!isNothingToDo(made.plan)) tools.progress.changes(portal.desired.file);
      note(made);
      const seen = confirm?.keep(resultOf({ ...shown, leaves }, "changes", failure), prepared);
      return isSettled && !failure
        ? { seen, done: keep(resultOf({ ...made, leaves }, "applied")) }
        : { seen, waiting: waitingOf(prepared) };
    },
  );
  const diagnostics = diagnosticsOf(planned);
  weigh?.(
    planned.flatMap(({ portal: { name }, value }) =>
      value?.waiting?.undone ? { name, ...value.waiting.undone } : [],
    ),
  );
  const isAnything = planned.some(({ value }) => value?.waiting?.isToSend);
  let declined: Failure | undefined;
  if (confirm && isAnything) {
    const seen = planned.map((each) => each.value?.seen ?? confirm.keep(resultWithoutPlan(each)));
    const isYes = await confirm.ask({ kept: seen, diagnostics });
    if (!isYes) declined = new Failure("declined", confirm.declined);
  }
  const going = openWaves(planned.map(goingOf), waves);
  const kept: K[] = [];
  tools.progress.begin(planned.filter(({ value }) => value?.waiting).length);
  for (const [number, wave] of going.waves.entries()) {
    const between = number > 0 && !declined ? going.next() : undefined;
    if (between !== undefined) tools.notice(between);
    await sideBySide(wave, concurrency, async (at) => {
      const member = planned[at] as Member<Found<K>>;
      const { waiting, done } = member.value ?? {};
      if (!waiting) {
        kept[at] = done ?? keep(resultWithoutPlan(member));
        return;
      }
      const { file, portal } = member;
      tools.progress.at(file, "lock", portal.name);
      const [result, carriedOut] = await end(
        waiting,
        tools,
        { ...together, run, late },
        declined ?? going.why(),
      );
      going.ended(at, result.failure === null || result.failure.code === "not-begun");
      tools.progress.end(file, result.failure ? "failed" : "done");
      kept[at] = keep(result, carriedOut);
    });
  }
  tellRemarks(late, tools);
  return { kept, diagnostics };
}

/** Of a portal that came to a plan: what waits for a yes, or what is told of it because nothing is to be done. */
interface Found<K> {
  readonly seen: K | undefined;
  readonly waiting?: WaitingPortal;
  readonly done?: K;
}

function goingOf({ portal, value, failure }: Member<Found<unknown>>): Going {
  const { waiting } = value ?? {};
  return {
    name: portal.name,
    isDone: value !== undefined && !waiting,
    hasFailed: failure !== undefined || waiting?.failure !== undefined,
    canProve: waiting?.portal.desired.portal.mayRead ?? false,
  };
}

type WaitingPortal = ReturnType<typeof waitingOf>;

/** What waits for a yes. Its plan is kept as bytes, a tenth of what it takes otherwise. */
function waitingOf({ made, wanted, options, rollback, failure }: Prepared) {
  const { plan, state, live, ...portal } = made;
  return {
    portal: { ...portal, live: live.kind === "read" ? { ...live, settings: {} } : live },
    plan: Buffer.from(printJson(plan)),
    state: state?.hold && {
      hold: rollbackHoldOf(state),
      leaves: state.leaves,
      journal: kindOf(state),
    },
    wanted,
    options,
    rollback: rollback && { why: rollback.why, wants: rollback.wants },
    undone: rollback?.undone,
    /** Otherwise there is only a hold to end, or something stands in the way. */
    isToSend: !failure && !isNothingToDo(plan),
    failure,
  };
}

function kindOf({ journal }: Pick<State, "journal">): Pick<Journal, "kind"> | undefined {
  return journal && { kind: journal.kind };
}

/** The portal is told beside its result where its plan was carried out. */
async function end<K>(
  { portal, plan, state: held, wanted, options, rollback, failure }: WaitingPortal,
  tools: Tools,
  {
    confirm,
    isBound,
    waitMs,
    seenForMs,
    run,
    late,
  }: Together<K> & { readonly run: string; readonly late: Remarks },
  kept: Failure | undefined,
): Promise<[PortalResult, Done?]> {
  const shown = () => parseExact(plan.toString()) as unknown as Plan;
  const told = { ...portal, leaves: wanted, state: held };
  const confirmed = confirm || isBound ? shown() : undefined;
  const waiting = { waitMs, ...(seenForMs && { seenForMs }) };
  const how = { ...options, ...waiting, confirmed, run, ...(rollback && { rollback }) };
  const why = failure ? withAllHosts(failure, portal.recipients, tools) : kept;
  const carryOut = () => apply(portal, tools, how);
  const outcome = why ? { failure: why } : await outcomeOf(carryOut, tools);
  if ("failure" in outcome) {
    return [resultOf({ ...told, plan: confirmed ?? shown() }, "applied", outcome.failure)];
  }
  // Where nobody was asked, what was carried out may be another plan than the first.
  const { plan: done, state } = outcome.value;
  if (isByClock(done)) remark(late, lateTexts(done, tools.io.now()), portal.portal.name);
  if (rollback) {
    const apart = await appliesApart(
      { state, live: portal.live },
      { ...portal, leaves: wanted, isPutBack: false },
      tools.io,
    );
    return [resultOf({ ...told, plan: done, state, apart }, "applied"), { ...portal, state }];
  }
  const result = resultOf(
    { ...told, plan: done, state: { ...state, hold: undefined, ...held } },
    "applied",
  );
  return [afterApply(result, tools.notice), { ...portal, state }];
}
