// The promises that every backend keeps: what it reads, who may write, and what it never does. One contract tests them all.
import type { Http } from "../http/http.js";
import type { Io, Machine } from "../io.js";
import type { PortalIdentity } from "./key.js";
import type { Entry, RecordedPortal, State } from "./state.js";

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
  /** The digest of the plan that is to be carried out, where somebody has confirmed one. */
  readonly plan?: string | undefined;
}

/** In place of a fact of a holder that nobody tells. */
export const UNKNOWN = "unknown";

/** In place of a holder where a place tells of it only to those who try to take the lock, and of other states where it tells of none. */
export const NOT_KNOWN = "not-known";

/** All that a command which only reads may have. */
export interface StateReader {
  /** Where the state is, for messages. */
  readonly place: string;
  /** The state as a whole, as of one moment; undefined where none was ever written. Fails rather than guess: state-damaged, state-newer, state-of-another-portal, state-not-readable. Changes nothing. Where one look is taken for many portals of a run, "now" takes another one. */
  read(asOf?: "now"): Promise<State | undefined>;
  /** Where nothing stands: the mark of a state that went from here, or that was to come here, as far as this machine remembers one. */
  trace?(): Promise<Trace | undefined>;
  /** Where a run begins to keep others out; it may load what tells. */
  exclusion(): Promise<Exclusion>;
  /** Who holds the lock now, dead or alive; undefined where nobody does. Changes nothing; where that cannot be told without trying to lock, a command that only reads is told so. */
  holder(): Promise<Holder | typeof NOT_KNOWN | undefined>;
  /** The portals of the states at the same place that call themselves so, as `ownKeyOf` writes it (others.ts); the place is looked through once a run. Without what was moved away. Some places tell of one state alone. */
  others(ownKey: string): Promise<readonly RecordedPortal[] | typeof NOT_KNOWN>;
  /** How people look at older versions and get one back: sentences, with commands on lines of their own. Asks nobody for a state. */
  back(): Promise<string>;
  /** Tells what stands here apart from every other state, so that this machine can remember how far it was. Absent where only signed states are remembered. */
  memoryKey?(): Promise<string | undefined>;
  /** What the place remembers of the history beyond what the state holds, the newest first; absent where it remembers no more. */
  earlier?(state: State): AsyncIterable<Entry>;
}

export interface Trace {
  /** As it stands where the state was. */
  readonly mark: State;
  /** Where that is, as a file writes it. */
  readonly from: string;
}

/** With the lock; or with the open journal, and then `lock` keeps nobody out. */
export type Exclusion = "lock" | "journal";

export interface Store extends StateReader {
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
   * For places where a lock proves nothing, before there is a first state: fails with state-not-writable where whoever
   * asks may not write there at all. Writes nothing; what a rule or a hook says only to what is really sent stays open.
   */
  tryOut?(): Promise<void>;
  /**
   * Returns once this holder is the only one, and stays so until `unlock` as long as it gives signs of life. Of many
   * that ask at once one is let in. Takes over from the dead, and says so; fails with state-locked, naming the living,
   * when the time is over: at once without one.
   */
  lock(holder: Holder, options?: { readonly timeoutMs?: number }): Promise<void>;
  /**
   * Asked immediately before an update is sent: fails with state-lock-lost where this holder gave no sign of life for
   * so long that another may have taken over, or where it is known at once that somebody has ended the lock. It waits
   * for nobody, so that no time goes by between it and the send.
   */
  assertLeased(): void;
  /** Lets the next one in. Fails with state-lock-lost where this store was not locked by this holder; harms no lock of others. */
  unlock(holder: Holder): Promise<void>;
  /** Ends the lock of any holder, for a person who has made sure of that; returns the holder, undefined where there was none. Who loses it finds out at the next write. */
  forceUnlock(by: Holder): Promise<Holder | undefined>;
}

/** One kind of place. Whoever writes one is done when the contract passes. */
export interface Backend {
  /** Where a run begins to keep others out. */
  readonly exclusion: Exclusion;
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
  /** Nobody is to be locked out, because the server cannot; whoever says so sees to it that nobody else writes. */
  readonly isUnlocked: boolean;
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
  storeOf(own: OwnState): Store;
  /** At the end of the run, however it ended: nothing is asked of the stores afterwards. */
  close(): Promise<void>;
}

export function holderOn(
  machine: Machine,
  given: Pick<Holder, "id" | "who" | "run" | "since" | "plan">,
): Holder {
  const { host, pid, bootId, pidNamespace, startTime } = machine;
  return { ...given, host, pid, bootId, pidNamespace, startTime };
}

/** The same state without the means to write it. */
export function readerOf(store: Store): StateReader {
  const { place } = store;
  return {
    place,
    read: (asOf) => store.read(asOf),
    exclusion: () => store.exclusion(),
    holder: () => store.holder(),
    others: (ownKey) => store.others(ownKey),
    back: () => store.back(),
    ...(store.earlier && { earlier: store.earlier.bind(store) }),
  };
}
