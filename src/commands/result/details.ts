// A portal's result → the same with no more of its plan than counts and lists need.
import type { Action, Change } from "../../plan/diff.js";
import type { Plan } from "../../plan/plan.js";
import type { PortalResult } from "../../plan/result.js";

/** One for all, because there may be a million changes. */
const BARE = {
  path: [],
  cause: "file",
  before: null,
  after: null,
  place: null,
  notes: [],
} as const;
const BARE_CHANGES: Readonly<Record<Action, Change>> = {
  set: { ...BARE, action: "set" },
  default: { ...BARE, action: "default" },
  release: { ...BARE, action: "release" },
  adopt: { ...BARE, action: "adopt" },
};
const NOBODY = { name: "", url: "", id: "" };
const UNBOUND = {
  toolVersion: "",
  portal: NOBODY,
  state: null,
  live: null,
  desired: "",
  opened: [],
};

/**
 * What counts and lists need of a result, so that the plans of thousands of portals can be let go; those of which the
 * same is left share it.
 */
export function openDetails(): (result: PortalResult) => PortalResult {
  const known = new Map<string, Plan>();
  return (result) => {
    const { plan } = result;
    if (!plan) return result;
    const actions = plan.changes.map(({ action }) => action);
    const guards = plan.guards.map((guard) => ({ ...guard, path: null, message: "" }));
    const none = { binding: UNBOUND, request: null, leaves: [], alsoSent: [], notes: [] };
    const bare = { ...plan, ...none, changes: [], guards };
    const text = JSON.stringify([bare, actions]);
    const left = known.get(text) ?? { ...bare, changes: actions.map((each) => BARE_CHANGES[each]) };
    known.set(text, left);
    return { ...result, plan: left };
  };
}
