// A saved plan × a fresh one → what differs; nothing, where the saved one may be carried out.
import { digest, isEqual, type Json } from "../json.js";
import type { Plan } from "./plan.js";

/** `content` is anything that the plan says itself, as when it was made with other options or by hand. */
export type End = "tool" | "portal" | "state" | "live" | "desired" | "guards" | "content";

/** Empty where the two are equal. */
export function changedEnds(saved: Plan, fresh: Plan): End[] {
  const [left, right] = [endsOf(saved), endsOf(fresh)];
  return (Object.keys(right) as End[]).filter((end) => !isEqual(left[end], right[end]));
}

/** The same for plans that do the same, whatever they say of it. */
export function digestOfPlan(plan: Plan): string {
  return digest(endsOf(plan));
}

function endsOf({ binding, ...content }: Plan): Record<End, Json> {
  const ends = {
    tool: binding.toolVersion,
    portal: binding.portal,
    // An update that was refused leaves the state as it was but for its serial, and may be tried again.
    state: binding.state && { lineage: binding.state.lineage, digest: binding.state.digest },
    live: binding.live,
    desired: binding.desired,
    guards: binding.opened,
    content: {
      comparedWith: content.comparedWith,
      applicable: content.applicable,
      isJournalOpen: content.isJournalOpen,
      // Places and sentences may change without anything else being done.
      changes: content.changes.map(({ path, action, before, after }) => ({
        path,
        action,
        before,
        after,
      })),
      guards: content.guards.map(({ name, path, isOpen }) => ({ name, path, isOpen })),
      request: content.request,
      leaves: content.leaves,
      alsoSent: content.alsoSent,
    },
  };
  return ends as unknown as Record<End, Json>;
}
