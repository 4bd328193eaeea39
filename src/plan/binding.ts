// A plan by digest: what it was made from, and whether a fresh one is the same, so that it is carried out on nothing else.
import { digest } from "../lib/digest.js";
import { isEqual, pointInto, type Json } from "../lib/json.js";
import type { Guard, Opening } from "./guard.js";
import type { Identity, Inputs } from "./inputs.js";
import type { Plan } from "./plan.js";
import type { PlannedRequest } from "./request.js";

export interface Binding {
  readonly toolVersion: string;
  readonly portal: Identity;
  /** Null where nothing was ever applied, or the state was left out. */
  readonly state: {
    readonly lineage: string;
    readonly serial: number;
    /** The number of the newest apply; 0 before the first. */
    readonly apply: number;
    /** Two histories can have an apply of the same number, at different times. */
    readonly appliedAt: string | null;
  } | null;
  /** Digest of the live values that the request is sent over; null where none is, or none were read. */
  readonly live: string | null;
  /** Digest of what the file wants once everything in it is replaced; where it says so does not count. */
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

/** `content` is anything that the plan says itself, as when it was made with other options or by hand. */
export type End =
  | "tool"
  | "portal"
  | "state"
  | "live"
  | "schedule"
  | "desired"
  | "guards"
  | "content";

/** Empty where the two are equal. */
export function changedEnds(saved: Plan, fresh: Plan): End[] {
  const [left, right] = [endsOf(saved), endsOf(fresh)];
  return (Object.keys(right) as End[]).filter((end) => !isEqual(left[end], right[end]));
}

/** The same for plans that do the same, whatever they say of it. */
export function digestOfPlan(plan: Plan): string {
  return digest(endsOf(plan));
}

function endsOf({ binding, ...plan }: Plan): Record<End, Json> {
  const { toolVersion: tool, portal, state, live, desired, opened } = binding;
  const { comparedWith, applicable, isJournalOpen, request, leaves, alsoSent } = plan;
  const same = { comparedWith, applicable, isJournalOpen, request, leaves, alsoSent };
  // Places and sentences may change without anything else being done.
  const changes = plan.changes.map(
    ({ place: _place, notes: _notes, window: _window, ...change }) => change,
  );
  const guards = plan.guards.map(({ name, path, isOpen }) => ({ name, path, isOpen }));
  // By which windows are open; when the next one opens may be changed without anything else being done now.
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
