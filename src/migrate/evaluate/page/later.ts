// What waits until the script is over: handlers of the page's loading, timers, and functions that were handed to others → their turn.
import { describeThrown } from "./thrown.js";

export type Phase = "loaded" | "afterwards";

interface Waiting {
  readonly id: number;
  readonly phase: Phase;
  readonly after: number;
  readonly run: () => void;
}

const waiting: Waiting[] = [];
let made = 0;

/** More than any page needs, and fewer than a timer that sets itself again would like. */
const MOST = 300;

export function later(phase: Phase, run: () => void, after = 0): number {
  made++;
  if (made <= MOST) waiting.push({ id: made, phase, after, run });
  return made;
}

export function forget(id: unknown): void {
  const at = waiting.findIndex((each) => each.id === id);
  if (at >= 0) waiting.splice(at, 1);
}

/** Runs the next one; false where nothing waits in this phase any more. */
export function runNext(phase: Phase): boolean {
  const ready = waiting.filter((each) => each.phase === phase);
  const [next] = ready.toSorted((one, other) => one.after - other.after || one.id - other.id);
  if (!next) return false;
  forget(next.id);
  guarded(next.run);
  return true;
}

/** What a function throws goes to the browser's console and stops nothing else. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    describeThrown(error);
  }
}
