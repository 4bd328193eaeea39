// Binds a saved plan to its inputs, and compares it with a new one.
import { digest } from "../lib/digest.js";
import { isEqual, pointInto, type Json } from "../lib/json.js";
import type { Guard, Opening } from "./guard.js";
import type { Identity, Inputs } from "./inputs.js";
import type { Plan } from "./plan.js";
import type { PlannedRequest } from "./request.js";

export interface Binding {
  readonly toolVersion: string;
  readonly portal: Identity;
  /** Null before the first apply, and with --no-state. */
  readonly state: {
    readonly lineage: string;
    readonly serial: number;
    /** The number of the newest apply; 0 before the first. */
    readonly apply: number;
    /** Distinguishes two histories with the same number. */
    readonly appliedAt: string | null;
  } | null;
  /** Digest of the live values that the request replaces; null without a request or live values. */
  readonly live: string | null;
  /** Digest of the resolved values of the file, without their places. */
  readonly desired: string;
  readonly opened: readonly (Pick<Guard, "name" | "path"> & { readonly openedBy: Opening })[];
}

export function bind(
  inputs: Inputs,
  request: PlannedRequest | null,
  guards: readonly Guard[],
): Binding {
  const { toolVersion, last, live, deployment, target } = inputs;
  const { name, url, id } = inputs.portal;
  const { paths } = inputs.options;
  const settings = live.kind === "read" ? live.settings : undefined;
  const sentOver =
    settings && request?.parameters.map((each) => [each, pointInto(settings, [each]) ?? null]);
  const leaves = inputs.desired.map(({ path, action, value }) => ({ action, path, value }));
  return {
    toolVersion,
    portal: { name, url, id },
    state: last
      ? {
          lineage: last.lineage,
          serial: last.serial,
          apply: last.applied?.number ?? 0,
          appliedAt: last.applied?.time ?? null,
        }
      : null,
    live: sentOver ? digest(Object.fromEntries(sentOver)) : null,
    desired: digest({ deployment, leaves, target: target.asked, ...(paths && { paths }) }),
    opened: guards.flatMap(({ name, path, openedBy }) =>
      openedBy ? [{ name, path, openedBy }] : [],
    ),
  };
}

/** What can differ between two plans. `content` is everything in the plan itself. */
export type End =
  | "tool"
  | "portal"
  | "state"
  | "live"
  | "schedule"
  | "desired"
  | "guards"
  | "content";

/** Empty if the plans are equal. */
export function changedEnds(saved: Plan, fresh: Plan): End[] {
  const [left, right] = [endsOf(saved), endsOf(fresh)];
  return (Object.keys(right) as End[]).filter((end) => !isEqual(left[end], right[end]));
}

/** Equal for plans with the same effect, even if their texts differ. */
export function digestOfPlan(plan: Plan): string {
  return digest(endsOf(plan));
}

function endsOf({ binding, ...plan }: Plan): Record<End, Json> {
  const { toolVersion: tool, portal, state, live, desired, opened } = binding;
  const { comparedWith, applicable, isJournalOpen, request, leaves, alsoSent } = plan;
  const same = { comparedWith, applicable, isJournalOpen, request, leaves, alsoSent };
  // Places and sentences do not change the effect.
  const changes = plan.changes.map(
    ({ place: _place, notes: _notes, window: _window, ...change }) => change,
  );
  const guards = plan.guards.map(({ name, path, isOpen }) => ({ name, path, isOpen }));
  // Only the open windows matter now.
  const schedule = plan.schedule?.open.map(({ name }) => name) ?? [];
  const ends = {
    tool,
    portal,
    // A refused update, a hold or an unhold only raise the serial. The rest of the state shows in the content.
    state: state && { lineage: state.lineage, apply: state.apply, appliedAt: state.appliedAt },
    live,
    schedule,
    desired,
    guards: opened,
    content: { ...same, changes, guards },
  };
  return ends as unknown as Record<End, Json>;
}
