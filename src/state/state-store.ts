// The contract of every state backend: a state is read with its version, and replaced only if that version is still current.
import { Failure } from "../failure.js";
import type { Http } from "../http/http.js";
import type { Io } from "../io.js";
import type { PortalIdentity } from "./key.js";
import type { State } from "./state.js";

/** Stands for exactly one content at one place. Only the backend that returned it can interpret it. */
export type Version = string;

export interface Stored {
  readonly state: State | undefined;
  /** Undefined before the first write. */
  readonly version: Version | undefined;
}

export const NOTHING_STORED: Stored = { state: undefined, version: undefined };

/** The part for commands that only read. */
export interface StateReader {
  /** The place of the state, for messages. */
  readonly place: string;
  /** How to find and restore an earlier state: sentences, with commands on lines of their own. */
  recovery(): string;
  /**
   * The state at one moment. Changes nothing. The first call may use a read that the run shares; each later call reads
   * again.
   */
  read(): Promise<Stored>;
  /** Identifies this state on a machine, the same for every checkout with that place. */
  memoryName(): Promise<string>;
}

export interface StateStore extends StateReader {
  /**
   * Replaces exactly `version`, completely and durably, or nothing. Throws StateConflict if another version is there.
   * After an unclear answer, it checks whether its own write is there.
   */
  write(state: State, version: Version | undefined): Promise<Version>;
  /** Fails if the place refuses writes. Leaves nothing behind. */
  probe(): Promise<void>;
  /** For an HTTP server: ends the lock of a killed run of Lintel, but never the lock of another tool. */
  unlock?(): Promise<Unlocked>;
}

/** The result: there was no lock, ours was ended, or another tool holds it. */
export type Unlocked = "none" | "ended" | { readonly heldBy: string };

/** How to reach the states at one address. */
export interface Place {
  readonly io: Io;
  /** For HTTP addresses. In a command that only reads, it only sends GET. */
  readonly http: Http;
  /** A private authority in PEM, trusted in addition to the usual ones; `http` does so already. */
  readonly ca?: string | undefined;
  /** Called before a credential goes anywhere other than through `http`. Fails if it may not. */
  readonly assertAllowed: (address: URL) => void;
  /** With its references replaced. */
  readonly address: string;
  /** As written in the file, if it contains references, whose values are never shown. */
  readonly written?: string | undefined;
  /** The folder of the desired-state file, for relative paths. */
  readonly from: string;
}

/** The states at one address, which share a connection. */
export interface StatesAt {
  storeOf(owner: StateOwner): StateStore;
  /** Called at the end of the run. The stores are not used afterwards. */
  close(): Promise<void>;
}

/** The portal and the file of a state. */
export interface StateOwner {
  readonly portal: PortalIdentity;
  /** The desired-state file, for commands in messages. */
  readonly file: string;
  /** Receives notices, such as what a write waits for. */
  readonly notice?: ((sentence: string) => void) | undefined;
}

/** Another version is at the place than the one to replace. */
export class StateConflict extends Failure {
  constructor(place: string) {
    super(
      "state-conflict",
      `Another run wrote the state "${place}" in the meantime.`,
      "Plan again, and check what has changed:\n  lintel plan",
    );
  }
}

/** Whether the write has arrived, or will, is unknown. */
export class UnclearWrite extends Failure {}

/** The same state, read-only. */
export function readerOf(store: StateStore): StateReader {
  return {
    place: store.place,
    recovery: () => store.recovery(),
    read: () => store.read(),
    memoryName: () => store.memoryName(),
  };
}
