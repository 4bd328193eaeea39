// Applies a plan: reads and plans again, writes the journal, sends one request, reads back, and settles the state.
import { randomUUID } from "node:crypto";
import { divergentApplies, assertForward } from "./divergent-applies.js";
import { authorIn } from "./hold-portal.js";
import { openJournal } from "./journal.js";
import { computePlan, readLiveAgain, showsDrift } from "./plan-portal.js";
import type { PlannedPortal, PlanOptions } from "./plan-portal.js";
import { findingsOf } from "./policy-checks.js";
import { storeOf } from "./portal-context.js";
import {
  assertNotHeldManually,
  assertPreconditions,
  disagreements,
  isByClock,
} from "./preconditions.js";
import { notTaken, type Readback } from "./verification.js";
import type { RunContext } from "./run-context.js";
import { afterSend, HAS, MAY_HAVE, send } from "./send.js";
import { recoverable, type Snapshot } from "./snapshot.js";
import { assertFresh } from "./stale.js";
import { readSettled, type Waiting } from "./wait.js";
import { listedIn } from "../catalog/catalog.js";
import { Failure } from "../failure.js";
import { digestOfPlan } from "../plan/binding.js";
import type { Opening } from "../plan/guard.js";
import { isWhole, type Live, type LiveRead } from "../plan/inputs.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import { keyOf } from "../catalog/spelling.js";
import { valueAt } from "../plan/spelling.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import { accountOf } from "../session/sign-ins.js";
import type { AppliedLeaf, Path } from "../settings.js";
import { BEGIN_MS, processOf } from "../state/recover.js";
import { rollbackHoldOf, type RollbackHold, type WantedLeaf } from "../state/state.js";
import type { Author, Journal, OpenedGuard, SettledChange, State } from "../state/state.js";
import { emptyState, settle, withHoldMet, withJournal, withoutJournal } from "../state/steps.js";
import { StateConflict, type StateStore } from "../state/state-store.js";

export interface CarriedOut {
  readonly plan: Plan;
  /** The new state; undefined if there was none and there is nothing to record. */
  readonly state: State | undefined;
}

export interface ApplyOptions {
  readonly options: PlanOptions;
  readonly waiting: Waiting;
  /** The confirmed plan; absent if any plan may be applied. */
  readonly confirmed?: Plan | undefined;
  /** Absent for an apply. */
  readonly rollback?: { readonly why: string; readonly wants: readonly WantedLeaf[] } | undefined;
  /** Groups the applies of one run in the history. */
  readonly runId?: string | undefined;
}

interface Applying extends Omit<ApplyOptions, "rollback"> {
  readonly run: RunContext;
  /** Signed in. */
  readonly portal: PlannedPortal;
  readonly store: StateStore;
  readonly by: Author;
  /** The hold of a rollback, in force from its journal on; absent for an apply. */
  readonly hold: RollbackHold | undefined;
}

/**
 * Returns the applied plan and the new state. If another run writes the state before anything is sent, it reads and
 * plans again. A confirmed plan is applied unchanged or not at all.
 */
