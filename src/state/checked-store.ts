// Wraps a store: refuses a state that is older than the last one seen here or has no valid signature, and signs writes.
import type { Io } from "../io.js";
import { lastSeen, rememberSeen, type LastSeen } from "./last-seen.js";
import * as refusal from "./refusal.js";
import type { State } from "./state.js";
import type { StateOwner, StateStore } from "./state-store.js";
import { distrust, signedWith, stateKeysIn } from "./signature.js";

interface Checking extends Pick<StateOwner, "file"> {
  readonly io: Io;
  /** For a move, where only one of two places has the newest state. */
  readonly mayBeMoved: boolean;
  /** Called at most once a run. */
  readonly ageNotVerified: () => void;
}

export function checkedStore(
  store: StateStore,
  { file, io, mayBeMoved, ageNotVerified }: Checking,
): StateStore {
  const { place } = store;
  return {
    ...store,
    async read() {
      const name = await store.memoryName();
      // Looked up before the read, so that a write in between does not look old.
      const seen = lastSeen(name, io);
      let stored = await store.read();
      // The first read can be shared within the run, and another run may have written since.
      if (seen && oldnessOf(stored.state, seen) !== undefined) stored = await store.read();
      const { state } = stored;
      const odd = state && distrust(state, stateKeysIn(io));
      if (odd !== undefined)
        throw refusal.notTrusted({ place, file, recovery: store.recovery() }, odd);
      if (mayBeMoved) return stored;
      const older = seen && oldnessOf(state, seen);
      if (older !== undefined) {
        const doubted = { place, file, recovery: store.recovery() };
        throw refusal.rewound(doubted, older, seen?.serial ?? 0);
      }
      if (state && !seen) ageNotVerified();
      if (state && state.serial !== seen?.serial) rememberSeen(name, state, io);
      return stored;
    },
    async write(state, version) {
      const { own: key, isEmpty } = stateKeysIn(io);
      if (key === undefined && state.signature) throw refusal.signed(place, file, isEmpty);
      const written = await store.write(
        key === undefined ? state : signedWith(key, state),
        version,
      );
      rememberSeen(await store.memoryName(), state, io);
      return written;
    },
  };
}

/** Fails before anything is sent, because the write would fail too. */
export function assertMaySign(
  state: State | undefined,
  { place, file }: { readonly place: string; readonly file: string },
  io: Io,
): void {
  const { own, isEmpty } = stateKeysIn(io);
  if (state?.signature && own === undefined) throw refusal.signed(place, file, isEmpty);
}

/** How a state is older than the last one seen, as the end of a sentence; undefined if it is not. */
export function oldnessOf(state: State | undefined, seen: LastSeen): string | undefined {
  if (!state) return refusal.GONE;
  if (state.lineage !== seen.lineage) return "is a new one";
  return state.serial < seen.serial ? `has serial ${state.serial}` : undefined;
}
