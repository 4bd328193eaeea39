// Looks at a portal and its state, one after the other → what both show of one time.
import type { Look } from "./apply-portal.js";
import type { Plan } from "../plan/plan.js";
import type { Stored } from "../state/state-store.js";

/** What is found, and what is to be done about it. */
export interface Seen {
  readonly look: Look;
  readonly thought: Plan;
}

interface Looking<T extends Seen> {
  readonly look: (stored: Stored) => Promise<T>;
  /** Absent where nothing is compared with the state. */
  readonly readAgain: (() => Promise<Stored>) | undefined;
}

const MOST_LOOKS = 20;

/**
 * What another run applies between a look at the state and one at the portal looks like a change made by hand: then the
 * state has changed as well, and both are read again.
 */
export async function lookAtOneTime<T extends Seen>(
  first: Stored,
  { look, readAgain }: Looking<T>,
): Promise<T> {
  let stored = first;
  for (let looks = 1; ; looks++) {
    const seen = await look(stored);
    const isDrifted = seen.thought.changes.some(({ notes }) =>
      notes.some(({ code }) => code === "drift"),
    );
    if (!isDrifted || !readAgain || looks === MOST_LOOKS) return seen;
    const { version } = stored;
    stored = await readAgain();
    if (stored.version === version) return seen;
  }
}
