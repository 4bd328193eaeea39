// One portal, looked at by nobody's order → what was found there; and what may be carried out unasked, carried out.
import { recoverable } from "./apply-portal.js";
import { driftIn, hiddenDrift, type Drift } from "./find-drift.js";
import { planAll } from "./each-portal.js";
import type { Waiting } from "./wait.js";
import { planAgain, type PlannedPortal, type PlanOptions } from "./plan-portal.js";
import { assertHeldByNobody } from "./preconditions.js";
import type { RunContext } from "./portal-context.js";
import { resultOf } from "./portal-result.js";
import type { Done } from "./apply-fleet.js";
import { applyAll } from "./apply-all.js";
import { formatPlace, type Diagnostic } from "../diagnostic.js";
import { asFailure, EXIT, type Exit, type Failure } from "../failure.js";
import type { GuardName } from "../guard.js";
import type { Change } from "../plan/diff.js";
import { UNASKED, type Identity, type Unasked } from "../plan/inputs.js";
import { isNothingToDo } from "../plan/plan.js";
import type { PortalResult } from "../plan/result.js";
import { keyOf } from "../catalog/spelling.js";
import type { Path } from "../settings.js";
import type { State } from "../state/state.js";

export { UNASKED };
export type { Change, Drift, Identity, Unasked };

export interface Tending {
  /** What may be carried out; nothing, where it is only looked at. */
  readonly mayApply: readonly Unasked[];
  readonly send: PlanOptions["send"];
  /** The longest wait for another run, in milliseconds. */
  readonly waitMs: number;
  /** How long that update's journal has been known; a run that does not wait may come again. */
  readonly seenForMs?: Waiting["seenForMs"];
  /** Asked right before anything is carried out; otherwise what was found counts for nothing. */
  readonly mayGoOn: (
    found: Pick<Tended, "changes" | "state">,
  ) => Promise<readonly Unasked[] | undefined>;
}

export type History = Pick<State, "lineage" | "history">;

/** What was found at a portal, before anything was carried out, and what became of it. */
export interface Tended {
  readonly portal: Identity;
  /** Undefined where there is nothing to compare with. */
  readonly drift: readonly Drift[] | undefined;
  /** Everything that the file wants otherwise. */
  readonly changes: readonly Change[];
  /** What would stop an apply of all of that. */
  readonly guards: readonly GuardName[];
  /** Those of them that were carried out. */
  readonly applied: readonly Change[];
  /** What is remembered of it in the end, as far as this look has read it. */
  readonly state: History | undefined;
  readonly failure?: Stopped;
  /** A guard, a hold or a policy does that, so that somebody has to decide; otherwise something has failed. */
  readonly isStopped: boolean;
  /** Whatever was said meanwhile, each sentence once. */
  readonly notices: readonly string[];
}

export interface Stopped extends Pick<Failure, "code" | "message" | "help"> {
  readonly exit: Exit;
}

/** Undefined where it may not go on: then somebody has changed the files meanwhile. */
export async function tend(
  file: string,
  tools: RunContext,
  { mayApply, send, waitMs, seenForMs, mayGoOn }: Tending,
): Promise<Tended | undefined> {
  const notices = new Set<string>();
  const noting = { ...tools, notice: (sentence: string) => void notices.add(sentence) };
  const options = { allow: [], send, compareWith: "live-and-last" } as const;
  const { kept, diagnostics } = await planAll([file], noting, 1, options, (result, planned) =>
    found(result, planned, noting, { ...options, due: mayApply }),
  );
  const [seen] = kept;
  if (!seen) throw new TypeError("a portal that was looked at has no result");
  const { result, isToDo, held, ...rest } = seen;
  const { portal } = result;
  const tended = { portal, ...rest, applied: [], isStopped: false, notices: [...notices] };
  if (rest.failure) {
    // Whatever else was said is about what could not be looked at.
    return { ...tended, failure: withPlace(rest.failure, diagnostics), notices: [] };
  }
  if (!isToDo) return held ? { ...tended, failure: held, isStopped: true } : tended;
  const due = await mayGoOn(rest);
  if (!due) return undefined;
  if (due.length === 0) return tended;
  const done = await applyAll([file], noting, 1, {
    options: { ...options, due },
    waitMs,
    ...(seenForMs && { seenForMs }),
    keep: (ended: PortalResult, carriedOut?: Done) => ({ ended, after: carriedOut?.state }),
  });
  const [last] = done.kept;
  if (!last) throw new TypeError("a portal that was applied has no result");
  const { ended, after } = last;
  const failure = ended.failure && { ...ended.failure, exit: ended.exit };
  return {
    ...tended,
    applied: ended.status === "applied" ? (ended.plan?.changes ?? []) : [],
    state: after ?? rest.state,
    ...(failure && { failure: withPlace(failure, done.diagnostics) }),
    isStopped: ended.exit === EXIT.stopped,
    notices: [...notices],
  };
}

