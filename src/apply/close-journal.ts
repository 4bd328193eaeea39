// Closes the open journal of a killed run by what the portal shows, without applying anything.
import { planOptionsOf, planPortal } from "./plan-portal.js";
import { storeOf, type PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { recoverable } from "./snapshot.js";
import { readSettled, type Waiting } from "./wait.js";
import { Failure } from "../failure.js";
import { isWhole } from "../plan/inputs.js";
import type { Journal } from "../state/state.js";
import { StateConflict } from "../state/state-store.js";
import { withoutJournal } from "../state/steps.js";

export interface ClosedJournal {
  readonly journal: Journal;
  /** Whether the portal shows any part of its update. */
  readonly hasArrived: boolean;
}

/** Undefined if no journal is open. Waits until its update can no longer arrive. */
export async function closeJournal(
  run: RunContext,
  portal: PortalContext,
  waiting: Waiting,
): Promise<ClosedJournal | undefined> {
  const store = storeOf(portal, run);
  for (;;) {
    const stored = await readSettled(store, portal, run, waiting);
    if (!stored.state?.journal) return undefined;
    const planned = await planPortal(run, portal, planOptionsOf({}), stored);
    const { state, version, live, unable } = planned;
    if (!state?.journal) return undefined;
    if (unable) throw unable;
    if (!isWhole(live)) throw notSeen(state.journal);
    const arrived = recoverable(planned);
    try {
      await store.write(arrived ?? withoutJournal(state, state.hold), version);
      return { journal: state.journal, hasArrived: arrived !== undefined };
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

function notSeen({ kind }: Journal): Failure {
  return new Failure(
    "outcome-unknown",
    `The outcome of the last ${kind} is unknown, because this account cannot see all settings.`,
    "Sign in as an administrator, and run the same command again.",
  );
}
