// Signs states with the keys of the environment, and verifies signatures.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Io } from "../io.js";
import { digestOf } from "./format.js";
import { badKey } from "./refusal.js";
import type { State } from "./state.js";

/** Read only from the environment: files cannot refer to them. */
const KEY = "LINTEL_STATE_KEY";
const OLD_KEY = "LINTEL_STATE_KEY_OLD";
/** A state is often public, so a short key could be guessed. */
const SHORTEST = 32;

export interface StateKeys {
  /** Signs and verifies; undefined if signatures are not used. */
  readonly own: string | undefined;
  /** Only verifies, until every state is signed with the new key. */
  readonly old: string | undefined;
  /** The variable is set but empty, as a pipeline does for missing secrets and for forks. */
  readonly isEmpty: boolean;
}

/** An empty key counts as none. Fails with bad-state-key, without showing the key. */
export function stateKeysIn({ env }: Pick<Io, "env">): StateKeys {
  const [given, old] = [KEY, OLD_KEY].map((name) => env[name]?.trim());
  for (const [name, key] of [
    [KEY, given],
    [OLD_KEY, old],
  ] as const) {
    if (key && key.length < SHORTEST) {
      throw badKey(`${name} is shorter than ${SHORTEST} characters, so it could be guessed.`);
    }
  }
  if (old && !given) {
    throw badKey(`${OLD_KEY} is set without ${KEY}. An old key only verifies states.`);
  }
  return { own: given || undefined, old: old || undefined, isEmpty: !given && KEY in env };
}

export function signedWith(key: string, { signature: _earlier, ...state }: State): State {
  const over = digestOf(state);
  return { ...state, signature: { over, hmac: hmacOf(key, over) } };
}

/** Why a state is not trusted, as the end of a sentence; undefined without a key or a problem. */
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

/** Null for an unsigned state. Fails if there is a key and the signature does not match. */
export function trustIn({ signature }: State, io: Pick<Io, "env">): Trust | null {
  if (!signature) return null;
  return stateKeysIn(io).own === undefined ? "not-verified" : "verified";
}

/** The digest covers the whole state, including portal and lineage. */
function hmacOf(key: string, digest: string): string {
  return createHmac("sha256", key).update(`lintel state ${digest}`).digest("hex");
}
