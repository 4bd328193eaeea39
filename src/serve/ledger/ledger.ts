// The promises of every ledger: what is known of each portal and what was to be told of it, recorded in one step. One contract tests them all.
import type { Known } from "../known.js";
import type { Event } from "../news/event.js";

export interface Ledger {
  /** All that is known, by the portals' keys: asked once, at the beginning. */
  portals(): Promise<ReadonlyMap<string, Known>>;
  /**
   * What is known from now on, and what has to be told: both or neither, and lasting when it returns. What differs in
   * times alone need not last. Of one key, one record is under way at a time.
   */
  record(key: string, known: Known, events: readonly Event[]): Promise<void>;
  /** What is known of a portal that is looked at no more; what was to be told of it stays. */
  forget(key: string): Promise<void>;
  /**
   * Who is told, called before anything is recorded: each of them gets the events that are recorded from then on, or,
   * where it was named in an earlier run, those that it has not got yet. Whoever is not named any more is forgotten.
   */
  receivers(names: readonly string[]): Promise<void>;
  /** The first so many that a receiver has not got, in the order in which they were recorded. */
  unsent(receiver: string, most: number): Promise<readonly Event[]>;
  /** The receiver has got these, or never will: the first ones of what `unsent` says. Lasting when it returns. */
  settle(receiver: string, ids: readonly string[]): Promise<void>;
  /** What happened at all portals, or at one, as far as that is kept; the newest first. */
  events(most: number, key?: string): Promise<readonly Event[]>;
  /** Nothing is asked of it afterwards. */
  close(): Promise<void>;
}
