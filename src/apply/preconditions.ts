// Decides whether a plan may be applied to a state. Reports obstacles in the order in which a person can remove them.
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { isEqual } from "../lib/json.js";
import type { DivergentApply } from "../plan/inputs.js";
import { isGivenAsBefore } from "../plan/cause.js";
import { ALWAYS_RESTORE, keepingCall } from "../plan/guard.js";
import { originOf } from "../plan/guards/older-checkout.js";
import { isNothingToDo, type Plan } from "../plan/plan.js";
import { policiesIn } from "../policy/policy.js";
import type { Judged } from "./policy-checks.js";
import { keyOf } from "../catalog/spelling.js";
import { formatPath, type AppliedLeaf, type DesiredLeaf, type Path } from "../settings.js";
import {
  manualHoldOf,
  rollbackHoldOf,
  type RollbackHold,
  type State,
  type WantedLeaf,
} from "../state/state.js";
import { sentence, shellWord, showTime, zoneOf } from "../lib/text.js";

const UPDATE_CHECKOUT = "Update the checkout, and plan again:\n  git pull";

/** For commands that require a state. */
export function nothingApplied(file: string): Failure {
  return new Failure(
    "nothing-applied",
    `No apply of "${file}" is recorded, so there is no state.`,
    `Begin with:\n  lintel apply ${shellWord(file)}`,
  );
}

export interface MessageContext {
  /** The file in suggested commands, such as "lintel apply portal.yaml". */
  readonly file: string;
  /** The time zone of messages. */
  readonly io: Pick<Io, "env" | "zone" | "now">;
  /** Applies that were rolled back and that the file does not contain. */
  readonly divergent?: readonly DivergentApply[] | undefined;
}

/** No hold blocks a rollback: pass no state for one. */
export function assertPreconditions(
  { plan, leaves, findings = [] }: Wanting & Judged & { readonly plan: Plan },
  state: Held | undefined,
  context: MessageContext,
): void {
  assertApplicable(plan);
  if (state) assertRolledBack(state, context);
  // For a plan of some settings, the whole file decides whether it agrees.
  if (state) assertFileAgrees({ leaves, plan }, state, context);
  // Allowed guards do not override a policy.
  assertWithinPolicies(findings);
  assertOpen(plan, context.file);
}

export function assertApplicable({ reason }: Plan): void {
  if (!reason) return;
  const { message, help } = reason;
  throw new Failure("plan-stale", `The plan cannot be applied. ${message}`, help);
}

export function assertWithinPolicies(findings: readonly Diagnostic[]): void {
  const [first, ...more] = findings.filter(({ severity }) => severity === "error");
  if (!first) return;
  const names = policiesIn([first, ...more]).map((name) => `"${name}"`);
  const word = names.length > 1 ? "policies" : "policy";
  throw new Failure(
    "against-policy",
    `Blocked by the ${word} ${names.join(", ")}. ${formatPlace(first)}: ${first.message}`,
    `Change the file, or ask the owner of the policy: no option allows this.\n${first.help}\nSee:\n  lintel help policy`,
  );
}

function assertOpen({ guards }: Plan, file: string): void {
  const closed = guards.filter(({ isOpen }) => !isOpen);
  const [first] = closed;
  if (!first) return;
  const names = [...new Set(closed.map(({ name }) => name))];
  const opened = guards.filter(({ openedBy }) => openedBy?.by === "command-line");
  const all = [...new Set([...opened, ...closed].map(({ name }) => name))];
  const pull = keepingCall(guards, shellWord(file));
  throw new Failure(
    "guarded",
    `Nothing was sent. Blocked by the guard${names.length > 1 ? "s" : ""} ${names.map((name) => `"${name}"`).join(", ")}.${names.length === 1 ? ` ${first.message}` : ""}`,
    [
      ...(names.includes("older-checkout") ? [UPDATE_CHECKOUT] : []),
      ...(pull ? [`To keep the change made by hand, write it into the file:\n  ${pull}`] : []),
      `To allow it, run the command again with:\n  ${all.map((name) => `--allow ${name}`).join(" ")}`,
      ...(names.includes("overwrite-drift") ? [ALWAYS_RESTORE] : []),
    ].join("\n"),
  );
}

/**
 * Settings of the file that differ from what the rollback left; empty if the file agrees. A closed window is no change
 * of the file: as long as the file contains what was applied, it would set the same again.
 */
export function disagreements({ leaves }: Wanting, { hold, leaves: applied = [] }: Holding) {
  const wanted = new Map(leaves.map((leaf) => [keyOf(leaf.path), leaf]));
  const given = new Map(applied.map((leaf) => [keyOf(leaf.path), leaf.given]));
  return hold.wants.filter(({ path, value }) => {
    const other = wanted.get(keyOf(path));
    if (!other) return false;
    return !isEqual(other.value, value) || isGivenAsBefore(other, given.get(keyOf(path)));
  });
}

interface Wanting {
  readonly leaves: readonly (WantedLeaf &
    Partial<Pick<DesiredLeaf, "gives" | "place" | "window">>)[];
}

/** The line of a base that sets the path; null if the file sets it. */
export function baseOf(
  path: Path,
  { leaves, desired: { file } }: Wanting & { readonly desired: { readonly file: string } },
): string | null {
  const place = leaves.find((each) => keyOf(each.path) === keyOf(path))?.place;
  return place && place.file !== file ? `${place.file}:${place.line}` : null;
}

