// The contract of backends that lock: what they read, who may write, and how a lock ends.
import type { Http } from "../http/http.js";
import type { Io, Machine } from "../io.js";
import type { PortalIdentity } from "./key.js";
import type { State } from "./state.js";

/** Who holds a lock, told to whoever has to wait for it. */
export interface Holder {
  /** A UUID of this one attempt; it is part of file names. */
  readonly id: string;
  readonly who: string;
  readonly host: string;
  /** The address of a pipeline's job, or the command. */
  readonly run: string;
  readonly since: string;
  readonly pid: number;
  /** These three tell another process of the same number apart; absent where the system knows no such thing. */
  readonly bootId?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly startTime?: string | undefined;
}

/** In place of a fact of a holder that nobody tells. */
export const UNKNOWN = "unknown";

/** In place of a holder that a server names only to those who try to take the lock. */
export const NOT_KNOWN = "not-known";

/** A backend that locks, behind the adapter (adapter.ts): its lock is held around one write. */
export interface LockingStore {
  /** Where the state is, for messages. */
  readonly place: string;
  /** The state as a whole, as of one moment; undefined where none was ever written. Fails rather than guess. Changes nothing. */
  read(): Promise<State | undefined>;
  /** Who holds the lock now, dead or alive; undefined where nobody does. */
  holder(): Promise<Holder | typeof NOT_KNOWN | undefined>;
  /**
   * Puts `state` in the place of the one whose serial is `expected`, or of none, if that is 0; whole and lasting, or
   * not at all. Its serial must be the next one, except over none and over the mark that it left when it was moved
   * away: then it may be any later one (`assertNext` in succession.ts).
   * Fails with state-conflict where another serial is found; with state-of-another-lineage where the state was begun
   * anew; with state-lock-lost where this store does not hold the lock any more; with state-not-writable where the
   * place refuses, and then the old state is still whole.
   */
  write(state: State, expected: number): Promise<void>;
  /**
   * Returns once this holder is the only one, and stays so until `unlock` as long as it gives signs of life. Of many
   * that ask at once one is let in. Takes over from the dead, and says so; fails with state-locked, naming the living,
   * when the time is over: at once without one.
   */
  lock(holder: Holder, options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Lets the next one in. Fails with state-lock-lost where this store was not locked by this holder; harms no lock of others. */
  unlock(holder: Holder): Promise<void>;
  /** Ends the lock of any holder, for a person who has made sure of that; returns the holder, undefined where there was none. Who loses it finds out at the next write. */
  forceUnlock(by: Holder): Promise<Holder | undefined>;
}

/** One kind of place. Whoever writes one is done when the contract passes. */
export interface Backend {
  /** How the lock of a holder that died ends: others take it over; or a person ends it with `state unlock`. */
  readonly deadLock: "ends-by-itself" | "ended-by-hand";
  /** For all states that a run keeps at one address. Opens nothing before a store is asked for something. */
  open(place: Place): StoresAt;
}

/** What leads to the states at one address. */
export interface Place {
  readonly io: Io;
  /** For those at an HTTP address. In a command that only reads, nothing but GET passes. */
  readonly http: Http;
  /** A private authority in PEM, to trust beside the usual ones; `http` does so already. */
  readonly ca?: string | undefined;
  /** Asked before a credential goes anywhere else than through `http`: fails where it may not. */
  readonly assertAllowed: (address: URL) => void;
  /** With its references replaced. */
  readonly address: string;
  /** As the file writes it, where it holds references: what they stand for is shown nowhere. */
  readonly written?: string | undefined;
  /** The folder of the desired-state file, which paths are read from. */
  readonly from: string;
}

/** Whose state it is. */
export interface OwnState {
  readonly portal: PortalIdentity;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
  /** Told why the run waits, and from whom it took over. */
  readonly notice?: ((sentence: string) => void) | undefined;
}

export interface StoresAt {
  storeOf(own: OwnState): LockingStore;
  /** At the end of the run, however it ended: nothing is asked of the stores afterwards. */
  close(): Promise<void>;
}

export function holderOn(
  machine: Machine,
  given: Pick<Holder, "id" | "who" | "run" | "since">,
): Holder {
  const { host, pid, bootId, pidNamespace, startTime } = machine;
  return { ...given, host, pid, bootId, pidNamespace, startTime };
}
