// A store → the same where a key is given: what nobody with the key has signed is not read, nor what is older than was seen; what is written is signed.
import type { Io } from "../../io.js";
import { highestSeen, rememberSeen, type Seen } from "./highest.js";
import * as refusal from "../refusal.js";
import { distrust, signedWith, stateKeysIn } from "./signature.js";
import type { State } from "../state.js";
import type { OwnState, StateReader, Store } from "../store.js";

interface Guarding {
  readonly io: Io;
  /** For those who move it from one place to another. */
  readonly mayBeMoved: boolean;
}

export function guarded(
  store: Store,
  own: Pick<OwnState, "portal" | "file">,
  { io, mayBeMoved }: Guarding,
): Store {
  const { place } = store;
  const { portal, file } = own;
  const remember = (state: Seen, known: Seen | undefined) => {
    const isKnown = known?.lineage === state.lineage && known.serial >= state.serial;
    if (!isKnown) rememberSeen(portal, state, io);
  };
  return {
    ...store,
    async read() {
      const keys = stateKeysIn(io);
      if (keys.own === undefined) return store.read();
      // Before the read, so that a write between the two makes nothing look old.
      const seen = highestSeen(portal, io);
      const state = await store.read();
      const odd = state && distrust(state, keys);
      if (odd !== undefined) {
        throw refusal.notTrusted({ place, file, back: await store.back() }, odd);
      }
      // Only one of the two places that a state moves between has the newest.
      if (mayBeMoved || state?.moved) return state;
      if (seen) await assertNotOlder(state, seen, { store, file });
      if (state) remember(state, seen);
      return state;
    },
    async lock(holder, options) {
      // Fails where the key could not be used, before anybody is kept out.
      stateKeysIn(io);
      await store.lock(holder, options);
    },
    async write(state, expected) {
      const { own: key, isEmpty } = stateKeysIn(io);
      if (key === undefined) {
        if (state.signature) throw refusal.signed(place, file, isEmpty);
        return store.write(state, expected);
      }
      await store.write(signedWith(key, state), expected);
      remember(state, highestSeen(portal, io));
    },
  };
}

/** Told before anything is asked of anybody; the write refuses it as well. */
export function assertMaySign(
  state: State | undefined,
  { place, file }: { readonly place: string; readonly file: string },
  io: Pick<Io, "env">,
): void {
  const { own, isEmpty } = stateKeysIn(io);
  if (state?.signature && own === undefined) throw refusal.signed(place, file, isEmpty);
}

/** What is gone or was begun anew is as old as can be. */
export async function assertNotOlder(
  state: State | undefined,
  seen: Seen,
  { store, file }: { readonly store: Pick<StateReader, "place" | "back">; readonly file: string },
): Promise<void> {
  const isSame = state?.lineage === seen.lineage;
  if (isSame && state.serial >= seen.serial) return;
  const what = !state ? "is gone" : isSame ? `has serial ${state.serial}` : "was begun anew";
  const back = await store.back();
  throw refusal.rewound({ place: store.place, file, back }, what, seen.serial);
}
