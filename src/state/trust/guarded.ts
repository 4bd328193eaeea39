// A store → the same where a key is given: what nobody with the key has signed is not read, nor what is older than was seen; what is written is signed.
import type { Io } from "../../io.js";
import { newestDigest } from "../chain.js";
import type { PortalIdentity } from "../key.js";
import { highestSeen, rememberSeen, seenIn, type Seen, type WarnOnce } from "./highest.js";
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
  return {
    ...store,
    async read(asOf) {
      const keys = stateKeysIn(io);
      if (keys.own === undefined) return store.read(asOf);
      // Before the read, so that a write between the two makes nothing look old.
      const seen = highestSeen(portal, io);
      const state = await store.read(asOf);
      const odd = state && distrust(state, keys);
      if (odd !== undefined) {
        throw refusal.notTrusted({ place, file, back: await store.back() }, odd);
      }
      // Only one of the two places that a state moves between has the newest.
      if (mayBeMoved || state?.moved) return state;
      if (seen && "damaged" in seen) {
        const { message, help } = refusal.seenDamaged(place, seen.damaged, file);
        warn(seen.damaged, `${message} ${help}`);
        return state;
      }
      if (seen) await assertNotOlder(state, seen, { store, file });
      const isNews = state && (state.serial !== seen?.serial || seen.entry === undefined);
      if (isNews) rememberSeen(portal, seenIn(state), io, warn);
      return state;
    },
    async lock(holder, options) {
      // Fails where the key could not be used, before anybody is kept out.
      assertSeen(stateKeysIn(io).own, { portal, place, file }, io);
      await store.lock(holder, options);
    },
    async write(state, expected) {
      const { own: key, isEmpty } = stateKeysIn(io);
      if (key === undefined) {
        if (state.signature) throw refusal.signed(place, file, isEmpty);
        return store.write(state, expected);
      }
      await store.write(signedWith(key, state), expected);
      // Also over the same serial, as where a move is given up: the last that was written is the newest.
      rememberSeen(portal, seenIn(state), io, warn);
    },
  };
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
  assertSeen(own, { portal, place, file }, io);
}

/** Nobody goes on from a state that may be an older one. */
function assertSeen(key: string | undefined, { portal, place, file }: Signing, io: Io): void {
  const seen = key === undefined ? undefined : highestSeen(portal, io);
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