/** The line of an open window that sets one of the paths, or null: a pull would make the portal's value that window's. */
export function windowLineOf(
  paths: readonly { readonly path: Path }[],
  { leaves }: Wanting,
): string | null {
  const keys = new Set(paths.map(({ path }) => keyOf(path)));
  const place = leaves.find(
    (each) => each.window !== undefined && keys.has(keyOf(each.path)),
  )?.place;
  return place ? `${place.file}:${place.line}` : null;
}

/** For scheduled changes and drift, the file does not matter, and ends no hold. */
export function isByClock({ notDue }: Pick<Plan, "notDue">): boolean {
  return notDue !== undefined;
}

interface Holding {
  readonly hold: RollbackHold;
  readonly leaves?: readonly AppliedLeaf[] | undefined;
}

/** Compares the file with the values of a rollback that holds the portal. */
export function assertFileAgrees(
  wanted: Wanting & { readonly plan: Plan },
  { leaves, ...held }: Held,
  { file, io, divergent = [] }: MessageContext,
): void {
  const hold = rollbackHoldOf(held);
  if (!hold) return;
  const zone = zoneOf(io);
  const word = shellWord(file);
  const since = `The portal is on hold since ${showTime(hold.since, zone)} by ${hold.by.actor}: ${hold.why}`;
  const lift = `end the hold:\n  lintel unhold ${word}`;
  if (isByClock(wanted.plan) && !isNothingToDo(wanted.plan)) {
    throw new Failure(
      "held",
      `${since}. Scheduled changes wait until the hold ends.`,
      `Change the file and apply it, which ends the hold:\n  lintel apply ${word}\nor ${lift}`,
    );
  }
  const [first, ...more] = disagreements(wanted, { hold, leaves });
  const isAsked = wanted.leaves.some(
    ({ path, value }) => first && keyOf(path) === keyOf(first.path) && isEqual(value, first.value),
  );
  if (first && isAsked) {
    throw new Failure(
      "held",
      `${since}. The file sets "${formatPath(first.path)}" to the same value now, but only because a window is over.`,
      `Change its windows in the file, or ${lift}`,
    );
  }
  if (first) {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    const base = baseOf(first.path, { ...wanted, desired: { file } });
    const inWindow = windowLineOf([first, ...more], wanted);
    const change = inWindow
      ? `Correct the value in the open window:\n  ${inWindow}`
      : base
        ? `Fix the value in the base:\n  ${base}\nor write the portal's value into this file alone:\n  lintel pull ${word}`
        : `Change the file to what the portal has now, for example with:\n  lintel pull ${word}`;
    throw new Failure(
      "held",
      `${since}. The file still sets a different value for "${formatPath(first.path)}"${others}.`,
      `${change}\nor end the hold and apply the file as it is:\n  lintel unhold ${word}`,
    );
  }
  const [newest] = divergent;
  if (!newest) return;
  throw new Failure(
    "held",
    `${since}. The file agrees, but it is not newer than the one that was rolled back: ${newest.by} applied that at ${showTime(newest.time, zone)} ${originOf(newest)}.`,
    `Bring the checkout up to date, and change the file there:\n  git pull\nor end the hold and apply the file as it is:\n  lintel unhold ${word}`,
  );
}

/** Checked first: neither a file nor a rollback ends a manual hold. */
export function assertNotHeldManually(
  state: Pick<State, "hold"> | undefined,
  { file, io }: MessageContext,
): void {
  const hold = state && manualHoldOf(state, io.now());
  if (!hold) return;
  const { since, by, why, until } = hold;
  const [begun, end] = [since, until].map((each) => each && showTime(each, zoneOf(io)));
  throw new Failure(
    "held",
    `The portal is held by ${by.actor} since ${begun}${end ? ` until ${end}` : ""}: ${sentence(why)}`,
    `${end ? "Wait until then, or end the hold" : "End the hold"}:\n  lintel unhold ${shellWord(file)}`,
  );
}

/** Fails for a manual hold or one of a rollback. For commands that only read. */
export function assertHeldByNobody(
  wanted: Wanting & { readonly plan: Plan },
  state: State | undefined,
  context: MessageContext,
): void {
  assertNotHeldManually(state, context);
  if (!state) return;
  assertRolledBack(state, context);
  assertFileAgrees(wanted, state, context);
}

type Held = Pick<State, "hold" | "journal"> & Partial<Pick<State, "leaves">>;

/** A rollback that is not settled, and whose hold was not lifted. */
export function isRollbackOpen<T extends Held>(
  state: T,
): state is T & { readonly hold: RollbackHold; readonly journal: NonNullable<State["journal"]> } {
  return rollbackHoldOf(state) !== undefined && state.journal?.kind === "rollback";
}

/** Nothing else starts while the outcome of a rollback is unknown. */
function assertRolledBack(state: Held, { file, io }: MessageContext): void {
  if (!isRollbackOpen(state)) return;
  throw new Failure(
    "held",
    `The rollback that ${state.journal.by.actor} began at ${showTime(state.journal.time, zoneOf(io))} is not settled: the portal does not show it.`,
    `Finish it:\n  lintel rollback ${shellWord(file)}\nor cancel it, and apply the file as it is:\n  lintel unhold ${shellWord(file)}`,
  );
}
