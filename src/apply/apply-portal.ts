// Carries out a plan: reads and plans again, writes the journal, sends one request, reads back, settles the state.
import type { Step } from "../progress.js";
import { randomUUID } from "node:crypto";
import type { Seen } from "../run/look/one-time.js";
import {
  assertNotHeldManually,
  assertPreconditions,
  disagreements,
  isByClock,
} from "./preconditions.js";
import { notTaken, type Proof } from "./proof.js";
import type { ReachablePortal } from "../run/reachable.js";
import { assertFresh } from "./stale.js";
import { openJournal } from "./journal.js";
import { afterSend, HAS, MAY_HAVE, send } from "./send.js";
import { listedIn } from "../catalog/catalog.js";
import type { Diagnostic } from "../diagnostic.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { digestOfPlan } from "../plan/binding.js";
import type { Opening } from "../plan/guard.js";
import { isWhole, type Apart, type Live, type LiveRead } from "../plan/inputs.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import { keyOf } from "../catalog/spelling.js";
import { valueAt } from "../plan/spelling.js";
import { isEqual, type Json, type JsonObject } from "../lib/json.js";
import type { AppliedLeaf, Path } from "../settings.js";
import { arrivalOf, BEGIN_MS, processOf, recover, reportedUnknownMs } from "../state/recover.js";
import type { Arrival, View } from "../state/recover.js";
import { rollbackHoldOf } from "../state/state.js";
import type { Author, Hold, Journal, OpenedGuard, SettledChange, State } from "../state/state.js";
import { emptyState, settle, withHoldMet, withJournal, withoutJournal } from "../state/steps.js";
import { StateConflict, type StateStore, type Version } from "../state/state-store.js";

/** What a look at the state and the portal finds. */
export interface Look {
  readonly state: State | undefined;
  /** Of that state; undefined before the first write. */
  readonly version?: Version | undefined;
  readonly live: Live;
  /** Applies that the file knows nothing of. */
  readonly apart?: readonly Apart[];
}

export interface Applying {
  readonly io: Io;
  /** Signed in. */
  readonly portal: Pick<ReachablePortal, "desired" | "identity" | "access" | "leaves">;
  readonly store: StateStore;
  readonly by: Author;
  /** By which the history shows what was applied together. */
  readonly run: string | undefined;
  /** A rollback's, in force from its journal on; absent for an apply. */
  readonly hold: Hold | undefined;
  /** What a person has seen; absent where whatever the file wants is to be carried out. */
  readonly confirmed: Plan | undefined;
  /** Waits for another run's open journal, then reads state and portal, and plans. */
  readonly look: () => Promise<Seen>;
  readonly think: (look: Look) => Plan;
  /** What policies find in a plan now. */
  readonly judge: (plan: Plan) => readonly Diagnostic[];
  readonly onStep: (step: Step) => void;
}

export interface CarriedOut {
  readonly plan: Plan;
  /** As it was left; undefined where there was none, and nothing to write down. */
  readonly state: State | undefined;
}

/**
 * Returns the plan that was carried out, and the state after it. Where another run writes the state before anything is
 * sent, it reads and plans again: a plan that was confirmed goes on unchanged or not at all.
 */
