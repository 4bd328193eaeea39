// The open journal of this run: written by compare-and-swap before the send, renewed if the send is delayed, and closed after it.
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { BEGIN_MS } from "../state/recover.js";
import type { State } from "../state/state.js";
import { StateConflict, type StateStore, type Version } from "../state/state-store.js";
import { again } from "../state/steps.js";

export interface OpenJournal {
  /** The last written state, with the journal. */
  readonly state: () => State;
  /**
   * Awaited before each attempt to send. After a long delay, other runs may have stopped waiting. Then it writes the
   * journal again, which restarts their wait. Throws StateConflict if another run has continued.
   */
  readonly renew: () => Promise<void>;
  /** Checked again when the connection is open. */
  readonly assertInTime: () => void;
  readonly close: (end: State) => Promise<void>;
}

interface Opening {
  readonly io: Io;
  readonly store: StateStore;
}

export async function openJournal(
  first: State,
  before: Version | undefined,
  { io, store }: Opening,
): Promise<OpenJournal> {
  let state = first;
  let began = momentOf(io);
  let version = await store.write(state, before);
  const isLate = () => msSince(began, io) > BEGIN_MS;
  return {
    state: () => state,
    async renew() {
      if (!isLate()) return;
      const next = again(state);
      const moment = momentOf(io);
      version = await store.write(next, version);
      [state, began] = [next, moment];
    },
    assertInTime() {
      if (isLate()) throw tooLate(store.place);
    },
    async close(end) {
      try {
        await store.write(end, version);
      } catch (error) {
        if (!(error instanceof StateConflict) || !(await isSettled(store, state))) throw error;
      }
    },
  };
}

/** Whether a waiting run has settled this journal by what the portal showed. */
async function isSettled(store: StateStore, { journal }: State): Promise<boolean> {
  const { state } = await store.read();
  return (
    state?.history.some(({ time, planDigest, by, outcome }) => {
      const isSame = time === journal?.time && planDigest === journal.planDigest;
      return isSame && by.actor === journal.by.actor && outcome === undefined;
    }) ?? false
  );
}

type Moment = ReturnType<typeof momentOf>;

/** Uses two clocks: one may stop while the machine sleeps, the other may be changed. */
function momentOf(io: Pick<Io, "now" | "machine">) {
  return { elapsedMs: io.machine.elapsedMs(), wallMs: io.now() };
}

function msSince(moment: Moment, io: Pick<Io, "now" | "machine">): number {
  const { elapsedMs, wallMs } = momentOf(io);
  return Math.max(elapsedMs - moment.elapsedMs, wallMs - moment.wallMs);
}

function tooLate(place: string): Failure {
  return new Failure(
    "state-locked",
    `Nothing was sent: ${BEGIN_MS / 1000} s passed after the journal was written to "${place}", and another run may have continued.`,
    "Run the same command again. If this happens often, check how fast that place answers.",
  );
}
