// Looks at a portal and its state, one after the other → what both show of one time.
import type { Look } from "../apply.js";
import type { Plan } from "../../plan/plan.js";
import type { State } from "../../state/state.js";

/** What is found, and what is to be done about it. */
export interface Seen {
  readonly look: Look;
  readonly thought: Plan;
}

interface Looking<T extends Seen> {
  readonly look: (state: State | undefined) => Promise<T>;
  /** Absent where a lock keeps others out, or nothing is compared with the state. */
  readonly readAgain: (() => Promise<State | undefined>) | undefined;
}

const MOST_LOOKS = 20;

/**
 * What another run applies between a look at the state and one at the portal looks as if somebody had changed it by hand:
 * then the state has changed as well, and both are looked at again.
 */
export async function lookAtOneTime<T extends Seen>(
  first: State | undefined,
  { look, readAgain }: Looking<T>,
): Promise<T> {
  let state = first;
  for (let looks = 1; ; looks++) {
    const seen = await look(state);
    const isDrifted = seen.thought.changes.some(({ notes }) =>
      notes.some(({ code }) => code === "drift"),
    );
    if (!isDrifted || !readAgain || looks === MOST_LOOKS) return seen;
    const serial = state?.serial;
    state = await readAgain();
    if (state?.serial === serial) return seen;
  }
}
