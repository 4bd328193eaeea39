// The contract of every state backend: a state is read with its version, and replaced only where that version still stands.
import { Failure } from "../failure.js";
import type { Http } from "../http/http.js";
import type { Io } from "../io.js";
import type { PortalIdentity } from "./key.js";
import type { State } from "./state.js";

/** Stands for exactly one content at one place; opaque to everybody but the backend that returned it. */
export type Version = string;

export interface Stored {
  readonly state: State | undefined;
  /** Undefined before the first write. */
  readonly version: Version | undefined;
}

export const NOTHING_STORED: Stored = { state: undefined, version: undefined };

/** All that a command which only reads may have. */
export interface StateReader {
  /** Where the state is, for messages. */
  readonly place: string;
  /** How to find an earlier version of the state and bring it back: sentences, with commands on lines of their own. */
  recovery(): string;
  /** The state as of one moment. Changes nothing. The first call may share the look that the run took at the place; each later one takes another look. */
  read(): Promise<Stored>;
  /** Names this state on a machine, the same for every checkout that leads to it. */
  memoryName(): Promise<string>;
}

export interface StateStore extends StateReader {
  /**
   * Replaces exactly `version`, whole and lasting, or nothing. Throws StateConflict where something else stands there
   * now. After an unclear answer it looks whether its own write stands there.
   */
  write(state: State, version: Version | undefined): Promise<Version>;
  /** Fails where the place refuses writes; leaves nothing behind. */
  probe(): Promise<void>;
  /** Of an HTTP server: ends the lock that a killed run of Lintel has left. Another tool's is not touched. */
  unlock?(): Promise<Unlocked>;
}

/** What became of the lock: none was there; it was ours and is ended; or it is another tool's, as the server tells it. */
export type Unlocked = "none" | "ended" | { readonly heldBy: string };

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

/** The states at one address, which share what leads there. */
export interface StatesAt {
  storeOf(owner: StateOwner): StateStore;
  /** At the end of the run: nothing is asked of the stores afterwards. */
  close(): Promise<void>;
}

/** Whose state it is. */
export interface StateOwner {
  readonly portal: PortalIdentity;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
  /** Told what a person should know, such as whom a write waits for. */
  readonly notice?: ((sentence: string) => void) | undefined;
}

/** Something else stands at the place than the version that was to be replaced. */
export class StateConflict extends Failure {
  constructor(place: string) {
    super(
      "state-conflict",
      `Another run wrote the state "${place}" in the meantime.`,
      "Plan again, and check what has changed:\n  lintel plan",
    );
  }
}

/** Nobody knows whether the write has arrived, or will. */
export class UnclearWrite extends Failure {}

/** The same state without the means to write it. */
export function readerOf(store: StateStore): StateReader {
  return {
    place: store.place,
    recovery: () => store.recovery(),
    read: () => store.read(),
    memoryName: () => store.memoryName(),
  };
}