export async function applyPortal(
  run: RunContext,
  portal: PlannedPortal,
  { rollback, ...how }: ApplyOptions,
): Promise<CarriedOut> {
  const { io } = run;
  const { session, live } = portal;
  // For a portal that is never read, the sign-in happens only here, before anything is written.
  await session?.endsAtMs();
  // If the portal does not show who is signed in, the sign-in service does.
  const account = live.kind === "read" ? live.account : undefined;
  const by = await authorIn(run, portal, account ?? accountOf(session));
  const since = new Date(io.now()).toISOString();
  const hold = rollback && { since, by, why: rollback.why, wants: rollback.wants };
  const applying = { run, portal, store: storeOf(portal, run), by, hold, ...how };
  for (;;) {
    try {
      return await tryOnce(applying);
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

async function tryOnce(applying: Applying): Promise<CarriedOut> {
  const { run, store, portal, options, confirmed, hold } = applying;
  const { io } = run;
  const { file } = portal.desired;
  run.progress.at(file, "look");
  let { snapshot, plan } = await readToApply(applying);
  if (!isNothingToDo(plan)) assertNotHeldManually(snapshot.state, { file, io });
  if (run.isForwardOnly && !isNothingToDo(plan)) await assertForward(snapshot.state, portal, io);
  if (confirmed) assertFresh(confirmed, { plan, state: snapshot.state }, io);
  const recovered = recoverable(snapshot);
  if (!isNothingToDo(plan)) {
    const held = hold ? undefined : (recovered ?? snapshot.state);
    const findings = findingsOf(portal, plan, run);
    const { leaves } = portal;
    const { divergent } = snapshot;
    assertPreconditions({ plan, leaves, findings }, held, { file, io, divergent });
  }
  const shown = plan;

  if (recovered) {
    const version = await store.write(recovered, snapshot.version);
    snapshot = { ...snapshot, state: recovered, version };
    plan = computePlan(run, portal, options, snapshot);
  }
  if (io.signal.aborted)
    throw new Failure("interrupted", "The run was interrupted before anything was sent.");
  const state = snapshot.state ?? emptyState(randomUUID(), portal.identity);
  const after =
    plan.changes.length === 0
      ? await tidyUp(applying, state, { plan, ...snapshot })
      : await applyPlan(applying, state, plan, snapshot);
  return { plan: shown, state: after.serial > 0 ? after : undefined };
}

const MOST_READS = 20;

/** Reads as planPortal does, but waits for other runs first. */
async function readToApply({
  run,
  portal,
  store,
  options,
  waiting,
}: Applying): Promise<{ readonly snapshot: Snapshot; readonly plan: Plan }> {
  let { state, version } = await readSettled(store, portal, run, waiting);
  for (let reads = 1; ; reads++) {
    const live = await readLiveAgain(portal, portal.live);
    const divergent = await divergentApplies({ state, live }, portal, run.io);
    const snapshot = { state, version, live, divergent };
    const plan = computePlan(run, portal, options, snapshot);
    if (!showsDrift(plan) || reads === MOST_READS) return { snapshot, plan };
    const before = version;
    ({ state, version } = await readSettled(store, portal, run, waiting));
    if (version === before) return { snapshot, plan };
  }
}

/**
 * Closes a journal whose update never arrived, and ends a hold that is over, when there is nothing to send or record.
 */
async function tidyUp(
  applying: Applying,
  state: State,
  { plan, live, version, divergent = [] }: Snapshot & { readonly plan: Plan },
): Promise<State> {
  const { run, store, hold, by, portal } = applying;
  if (state.journal && live.kind === "read" && !isWhole(live)) throw unseen(state.journal, live);
  const tidy = withoutJournal(state, state.hold);
  const after = tidy === state ? version : await store.write(tidy, version);
  const held = rollbackHoldOf(tidy);
  if (hold || !held || divergent.length > 0 || isByClock(plan)) return tidy;
  if (disagreements(portal, { ...tidy, hold: held }).length > 0) return tidy;
  const free = withHoldMet(tidy, { time: new Date(run.io.now()).toISOString(), by });
  await store.write(free, after);
  return free;
}

/** Only an administrator can see that nothing of a journal's update arrived. */
function unseen({ kind }: Journal, { unproven = "" }: LiveRead) {
  return new Failure(
    "outcome-unknown",
    `The outcome of the last ${kind} is unknown, and this account may not see all settings. ${unproven}`,
    "Sign in as an administrator, and run the same command again.",
  );
}

/** Writes the journal, sends the request, verifies it, and settles the state. */
async function applyPlan(
  applying: Applying,
  old: State,
  plan: Plan,
  { live, version: before }: Snapshot,
): Promise<State> {
  const { run, portal, store, by, hold, runId } = applying;
  const { io, progress } = run;
  const { access } = portal;
  const { file } = portal.desired;
  const shownBefore = isWhole(live) ? listedIn(live.settings) : undefined;
  const alsoSent = plan.alsoSent.map(({ path, value }) => ({ path, sent: value }));
  const entry = {
    kind: hold ? ("rollback" as const) : ("apply" as const),
    time: new Date(io.now()).toISOString(),
    by,
    ...(runId !== undefined && { run: runId }),
    planDigest: digestOfPlan(plan),
    guards: plan.guards.flatMap(({ name, path, openedBy }) =>
      openedBy ? [{ guard: name, ...(path && { path }), ...howOpened(openedBy) }] : [],
    ),
    changes: settledChanges(plan, live),
    ...(alsoSent.length > 0 && { alsoSent }),
  };
  if (!plan.request) {
    progress.at(file, "settle");
    const settings = live.kind === "read" ? live.settings : undefined;
    const noted = settled(old, settings);
    await store.write(noted, before);
    return noted;
  }
  progress.at(file, "journal");
  const journal: Journal = {
    ...entry,
    ...(shownBefore && { before: shownBefore }),
    settings: plan.request.settings,
    timeoutMs: Math.ceil(access.http.callTimeoutMs) + BEGIN_MS,
    process: processOf(io.machine),
    leaves: plan.leaves.map(({ path, value, given }) => ({
      path,
      sent: value,
      ...(given && { given }),
    })),
  };
  const opened = await openJournal(withJournal(old, journal, hold), before, { io, store });
  const withdrawn = (state: State) =>
    // If the portal cannot be read, the outcome of an earlier journal remains unknown.
    !isWhole(live) && old.journal
      ? { ...old, serial: state.serial + 1 }
      : withoutJournal(state, old.hold);
  const readback = await send(plan, { run, file, access, live, opened, withdrawn });
  progress.at(file, "settle");
  const missing = readback?.missing ?? [];
  const end = settled(opened.state(), readback?.settings, missing);
  await afterSend(missing.length > 0 ? MAY_HAVE : HAS, () => opened.close(end));
  if (readback && missing.length > 0) throw notTaken(plan.binding.portal.name, readback);
  return end;

  function settled(from: State, shown: JsonObject | undefined, missing: Readback["missing"] = []) {
    const leaves = leavesAfter(plan, old, { live, shown, missing });
    const after = isWhole(live) && shown ? listedIn(shown) : undefined;
    const seen = { ...(shownBefore && { before: shownBefore }), ...(after && { after }) };
    const changes = shown ? withShown(entry.changes, missing, shown) : entry.changes;
    // At this point the file agrees with the hold, or this is the rollback itself.
    const own = live.kind === "read" ? live.own : undefined;
    return settle(from, { ...entry, changes, leaves, live: seen, own }, hold ?? null);
  }
}

interface Shown {
  readonly live: Live;
  /** Undefined if the portal was not read. */
  readonly shown: JsonObject | undefined;
  readonly missing: Readback["missing"];
}

/**
 * The value that the portal shows after the update becomes the known one. If it still shows the old value, the update
 * was not taken: the leaf stays as it was, so that it is sent again.
 */
function leavesAfter(
  plan: Plan,
  old: State,
  { live, shown: settings, missing }: Shown,
): AppliedLeaf[] {
  const known = new Map(old.leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const shownAt = (path: Path) => (settings && valueAt(settings, path)) ?? null;
  const same = missing.filter(({ path, before }) => isEqual(shownAt(path), before));
  const untouched = new Set(same.map(({ path }) => keyOf(path)));
  // A hidden value counts as the known one, or the sent one.
  const unseen = (path: Path, value: Json) =>
    isWhole(live) ? null : (known.get(keyOf(path))?.shown ?? value);
  return plan.leaves.flatMap(({ path, value, given, isLeft }): AppliedLeaf[] => {
    if (isLeft || untouched.has(keyOf(path))) return [known.get(keyOf(path)) ?? []].flat();
    const shown = (settings ? valueAt(settings, path) : value) ?? unseen(path, value);
    return [{ path, sent: value, shown, ...(given && { given }) }];
  });
}

function howOpened(opened: Opening): Pick<OpenedGuard, "how" | "reason"> {
  switch (opened.by) {
    case "command-line":
      return { how: "--allow" };
    case "prompt":
      return { how: "prompt" };
    case "drift":
      return { how: "drift: restore" };
    case "file":
      return { how: "file", reason: opened.reason };
    case "schedule":
      return {
        how: "window",
        reason: `"${opened.window}" ${opened.is === "open" ? "opened" : "closed"}`,
      };
    default:
      return opened satisfies never;
  }
}

/** The changes in the portal's spelling, with the values before them. */
function settledChanges({ changes, leaves }: Plan, live: Live): SettledChange[] {
  const spelled = new Map(leaves.map(({ path }) => [keyOf(path), path]));
  return changes.map(({ path, action, cause, window, before, after }) => ({
    path: spelled.get(keyOf(path)) ?? path,
    action,
    cause,
    ...(window && { window }),
    ...((isWhole(live) || before !== null) && { before }),
    after,
  }));
}

/** Adds the values that the portal shows, if they differ from those that were sent. */
function withShown(
  changes: readonly SettledChange[],
  missing: Readback["missing"],
  settings: JsonObject,
): SettledChange[] {
  const otherwise = new Set(missing.map(({ path }) => keyOf(path)));
  return changes.map((change) =>
    otherwise.has(keyOf(change.path))
      ? { ...change, shown: valueAt(settings, change.path) ?? null }
      : change,
  );
}
