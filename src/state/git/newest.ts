// A branch → the newest of it that a run knows, and one question to its remote at a time, shared by all who want to know.
import type { Io } from "../../io.js";
import { lookAt, type Branch, type Tip } from "./branch.js";

export interface Newest {
  /** Undefined before the first look. */
  readonly known: () => Tip | undefined;
  /** What this run has brought there itself. */
  readonly learn: (tip: Tip) => void;
  /** Asks now; for whoever has the turn. */
  readonly look: (signal?: AbortSignal) => Promise<Tip>;
  /** Asks when it is time, for all who wanted to know by then; an interrupt ends it. */
  readonly fresh: () => Promise<Tip>;
  readonly inTurn: <T>(action: () => Promise<T>) => Promise<T>;
  /** Once nothing is under way. */
  readonly idle: () => Promise<unknown>;
}

export function openNewest(branch: Branch, io: Pick<Io, "signal">): Newest {
  let known: Tip | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let next: Promise<Tip> | undefined;
  const look = async (signal?: AbortSignal) => (known = await lookAt(branch, known, signal));
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = turn.then(action);
    turn = result.catch(() => {});
    return result;
  }
  return {
    known: () => known,
    learn: (tip) => void (known = tip),
    look,
    fresh: () =>
      (next ??= inTurn(() => {
        next = undefined;
        return look(io.signal);
      })),
    inTurn,
    idle: () => turn,
  };
}
