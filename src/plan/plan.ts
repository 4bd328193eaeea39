// Computes the plan from desired, last applied and live settings. It is pure: it reads and writes nothing.
import { isWithin, type DesiredLeaf, type Path } from "../settings.js";
import type { JsonObject } from "../lib/json.js";
import type { Schedule } from "../schedule.js";
import { clockOf } from "../moment.js";
import { bind, type Binding } from "./binding.js";
import { givenDigests } from "./cause.js";
import { diff, type Change, type Diff, type Difference } from "./diff.js";
import { narrowedToDue, waitingNotes } from "./due.js";
import { guardsOf, type Guard } from "./guard.js";
import type { Inputs } from "./inputs.js";
import type { Note } from "./note.js";
import { withNotes } from "./plan-notes.js";
import { alsoSent, planRequest, spelledFor } from "./request.js";
import type { PlannedLeaf, PlannedRequest } from "./request.js";
import { keyOf, settingsOf } from "../catalog/spelling.js";
import { inKeyOrder, isPicked } from "./spelling.js";

/** Plain data that survives a round trip through JSON. */
export interface Plan {
  readonly binding: Binding;
  readonly target: string;
  readonly deployment: string;
  readonly comparedWith: ComparedWith;
  readonly applicable: boolean;
  /** Why it cannot be applied; else null. */
  readonly reason: Reason | null;
  /** Whether the outcome of an earlier apply is unknown. Then apply has work even without a change. */
  readonly isJournalOpen: boolean;
  /** Open windows and the next boundary; absent without a schedule. */
  readonly schedule?: Schedule;
  /** All settings of the file, changed or not. */
  readonly desired: JsonObject;
  readonly changes: readonly Change[];
  readonly guards: readonly Guard[];
  /** Null if there is nothing to send, or the plan is not applicable. */
  readonly request: PlannedRequest | null;
  /** How many changes `--path` and `--due` leave out. */
  readonly leftOut: number;
  /** How many of them `--due` leaves out; absent without `--due`, and with `--due files`. */
  readonly notDue?: number;
  /** The leaves in the state after the apply. */
  readonly leaves: readonly PlannedLeaf[];
  /** Leaves that are no longer managed but still sent. */
  readonly alsoSent: readonly PlannedLeaf[];
  readonly notes: readonly PlanNote[];
}

export type ComparedWith = "live-and-last" | "live" | "last" | "nothing";

export interface Reason {
  readonly code: "anonymous-view" | "as-of" | "no-state" | "not-read" | "not-whole" | "preview";
  readonly message: string;
  readonly help: string;
}

export interface PlanNote extends Note {
  /** Null for a note on the plan as a whole. */
  readonly path: Path | null;
}

const REASONS = {
  anonymousView: {
    code: "anonymous-view",
    message: "Lintel did not sign in, and saw only a part of the settings.",
    help: "Sign in to make a plan that can be applied.",
  },
  noState: {
    code: "no-state",
    message: "The plan leaves out what was applied last.",
    help: "For a plan that can be applied, leave out --no-state.",
  },
  asOf: {
    code: "as-of",
    message: "",
    help: "For a plan that can be applied, leave out --at.",
  },
  notRead: {
    code: "not-read",
    message: "The portal was not read. A request could replace unknown values.",
    help: "Sign in and plan again. A portal that cannot be read is planned from what was applied last:\n  portal:\n    read: never",
  },
  notWhole: {
    code: "not-whole",
    message:
      "The outcome of the last update is unknown. A part of its settings cannot be applied alone.",
    help: "First apply all of them, without --path and --due.",
  },
  preview: {
    code: "preview",
    message: "This run has no credentials. A job after the merge signs in, and plans again.",
    help: "",
  },
} as const satisfies Record<string, Reason>;

export function makePlan(given: Inputs): Plan {
  // `all` is compared, `whole` is the part of it that --due selects, `picked` the part that --path selects.
  const all = { ...asCompared(given), desired: inKeyOrder(given.desired) };
  const found = diff(all);
  const whole = narrowedToDue(all, found.differences);
  const reason = reasonAgainst(whole);
  const { inputs, picked } = pick(whole, found);
  const request = reason ? null : planRequest(inputs, picked.differences);
  const guards = guardsOf(inputs, picked.differences, request);
  const { changes, notes } = withNotes(whole, picked, request);
  const waiting = all.options.due && notDue(all, found, picked);
  return {
    binding: bind(inputs, request, guards),
    target: inputs.target.asked,
    deployment: inputs.deployment,
    comparedWith: comparedWith(inputs),
    applicable: reason === null,
    reason,
    isJournalOpen: inputs.last?.pending !== undefined,
    ...(inputs.schedule && { schedule: inputs.schedule }),
    desired: settingsOf(all.desired),
    changes,
    guards,
    request,
    leftOut: found.differences.length - picked.differences.length,
    ...(waiting && !isForFiles(all) && { notDue: waiting.length }),
    leaves: leavesAfter(inputs),
    alsoSent: alsoSent(whole),
    notes: [...notes, ...waitingNotes(waiting ?? []).map((each) => ({ path: null, ...each }))],
  };
}

