// Members of a run → the work done for each, side by side within a bound; what stops one stops no other.
import type { Diagnostic } from "../diagnostic.js";
import { asFailure, Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Identity } from "../plan/inputs.js";

/** A file on its way through a run, as far as it got. */
export interface Member<T> {
  readonly file: string;
  readonly portal: Identity;
  readonly diagnostics: readonly Diagnostic[];
  readonly value?: T;
  /** Why it got no further. */
  readonly failure?: Failure;
}

export interface Bound {
  readonly io: Io;
  readonly concurrency: number;
}

/** Does the work for every member that got so far; an interrupt begins nothing new. */
export async function advance<T, R>(
  members: readonly Member<T>[],
  { io, concurrency }: Bound,
  work: (value: T, member: Member<T>) => Promise<R>,
): Promise<Member<R>[]> {
  const results: Member<R>[] = [];
  await sideBySide(members, concurrency, async (member, at) => {
    results[at] = await advanceOne(member, io, work);
  });
  return results;
}

/** No more at a time than the bound, begun in their order. */
export async function sideBySide<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) {
      // Work that never waits would keep an interrupt waiting.
      await new Promise((turn) => setImmediate(turn));
      await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

export async function advanceOne<T, R>(
  { value, ...member }: Member<T>,
  io: Io,
  work: (value: T, member: Member<T>) => Promise<R>,
): Promise<Member<R>> {
  if (value === undefined) return member;
  try {
    if (io.signal.aborted) throw new Failure("interrupted", "The run was interrupted.");
    return { ...member, value: await work(value, { ...member, value }) };
  } catch (error) {
    return { ...member, failure: asFailure(error, io.signal.aborted) };
  }
}
