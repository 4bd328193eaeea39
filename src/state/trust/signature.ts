// A state and the keys of the environment → the same state signed, or whether it may be trusted.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Io } from "../../io.js";
import { digestOf } from "../format.js";
import { badKey } from "../refusal.js";
import type { State } from "../state.js";

/** Read from the environment alone: no file can refer to them. */
const KEY = "LINTEL_STATE_KEY";
const OLD_KEY = "LINTEL_STATE_KEY_OLD";
/** A state is often public, and a key that can be guessed is none. */
const SHORTEST = 32;

export interface StateKeys {
  /** Signs and verifies; undefined where signatures are not looked at. */
  readonly own: string | undefined;
  /** Verifies only, until every state is signed anew. */
  readonly old: string | undefined;
  /** The variable is there and holds none, as a pipeline leaves a secret that it does not have or does not give to a fork. */
  readonly isEmpty: boolean;
}

/** An empty key is none. Fails with bad-state-key, which never tells the key. */
export function stateKeysIn({ env }: Pick<Io, "env">): StateKeys {
  const [given, old] = [KEY, OLD_KEY].map((name) => env[name]?.trim());
  for (const [name, key] of [
    [KEY, given],
    [OLD_KEY, old],
  ] as const) {
    if (key && key.length < SHORTEST) {
      throw badKey(`${name} is shorter than ${SHORTEST} characters, and could be guessed.`);
    }
  }
  if (old && !given) {
    throw badKey(`${OLD_KEY} is set without ${KEY}, and an old key signs nothing any more.`);
  }
  return { own: given || undefined, old: old || undefined, isEmpty: !given && KEY in env };
}

export function signedWith(key: string, { signature: _earlier, ...state }: State): State {
  const over = digestOf(state);
  return { ...state, signature: { over, hmac: hmacOf(key, over) } };
}

/** What is wrong with a state where a key is given, to go on from its name; undefined where nothing is. */
export function distrust({ signature }: State, { own, old }: StateKeys): string | undefined {
  if (own === undefined) return undefined;
  if (!signature) return "is not signed";
  const { over, hmac } = signature;
  const isBy = (key: string) =>
    timingSafeEqual(Buffer.from(hmac, "hex"), Buffer.from(hmacOf(key, over), "hex"));
  return [own, ...(old === undefined ? [] : [old])].some(isBy)
    ? undefined
    : "is signed with another key, or was changed";
}

export type Trust = "verified" | "not-verified";

/** Of a state that was read, which is refused where a key is given and does not fit; null where nobody has signed it. */
export function trustIn({ signature }: State, io: Pick<Io, "env">): Trust | null {
  if (!signature) return null;
  return stateKeysIn(io).own === undefined ? "not-verified" : "verified";
}

/** Of the digest, which covers all that the state holds, portal and lineage included. */
function hmacOf(key: string, digest: string): string {
  return createHmac("sha256", key).update(`lintel state ${digest}`).digest("hex");
}
