// Wraps a store: refuses a state that is older than this machine has seen, and with a key one that nobody has signed; signs what is written.
import type { Io } from "../../io.js";
import { newestDigest } from "../chain.js";
import type { PortalIdentity } from "../key.js";
import {
  forgetSeen,
  highestSeen,
  rememberSeen,
  seenIn,
  type Seen,
  type WarnOnce,
} from "./highest.js";
import * as refusal from "../refusal.js";
import { distrust, signedWith, stateKeysIn } from "./signature.js";
import type { State } from "../state.js";
import type { OwnState, StateReader, Store } from "../store.js";

interface Guarding {
  readonly io: Io;
  /** For those who move it from one place to another. */
  readonly mayBeMoved: boolean;
  readonly warn: WarnOnce;
}

export function guarded(
  store: Store,
  own: Pick<OwnState, "portal" | "file">,
  { io, mayBeMoved, warn }: Guarding,
): Store {
  const { place } = store;
  const { portal, file } = own;
  const remember = (memory: Memory, state: State) => {
    // What was moved away goes on at another place.
    if (state.moved && !memory.isSigned) forgetSeen(memory.key, io);
    // Without a key nobody has asked for it, and many a pipeline has no home to keep it in.
    else rememberSeen(memory.key, seenIn(state), io, memory.isSigned ? warn : () => {});
  };
  return {
    ...store,
    async read(asOf) {
      const memory = await memoryOf(store, portal, io);
      if (!memory) return store.read(asOf);
      // Before the read, so that a write between the two makes nothing look old.
      const seen = highestSeen(memory.key, io);
      let state = await store.read(asOf);
      // What one look found serves a whole run, and another run here may have written since.
      if (seen && !("damaged" in seen) && oldnessOf(state, seen) !== undefined) {
        state = await store.read("now");
      }
      const odd = state && distrust(state, stateKeysIn(io));
      if (odd !== undefined) {
        throw refusal.notTrusted({ place, file, back: await store.back() }, odd);
      }
      // Only one of the two places that a state moves between has the newest.
      if (mayBeMoved || state?.moved) {
        if (state?.moved && !memory.isSigned) forgetSeen(memory.key, io);
        return state;
      }
      if (seen && "damaged" in seen) {
        const { message, help } = refusal.seenDamaged(place, seen.damaged, file);
        warn(seen.damaged, `${message} ${help}`);
        return state;
      }
      if (seen) await assertNotOlder(state, seen, { store, file });
      const isKnown = state?.serial === seen?.serial && seen?.entry !== undefined;
      if (state && !isKnown) remember(memory, state);
      return state;
    },
    async lock(holder, options) {
      // Fails where the key could not be used, before anybody is kept out.
      const memory = await memoryOf(store, portal, io);
      assertSeen(memory?.key, { place, file }, io);
      await store.lock(holder, options);
    },
    async write(state, expected) {
      const { own: key, isEmpty } = stateKeysIn(io);
      if (key === undefined && state.signature) throw refusal.signed(place, file, isEmpty);
      await store.write(key === undefined ? state : signedWith(key, state), expected);
      // Also over the same serial, as where a move is given up: the last that was written is the newest.
      const memory = await memoryOf(store, portal, io);
      if (memory) remember(memory, state);
    },
  };
}

/** Under what name this machine remembers a state. */
export interface Memory {
  readonly key: string;
  /** Then it is that of the portal, wherever the state is kept. */
  readonly isSigned: boolean;
}

/** Undefined where nothing is remembered of a state. Fails with bad-state-key. */
export async function memoryOf(
  store: Pick<Store, "memoryKey">,
  portal: PortalIdentity,
  io: Io,
): Promise<Memory | undefined> {
  if (stateKeysIn(io).own !== undefined) return { key: portal.key, isSigned: true };
  const key = await store.memoryKey?.();
  return key === undefined ? undefined : { key, isSigned: false };
}

interface Signing {
  readonly portal: PortalIdentity;
  readonly place: string;
  readonly file: string;
}

/** Told before anything is asked of anybody; the lock and the write refuse it as well. */
export function assertMaySign(
  state: State | undefined,
  { portal, place, file }: Signing,
  io: Io,
): void {
  const { own, isEmpty } = stateKeysIn(io);
  if (state?.signature && own === undefined) throw refusal.signed(place, file, isEmpty);
  if (own !== undefined) assertSeen(portal.key, { place, file }, io);
}

/** Nobody goes on from a state that may be an older one. */
function assertSeen(
  key: string | undefined,
  { place, file }: Pick<Signing, "place" | "file">,
  io: Io,
): void {
  const seen = key === undefined ? undefined : highestSeen(key, io);
  if (seen && "damaged" in seen) throw refusal.seenDamaged(place, seen.damaged, file);
}

export async function assertNotOlder(
  state: State | undefined,
  seen: Seen,
  { store, file }: { readonly store: Pick<StateReader, "place" | "back">; readonly file: string },
): Promise<void> {
  const what = oldnessOf(state, seen);
  if (what === undefined) return;
  const back = await store.back();
  throw refusal.rewound({ place: store.place, file, back }, what, seen.serial);
}

/** How it is not the one that was seen, nor a later one, to go on from its name. What is gone or was begun anew is as old as can be. */
export function oldnessOf(state: State | undefined, seen: Seen): string | undefined {
  if (!state) return "is gone";
  if (state.lineage !== seen.lineage) return "was begun anew";
  if (state.serial < seen.serial) return `has serial ${state.serial}`;
  const isOther = state.serial === seen.serial && seen.entry !== undefined;
  return isOther && seen.entry !== newestDigest(state) ? "has another history" : undefined;
}
