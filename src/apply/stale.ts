// A plan that was confirmed, and one that is made now → whether they do the same; else what has come in between.
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
  state: "something was applied meanwhile",
  live: "the portal was changed meanwhile",
  schedule: "a window of its schedule has opened or closed meanwhile",
  desired: "the file was changed meanwhile",
  guards: "other guards are open",
  content: "it would do something else now",
};

interface Now {
  readonly plan: Plan;
  readonly state: State | undefined;
}

/** What was confirmed is carried out, or nothing is. */
export function assertFresh(
  confirmed: Plan,
  { plan, state }: Now,
  io: Pick<Io, "env" | "zone">,
): void {
  assertApplicable(confirmed);
  const changed = changedEnds(confirmed, plan);
  if (changed.length === 0) return;
  // What follows from another reason says nothing new beside it.
  const isSaid = (end: End) =>
    (end === "content" && changed.length > 1) ||
    (changed.includes("schedule") && (end === "desired" || end === "guards")) ||
    // A plan that sends nothing is over no values of the portal.
    (changed.length > 1 && end === "live" && !(confirmed.request && plan.request));
  const reasons = changed
    .filter((end) => !isSaid(end))
    .map((end) => ENDS[end] + (end === "state" ? since(confirmed, state, io) : ""));
  throw new Failure(
    "plan-stale",
    `The plan for "${confirmed.binding.portal.name}" is stale: ${reasons.join(", and ")}.${otherwise(confirmed, plan)}`,
    "Run the same command again, and look at what it would do now.",
  );
}

/** Nothing where the newest apply is one that the plan knew of. */
function since({ binding }: Plan, state: State | undefined, io: Pick<Io, "env" | "zone">): string {
  const newest = state && appliesOf(state).at(-1);
  if (!newest || newest.number <= (binding.state?.apply ?? 0)) return "";
  return ` by ${authorText(newest.by)}, ${showTime(newest.time, zoneOf(io))}`;
}

/** The settings that only one of the two would change, or that both would change, and not alike. */
function otherwise(confirmed: Plan, fresh: Plan): string {
  const [before, now] = [changesBySetting(confirmed), changesBySetting(fresh)];
  const names = [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => before.get(name) !== now.get(name),
  );
  if (names.length === 0) return "";
  const quoted = names.map((name) => `"${name}"`);
  return ` It would do something else now with ${someOf(quoted, "setting")}.`;
}

function changesBySetting({ changes }: Plan): ReadonlyMap<string, string> {
  const told = changes.map(({ path, action, before, after }) => {
    return [formatPath(referencePath(path)), canonicalText([action, before, after])] as const;
  });
  return new Map(told);
}
