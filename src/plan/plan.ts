// Desired × last × live → the plan. Everything before it gathers, everything after it acts, and neither decides.
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

/** Plain data: what JSON makes of it and reads back is the same. */
export interface Plan {
  readonly binding: Binding;
  readonly target: string;
  readonly deployment: string;
  readonly comparedWith: ComparedWith;
  readonly applicable: boolean;
  /** Why it cannot be applied; null where it can. */
  readonly reason: Reason | null;
  /** Whether an earlier apply's outcome is unknown; then there is something to do even without a change. */
  readonly isJournalOpen: boolean;
  /** Which windows are open, and what comes next; absent where the file has no schedule. */
  readonly schedule?: Schedule;
  /** All settings that the file wants, changed or not. */
  readonly desired: JsonObject;
  readonly changes: readonly Change[];
  readonly guards: readonly Guard[];
  /** Null where nothing is to be sent, or nothing may be. */
  readonly request: PlannedRequest | null;
  /** The changes that were not picked: they go on waiting. */
  readonly leftOut: number;
  /** Those of them that are not due by themselves; absent where that was not asked, or files were. */
  readonly notDue?: number;
  /** What the state will hold once the plan is carried out. */
  readonly leaves: readonly PlannedLeaf[];
  /** What it will hold beside them: leaves that are managed no longer, and go on being sent. */
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
  /** Null for what concerns the plan as a whole. */
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
  // given → all (what is compared) → whole (what is due) → inputs, picked (what --path names).
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

/** Of a run without credentials on purpose, which says so in place of what it lacks. */
export function asPreview(plan: Plan): Plan {
  return plan.reason ? { ...plan, reason: REASONS.preview } : plan;
}

/** Then apply sends no request and writes no state. */
export function isNothingToDo({ changes, isJournalOpen }: Plan): boolean {
  return changes.length === 0 && !isJournalOpen;
}

/** Of the desired leaves and of the differences, those that --path names, or that are due. */
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

/** Otherwise it is for what comes by itself, in which a file has no say. */
function isForFiles({ options: { due } }: Inputs): boolean {
  return !due || due.includes("files");
}

/** What was not picked stays as it was, unless what is set takes its place. */
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
  // A window that nobody has applied is not taken for applied because another one opened, or because of a rollback.
  const isByFile = !inputs.isPutBack && isForFiles(inputs);
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

/** Only what the plan is to be compared with. */
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