export async function applyPortal(applying: Applying): Promise<CarriedOut> {
  for (;;) {
    try {
      return await tryOnce(applying);
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

async function tryOnce(applying: Applying): Promise<CarriedOut> {
  const { io, store, portal, confirmed, hold, onStep } = applying;
  onStep("look");
  let { look, thought: plan } = await applying.look();
  const { file } = portal.desired;
  if (!isNothingToDo(plan)) assertNotHeldManually(look.state, { file, io });
  if (confirmed) assertFresh(confirmed, { plan, state: look.state }, io);
  const recovered = recoverable(look);
  if (!isNothingToDo(plan)) {
    const held = hold ? undefined : (recovered ?? look.state);
    const findings = applying.judge(plan);
    assertPreconditions({ plan, ...portal, findings }, held, { file, io, apart: look.apart });
  }
  const shown = plan;

  if (recovered) {
    const version = await store.write(recovered, look.version);
    look = { ...look, state: recovered, version };
    plan = applying.think(look);
  }
  if (io.signal.aborted)
    throw new Failure("interrupted", "The run was interrupted before anything was sent.");
  const state = look.state ?? emptyState(randomUUID(), portal.identity);
  const after =
    plan.changes.length === 0
      ? await tidyUp(applying, state, { plan, ...look })
      : await carryOut(applying, state, plan, look);
  return { plan: shown, state: after.serial > 0 ? after : undefined };
}

/** The state as the portal proves it, where an open journal's update shows. */
export function recoverable({ state, live }: Look): State | undefined {
  if (!state?.journal || live.kind !== "read") return undefined;
  return recover(state, { ...viewOf(live), settings: listedIn(live.settings), keyOf });
}

/** What the portal shows of an open journal's update. */
export function arrivalIn({ state, live }: Look, io: Pick<Io, "now" | "machine">): Arrival {
  if (!state?.journal || live.kind !== "read") return "unknown";
  return arrivalOf(state.journal, viewOf(live), reportedUnknownMs(state.journal, io) > 0);
}

export function viewOf(live: LiveRead): View {
  const at = (path: Path) => valueAt(live.settings, path) ?? null;
  return { at, isWhole: isWhole(live) };
}

/** Nothing to send or to take note of: what remains is a journal of what never happened, and a hold that is over. */
async function tidyUp(
  applying: Applying,
  state: State,
  { plan, live, version, apart = [] }: Look & { readonly plan: Plan },
): Promise<State> {
  const { store, hold, by, io, portal } = applying;
  if (state.journal && live.kind === "read" && !isWhole(live)) throw unseen(state.journal, live);
  const tidy = withoutJournal(state, state.hold);
  const after = tidy === state ? version : await store.write(tidy, version);
  const held = rollbackHoldOf(tidy);
  if (hold || !held || apart.length > 0 || isByClock(plan)) return tidy;
  if (disagreements(portal, { ...tidy, hold: held }).length > 0) return tidy;
  const free = withHoldMet(tidy, { time: new Date(io.now()).toISOString(), by });
  await store.write(free, after);
  return free;
}

/** Closing a journal says that nothing of it arrived, and an administrator alone can see that. */
function unseen({ kind }: Journal, { unproven = "" }: LiveRead) {
  return new Failure(
    "outcome-unknown",
    `The outcome of the last ${kind} is unknown, and this account may not see it. ${unproven}`,
    "Sign in as an administrator, and run the same command again.",
  );
}

/** The journal, the request, the proof and the settled state. */
async function carryOut(
  applying: Applying,
  old: State,
  plan: Plan,
  { live, version: before }: Look,
): Promise<State> {
  const { io, store, by, hold, onStep } = applying;
  const { access } = applying.portal;
  const shownBefore = isWhole(live) ? listedIn(live.settings) : undefined;
  const alsoSent = plan.alsoSent.map(({ path, value }) => ({ path, sent: value }));
  const entry = {
    kind: hold ? ("rollback" as const) : ("apply" as const),
    time: new Date(io.now()).toISOString(),
    by,
    ...(applying.run !== undefined && { run: applying.run }),
    planDigest: digestOfPlan(plan),
    guards: plan.guards.flatMap(({ name, path, openedBy }) =>
      openedBy ? [{ guard: name, ...(path && { path }), ...howOpened(openedBy) }] : [],
    ),
    changes: settledChanges(plan, live),
    ...(alsoSent.length > 0 && { alsoSent }),
  };
  if (!plan.request) {
    onStep("settle");
    const settings = live.kind === "read" ? live.settings : undefined;
    const noted = settled(old, settings);
    await store.write(noted, before);
    return noted;
  }
  onStep("journal");
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
    // Where nobody can look, what an earlier run may have sent is as unknown as it was.
    !isWhole(live) && old.journal
      ? { ...old, serial: state.serial + 1 }
      : withoutJournal(state, old.hold);
  const proof = await send(plan, { io, access, live, opened, withdrawn, onStep });
  onStep("settle");
  const missing = proof?.missing ?? [];
  const end = settled(opened.state(), proof?.settings, missing);
  await afterSend(missing.length > 0 ? MAY_HAVE : HAS, () => opened.close(end));
  if (proof && missing.length > 0) throw notTaken(plan.binding.portal.name, proof);
  return end;

  function settled(from: State, shown: JsonObject | undefined, missing: Proof["missing"] = []) {
    const leaves = leavesAfter(plan, old, { live, shown, missing });
    const after = isWhole(live) && shown ? listedIn(shown) : undefined;
    const seen = { ...(shownBefore && { before: shownBefore }), ...(after && { after }) };
    const changes = shown ? withShown(entry.changes, missing, shown) : entry.changes;
    // A file that got this far agrees with what a hold wants, or is the rollback itself.
    const own = live.kind === "read" ? live.own : undefined;
    return settle(from, { ...entry, changes, leaves, live: seen, own }, hold ?? null);
  }
}

interface Shown {
  readonly live: Live;
  /** Undefined where nobody looked. */
  readonly shown: JsonObject | undefined;
  readonly missing: Proof["missing"];
}

/**
 * What a portal makes of a value is what it shows from then on. Where it shows what it did before, it took nothing:
 * then the leaf stays as it was known, so that it is sent again.
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
  // What is hidden counts as it was known, or as it was sent.
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

/** As the portal spells them, with what is known to have stood there. */
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

/** What was asked for and does not show, beside what shows. */
function withShown(
  changes: readonly SettledChange[],
  missing: Proof["missing"],
  settings: JsonObject,
): SettledChange[] {
  const otherwise = new Set(missing.map(({ path }) => keyOf(path)));
  return changes.map((change) =>
    otherwise.has(keyOf(change.path))
      ? { ...change, shown: valueAt(settings, change.path) ?? null }
      : change,
  );
}