interface Found extends Pick<Tended, "drift" | "changes" | "guards" | "state" | "failure"> {
  readonly result: PortalResult;
  /** Why an apply would come to nothing, where none is to be tried. */
  readonly held?: Stopped | undefined;
  /** Whether an apply would do anything. */
  readonly isToDo: boolean;
}

function found(
  result: PortalResult,
  planned: PlannedPortal | undefined,
  tools: RunContext,
  options: PlanOptions,
): Found {
  if (!planned) {
    const { failure, exit } = result;
    const stopped = failure && { ...failure, exit };
    return {
      result,
      drift: undefined,
      changes: [],
      guards: [],
      state: undefined,
      isToDo: false,
      ...(stopped && { failure: stopped }),
    };
  }
  const { plan, unable, state } = planned;
  const closed = plan.guards.filter(({ isOpen }) => !isOpen).map(({ name }) => name);
  const guards = [...new Set(closed)];
  const seen = { result, drift: driftIn(planned), changes: plan.changes, guards, state };
  // Where a guard stops the update, that says the same.
  const failure = unable ?? (guards.length === 0 ? hiddenDrift(planned) : undefined);
  if (failure) {
    const { code, message, help, exit } = failure;
    return { ...seen, isToDo: false, failure: { code, message, help, exit } };
  }
  const { due = [] } = options;
  const untried = () => ({ ...seen, held: heldIn(planned, tools), isToDo: false });
  if (due.length === 0) return untried();
  const narrowed = planAgain(planned, tools, options);
  // A file that agrees with a hold ends it, though nothing is to be sent.
  const isHoldOver =
    due.includes("files") && (resultOf(narrowed, "changes").hold?.isAgreed ?? false);
  return isHoldOver || !isNothingToDo(narrowed.plan) ? { ...seen, isToDo: true } : untried();
}

/** Otherwise it would be told only where an apply was tried. */
function heldIn(planned: PlannedPortal, { io }: RunContext): Stopped | undefined {
  const { apart, desired } = planned;
  const state = recoverable(planned) ?? planned.state;
  try {
    assertHeldByNobody(planned, state, { file: desired.file, io, apart });
    return undefined;
  } catch (error) {
    const { code, message, help, exit } = asFailure(error, false);
    return { code, message, help, exit };
  }
}

/** That a file is wrong says less than what is wrong with it. */
function withPlace(failure: Stopped, diagnostics: readonly Diagnostic[]): Stopped {
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (failure.code !== "file-invalid" || !first) return failure;
  return { ...failure, message: `${formatPlace(first)}: ${first.message}`, help: first.help };
}

/** Those that are not among others, by their path. */
export function without<T extends { readonly path: Path }>(
  all: readonly T[],
  others: readonly { readonly path: Path }[],
): readonly T[] {
  const keys = new Set(others.map(({ path }) => keyOf(path)));
  return all.filter(({ path }) => !keys.has(keyOf(path)));
}
