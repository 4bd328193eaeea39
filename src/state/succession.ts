// A state that is to be written × what stands in its place → nothing, or the refusal: every backend asks this before it writes.
import type { PortalIdentity } from "./key.js";
import { anotherLineage, anotherPortal, conflict, skipped } from "./refusal.js";
import type { State } from "./state.js";

interface Writing {
  readonly place: string;
  readonly portal: PortalIdentity;
  /** What stands there now. */
  readonly stored: State | undefined;
  /** The serial that the writer saw. */
  readonly expected: number;
}

/** Fails with state-conflict, state-of-another-lineage or state-of-another-portal. */
export function assertNext(state: State, { place, portal, stored, expected }: Writing): void {
  const found = stored?.serial ?? 0;
  if (found !== expected) throw conflict(place, expected, found);
  if (stored && stored.lineage !== state.lineage) throw anotherLineage(place);
  if (state.portal.key !== portal.key) throw anotherPortal(place, state.portal, portal);
  // One that was moved keeps its serial: over none, and back over the mark that it had left.
  const isComing = !stored || (stored.moved !== undefined && !state.moved);
  const isNext = isComing ? state.serial > expected : state.serial === expected + 1;
  if (!isNext) throw skipped(place, expected, state.serial);
}
