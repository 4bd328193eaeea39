// The story of one portal: what its file wants, what was applied last and what the portal shows → a plan → the plan carried out.
import {
  applyPortal,
  arrivalIn,
  type CarriedOut,
  recoverable,
  type Look,
} from "../apply/apply-portal.js";
import { appliesApart } from "./look/apart.js";
import { readLive, readLiveAgain, unread } from "./look/live.js";
import { lookAtOneTime } from "./look/one-time.js";
import { readSettled, type Waiting } from "../apply/wait.js";
import { assertOwnPortal, ownIn } from "./look/own-portal.js";
import { findingsOf, type Judged } from "./policing.js";
import { assertPreconditions } from "../apply/preconditions.js";
import { storeOf, type ReachablePortal, type Tools } from "./reachable.js";
import { later } from "../lib/digest.js";
import type { GuardName } from "../guard.js";
import type { Last, Options, WindowOfLeaf } from "../plan/inputs.js";
import { isNothingToDo, makePlan, type Plan } from "../plan/plan.js";
import { keyOf } from "../catalog/spelling.js";
import { accountOf } from "../session/sign-ins.js";
import { authorOf } from "../state/author/author.js";
import { stateKindOf } from "../state-address/kinds.js";
import { digestOf } from "../state/format.js";
import { assertMaySign } from "../state/checked-store.js";
import { notKept } from "../state/open.js";
import { reportedUnknownMs } from "../state/recover.js";
import { NOTHING_STORED, type Stored } from "../state/state-store.js";
import { appliesOf, authorText, isTaken, manualHoldOf, rollbackHoldOf } from "../state/state.js";
import type { Hold, SettledChange, State, WantedLeaf } from "../state/state.js";

export interface PlanOptions extends Options {
  /** The guards opened on the command line. */
  readonly allow: readonly GuardName[];
  /** The guards that a yes at the prompt opens. */
  readonly allowAtPrompt?: readonly GuardName[];
}

/** A portal whose plan is made. */
export interface PlannedPortal extends ReachablePortal, Look, Judged {
  readonly plan: Plan;
  /** The hold that a person had placed when the state was read. */
  readonly manualHold?: Hold;
}

/**
 * Without credentials it looks at what anybody can see; where nobody has said which hosts are meant, at what was applied
 * last. Such a plan is for looking at alone.
 */
export async function plan(
  portal: ReachablePortal,
  tools: Tools,
  options: PlanOptions,
  known?: Stored,
): Promise<PlannedPortal> {
  const { store } = portal;
  const isForgotten = options.compareWith === "live";
  tools.progress.at(portal.desired.file, "state");
  const first = isForgotten ? NOTHING_STORED : (known ?? (await store.read()));
  const { look, unable, thought } = await lookAtOneTime(first, {
    look: (stored) => lookAt(portal, stored, tools, options),
    readAgain: isForgotten ? undefined : () => store.read(),
  });
  const { state } = look;
  const { reason } = thought;
  const manualHold = state && manualHoldOf(state, tools.io.now());
  const planned = {
    ...portal,
    ...look,
    ...(unable && { unable }),
    ...(manualHold && { manualHold }),
    ...(portal.judging && { findings: findingsOf(portal, thought, tools) }),
    plan: thought,
  };
  if (!unable || !reason) return planned;
  // A plan that cannot be applied because nobody could sign in tells what was missing, and what to do about it.
  const message = `${reason.message} ${unable.message}`;
  const told = { ...reason, message, help: unable.help ?? reason.help };
  return { ...planned, plan: { ...thought, reason: told } };
}

async function lookAt(
  portal: ReachablePortal,
  { state, version }: Stored,
  tools: Tools,
  options: PlanOptions,
) {
  tools.progress.at(portal.desired.file, "live");
  const refused = tools.permits.refusal(portal.recipients);
  if (refused && (tools.permits.by === "list" || options.compareWith === "live")) throw refused;
  const { live, unable } = refused
    ? unread(portal, refused)
    : await readLive(portal, options, tools.notice);
  assertOwnPortal(ownIn(live), state, portal.store);
  const apart = await appliesApart({ state, live }, portal, tools.io);
  const look = { state, version, live, apart };
  return { look, unable, thought: think(portal, tools, options, look) };
}

/** The same look at the portal, with other options. */
export function planAgain(planned: PlannedPortal, tools: Tools, options: PlanOptions) {
  return { ...planned, plan: think(planned, tools, options, planned) };
}

/** What an apply needs beside a plan; told before anybody is asked. */
export function assertApplicable(
  { desired, plan, leaves, state, live, apart, unable, store, findings }: PlannedPortal,
  { io }: Tools,
): void {
  if (unable) throw unable;
  if (isNothingToDo(plan)) return;
  const lost = notKept(desired.state, io.env);
  if (lost) throw lost;
  assertMaySign(state, { place: store.place, file: desired.file }, io);
  const words = { file: desired.file, io, apart };
  assertPreconditions({ plan, leaves, findings }, recoverable({ state, live }) ?? state, words);
}

export interface ApplyOptions extends PlanOptions, Waiting {
  /** What a person has seen, so that nothing else may be carried out; absent where nobody was asked. */
  readonly confirmed?: Plan | undefined;
  /** Absent for an apply. */
  readonly rollback?: { readonly why: string; readonly wants: readonly WantedLeaf[] };
  /** By which the history tells what was applied together. */
  readonly run?: string;
}

