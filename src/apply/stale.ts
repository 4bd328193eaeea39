// Compares a confirmed plan with a new one, and names what changed in between.
import { assertApplicable } from "./preconditions.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { canonicalText } from "../lib/json.js";
import { changedEnds, type End } from "../plan/binding.js";
import type { Plan } from "../plan/plan.js";
import { referencePath } from "../catalog/spelling.js";
import { formatPath } from "../settings.js";
import { appliesOf, authorText, type State } from "../state/state.js";
import { showTime, someOf, zoneOf } from "../lib/text.js";

const ENDS: Readonly<Record<End, string>> = {
  tool: "another version of Lintel made it",
  portal: "it is for another portal",
  state: "changes were applied",
  live: "the portal changed",
  schedule: "a window opened or closed",
  desired: "the file changed",
  guards: "other guards are allowed",
  content: "it has other changes",
};

interface Now {
  readonly plan: Plan;
  readonly state: State | undefined;
}

/** Applies the confirmed plan or nothing. */
export function assertFresh(
  confirmed: Plan,
  { plan, state }: Now,
  io: Pick<Io, "env" | "zone">,
): void {
  assertApplicable(confirmed);
  const changed = changedEnds(confirmed, plan);
  if (changed.length === 0) return;
  // Skips a reason that follows from another one.
  const isSaid = (end: End) =>
    (end === "content" && changed.length > 1) ||
    (changed.includes("schedule") && (end === "desired" || end === "guards")) ||
    // A plan without a request does not depend on live values.
    (changed.length > 1 && end === "live" && !(confirmed.request && plan.request));
  const reasons = changed
    .filter((end) => !isSaid(end))
    .map((end) => ENDS[end] + (end === "state" ? since(confirmed, state, io) : ""));
  throw new Failure(
    "plan-stale",
    `The plan for "${confirmed.binding.portal.name}" is stale: ${reasons.join(", and ")}.${differenceText(confirmed, plan)}`,
    "Run the command again, and review the new plan.",
  );
}

/** Empty if the plan includes the newest apply. */
function since({ binding }: Plan, state: State | undefined, io: Pick<Io, "env" | "zone">): string {
  const newest = state && appliesOf(state).at(-1);
  if (!newest || newest.number <= (binding.state?.apply ?? 0)) return "";
  return ` by ${authorText(newest.by)}, ${showTime(newest.time, zoneOf(io))}`;
}

/** The settings that only one of the plans changes, or that both change to different values. */
function differenceText(confirmed: Plan, fresh: Plan): string {
  const [before, now] = [changesBySetting(confirmed), changesBySetting(fresh)];
  const names = [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => before.get(name) !== now.get(name),
  );
  if (names.length === 0) return "";
  const quoted = names.map((name) => `"${name}"`);
  return ` The plans differ in ${someOf(quoted, "setting")}.`;
}

function changesBySetting({ changes }: Plan): ReadonlyMap<string, string> {
  const entries = changes.map(({ path, action, before, after }) => {
    return [formatPath(referencePath(path)), canonicalText([action, before, after])] as const;
  });
  return new Map(entries);
}
