// A store and a holder → work done while the lock is held; the lock is released however the work ends.
import { asFailure } from "../../failure.js";
import type { State } from "../state.js";
import type { Holder, Store } from "../store.js";

export interface Locking {
  readonly store: Store;
  readonly holder: Holder;
  readonly lockTimeoutMs: number;
  readonly notice: (sentence: string) => void;
}

export async function withLock<T>(
  { store, holder, lockTimeoutMs, notice }: Locking,
  work: () => Promise<T>,
): Promise<T> {
  await store.lock(holder, { timeoutMs: lockTimeoutMs });
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    await store.unlock(holder).catch((error: unknown) => {
      const { code, message, help = "" } = asFailure(error, false);
      // Where the work failed because the lock was lost, that is what a person must know.
      if (isDone)
        notice(`All is done, but the lock could not be let go of: ${message}\n${help}`.trimEnd());
      else if (code !== "state-lock-lost") notice(`${message}\n${help}`.trimEnd());
    });
  }
}

/** Takes one step of a state; nothing is written where the step changes nothing. Where there is none, `begin` gives it or fails. */
export async function changeState(
  locking: Locking,
  begin: () => State,
  step: (state: State) => State,
): Promise<{ readonly before: State; readonly after: State }> {
  const { store } = locking;
  // Not even a lock is left behind where there is nothing to change.
  if (!(await store.read())) begin();
  return withLock(locking, async () => {
    const before = (await store.read()) ?? begin();
    const after = step(before);
    if (after !== before) await store.write(after, before.serial);
    return { before, after };
  });
}