/** Carries out what was planned by somebody signed in; returns the plan that was carried out in the end, and the state after it. */
export async function apply(
  portal: ReachablePortal & Pick<Look, "live">,
  tools: Tools,
  { waitMs, seenForMs, confirmed, rollback, run, ...options }: ApplyOptions,
): Promise<CarriedOut> {
  const { io } = tools;
  const { desired, session } = portal;
  // A portal that is never read is signed in to only now, before anything is written down.
  await session?.endsAtMs();
  // A portal that does not show who is signed in leaves it to the sign-in service.
  const account = portal.live.kind === "read" ? portal.live.account : undefined;
  const by = await authorOf(io, desired.paths, account ?? accountOf(session));
  const since = new Date(io.now()).toISOString();
  const store = storeOf(portal, tools);
  const thinkOf = (look: Look) => think(portal, tools, options, look);
  const read = () => readSettled(store, portal, tools, { waitMs, ...(seenForMs && { seenForMs }) });
  const lookAgain = async ({ state, version }: Stored) => {
    const live = await readLiveAgain(portal, portal.live);
    const apart = await appliesApart({ state, live }, portal, io);
    const look = { state, version, live, apart };
    return { look, thought: thinkOf(look) };
  };
  return applyPortal({
    io,
    portal,
    store,
    by,
    run,
    hold: rollback && { since, by, ...rollback },
    confirmed,
    look: async () => lookAtOneTime(await read(), { look: lookAgain, readAgain: read }),
    think: thinkOf,
    judge: (plan) => findingsOf(portal, plan, tools),
    onStep: (step) => tools.progress.at(desired.file, step),
  });
}

function think(
  portal: ReachablePortal,
  { io, toolVersion, asOf, atMs }: Tools,
  { allow, allowAtPrompt, send, compareWith, paths, due }: PlanOptions,
  { state, live, apart }: Look,
): Plan {
  const { desired, leaves, schedule, isPutBack, allow: entries } = portal;
  return makePlan({
    toolVersion,
    portal: portal.portal,
    target: desired.target,
    deployment: desired.deployment,
    desired: leaves,
    ...(schedule && { schedule }),
    ...(asOf !== undefined && { asOf: new Date(asOf).toISOString() }),
    ...(isPutBack && { isPutBack }),
    allow: {
      entries,
      names: allow,
      ...(allowAtPrompt && { atPrompt: allowAtPrompt }),
      drift: desired.drift,
    },
    atMs,
    today: new Date(io.now()).toISOString().slice(0, 10),
    last: state && holdsAnything(state) ? lastOf({ state, live }, portal, io) : undefined,
    // What a hold keeps is told of beside the plan.
    ...(apart && !(state && rollbackHoldOf(state)) && { apart }),
    live,
    options: { send, compareWith, ...(paths && { paths }), ...(due && { due }) },
  });
}

/** A first apply that was refused leaves a state that remembers nothing, so that its plan is as good as it was. */
function holdsAnything({ leaves, history, journal }: State): boolean {
  return leaves.length > 0 || history.length > 0 || journal !== undefined;
}

/** The windows of what was applied are looked up only where they matter. */
function lastOf(
  { state, live }: Look & { readonly state: State },
  { schedule, stateAddress }: Pick<ReachablePortal, "schedule" | "stateAddress">,
  io: Tools["io"],
): Last {
  const { lineage, serial, leaves, alsoSent, journal } = state;
  const hasSchedule = schedule !== undefined || leaves.some(({ given }) => given !== undefined);
  const newest = appliesOf(state).at(-1);
  return {
    lineage,
    serial,
    // Of what it holds: a serial goes up with a journal that is closed again, too.
    digest: later(() => digestOf({ ...state, serial: 1 })),
    leaves,
    ...(stateKindOf(stateAddress.address) === "file" && { mayBeOlder: true }),
    ...(alsoSent && { alsoSent }),
    ...(newest && {
      applied: { number: newest.number, time: newest.time, by: authorText(newest.by) },
    }),
    seen: Object.keys(newest?.live?.after ?? {}),
    ...(hasSchedule && { windows: windowsApplied(state) }),
    ...(journal && {
      pending: {
        ...journal,
        ...(hasSchedule && { windows: windowsIn(journal.changes) }),
        unknownForMs: reportedUnknownMs(journal, io),
        arrival: arrivalIn({ state, live }, io),
      },
    }),
  };
}

/** The leaves of which the last change that arrived was to the value of a window. */
function windowsApplied(state: State): WindowOfLeaf[] {
  const found = new Map<string, WindowOfLeaf | undefined>();
  for (const { changes, outcome } of appliesOf(state)) {
    for (const change of outcome === "unknown" ? [] : changes.filter(isTaken)) {
      found.set(keyOf(change.path), windowsIn([change])[0]);
    }
  }
  return [...found.values()].filter((each) => each !== undefined);
}

function windowsIn(changes: readonly SettledChange[]): WindowOfLeaf[] {
  return changes.flatMap(({ path, window }) =>
    window?.is === "open" ? [{ path, window: window.name }] : [],
  );
}
