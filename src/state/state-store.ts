// The contract of every state backend: a state is read with its version, and replaced only where that version still stands.
import { Failure } from "../failure.js";
import type { PortalIdentity } from "./key.js";
import type { State } from "./state.js";
import type { Holder, NOT_KNOWN } from "./store.js";

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
  /** Of a backend behind the adapter: who holds its lock. */
  lockHolder?(): Promise<Holder | typeof NOT_KNOWN | undefined>;
  /** Of a backend behind the adapter: ends its lock, and returns who held it. */
  unlock?(by: Holder): Promise<Holder | undefined>;
}

/** Whose state it is. */
export interface StateOwner {
  readonly portal: PortalIdentity;
  /** The desired-state file, for messages that name a command. */
  readonly file: string;
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

/** The same state without the means to write it. */
export function readerOf(store: StateStore): StateReader {
  return {
    place: store.place,
    recovery: () => store.recovery(),
    read: () => store.read(),
    memoryName: () => store.memoryName(),
  };
}