/** For a run that has no credentials on purpose: replaces the reason why the plan cannot be applied. */
export function asPreview(plan: Plan): Plan {
  return plan.reason ? { ...plan, reason: REASONS.preview } : plan;
}

/** Whether apply sends no request and writes no state. */
export function isNothingToDo({ changes, isJournalOpen }: Plan): boolean {
  return changes.length === 0 && !isJournalOpen;
}

/** The desired leaves and the differences that --path selects. */
function pick(whole: Inputs, { differences, shownOtherwise }: Diff) {
  const { paths } = whole.options;
  const isMeant = ({ path }: { readonly path: Path }) => isPicked(path, paths);
  const picked: Diff = {
    differences: differences.filter(({ change }) => isMeant(change)),
    shownOtherwise: shownOtherwise.filter((path) => isMeant({ path })),
  };
  return { inputs: { ...whole, desired: whole.desired.filter(isMeant) }, picked };
}

function notDue({ options }: Inputs, { differences }: Diff, picked: Diff): Difference[] {
  return differences.filter(
    (each) => isPicked(each.change.path, options.paths) && !picked.differences.includes(each),
  );
}

/** False for a plan of scheduled changes or drift alone. */
function isForFiles({ options: { due } }: Inputs): boolean {
  return !due || due.includes("files");
}

/** Leaves that --path leaves out stay as they were, unless a new value replaces them. */
function leavesAfter(inputs: Inputs): PlannedLeaf[] {
  const { desired, last, options } = inputs;
  const left = last?.leaves.filter(
    ({ path }) =>
      !isPicked(path, options.paths) &&
      !desired.some((leaf) => isWithin(leaf.path, path) || isWithin(path, leaf.path)),
  );
  const known = new Map(
    last?.leaves.flatMap(({ path, given }) => (given ? [[keyOf(path), given]] : [])),
  );
  // A rollback, or the opening of another window, does not apply the other windows of the file.
  const isByFile = !inputs.isRollback && isForFiles(inputs);
  const givenTo = (leaf: DesiredLeaf) => {
    const before = known.size > 0 ? known.get(keyOf(leaf.path)) : undefined;
    return isByFile ? givenDigests(leaf, before) : before;
  };
  return [
    ...desired.map((leaf) => {
      const given = givenTo(leaf);
      return { path: spelledFor(inputs, leaf.path), value: leaf.value, ...(given && { given }) };
    }),
    ...inKeyOrder(left ?? []).map(
      ({ path, sent }) => ({ path, value: sent, isLeft: true }) as const,
    ),
  ];
}

/** Removes the inputs that the options exclude from the comparison. */
function asCompared(inputs: Inputs): Inputs {
  const { live, options } = inputs;
  if (options.compareWith === "live") return { ...inputs, last: undefined };
  if (options.compareWith === "live-and-last" || live.kind === "unread") return inputs;
  return { ...inputs, live: { kind: "unread", why: "not-asked" } };
}

function reasonAgainst({ live, last, options, asOf, timeZone }: Inputs): Reason | null {
  if (asOf !== undefined) return { ...REASONS.asOf, message: asOfMessage(clockOf(timeZone)(asOf)) };
  if (live.kind === "unread" && live.why !== "never") return REASONS.notRead;
  if (live.kind === "read" && live.view === "anonymous") return REASONS.anonymousView;
  if (live.kind === "unread" && last?.pending && options.paths) return REASONS.notWhole;
  return options.compareWith === "live" ? REASONS.noState : null;
}

function asOfMessage(time: string): string {
  return `The plan is as of ${time}, and not of now.`;
}

function comparedWith({ live, last }: Inputs): ComparedWith {
  if (live.kind === "read") return last ? "live-and-last" : "live";
  return last ? "last" : "nothing";
}
