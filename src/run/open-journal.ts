// A portal whose last update was never answered → the same once nothing of it can be on its way: proven by what it shows, or waited for.
import { recoverable } from "./apply.js";
import { isRollbackOpen } from "./preconditions.js";
import { lockingOf, type ReachablePortal, type Tools } from "./reachable.js";
import { Failure } from "../failure.js";
import { pause } from "../http/retry.js";
import { digest } from "../digest.js";
import { valueAt } from "../plan/spelling.js";
import { readViewAgain } from "../portal/view.js";
import { authorOf } from "../state/author.js";
import { hasAllArrived, unknownForMs } from "../state/recover.js";
import type { Journal, State } from "../state/state.js";
import { settle } from "../state/steps.js";
import { withLock } from "../state/lock/with-lock.js";
import { showTime, zoneOf } from "../text.js";

export interface Waiting {
  readonly lockTimeoutMs: number;
  /** Otherwise it fails with outcome-unknown at once. */
  readonly mayWait: boolean;
}

const LOOK_EVERY_MS = 5_000;

/** Waits under the lock: as long as whoever sent the update holds it, more may be sent. */
export async function awaitOutcome(
  portal: ReachablePortal,
  tools: Tools,
  kind: Journal["kind"],
  { lockTimeoutMs, mayWait }: Waiting,
): Promise<ReachablePortal> {
  const { desired, store, unable } = portal;
  const found = unable ? undefined : await store.read();
  // An apply that meets an interrupted rollback ends anyway.
  if (!found?.journal || (kind === "apply" && isRollbackOpen(found))) return portal;
  const locking = lockingOf(portal, tools, await authorOf(tools.io, desired.paths));
  return withLock({ ...locking, lockTimeoutMs }, async () => {
    const state = await store.read();
    await waitForOutcome(state, portal, tools, mayWait);
    return state?.journal ? { ...portal, waitedFor: digest(state.journal) } : portal;
  });
}

/** Nothing to wait for where no journal is open, or this run has waited for it already. */
export async function waitForOutcome(
  state: State | undefined,
  { desired, access, waitedFor }: ReachablePortal,
  { io, notice }: Tools,
  mayWait: boolean,
): Promise<void> {
  const journal = state?.journal;
  const { name, mayRead } = desired.portal;
  if (!journal || digest(journal) === waitedFor) return;
  const endMs = io.machine.elapsedMs() + unknownForMs(journal, io.now());
  for (let times = 0; ; times++) {
    const leftMs = endMs - io.machine.elapsedMs();
    if (leftMs <= 0) {
      if (times > 0) notice(`The earlier update to "${name}" can arrive no more.`);
      return;
    }
    if (mayRead) {
      const settings = await readViewAgain(access);
      if (hasAllArrived(journal, { at: (path) => valueAt(settings, path) ?? null })) {
        notice(`The earlier update to "${name}" has arrived.`);
        return;
      }
    }
    const { actor } = journal.by;
    const begun = showTime(journal.time, zoneOf(io));
    const seconds = Math.ceil(leftMs / 1000);
    if (!mayWait) {
      throw new Failure(
        "outcome-unknown",
        `The outcome of the ${journal.kind} that ${actor} began at ${begun} is unknown for up to ${seconds} s: its update may still reach "${name}".`,
        "Run the same command later, or without --no-wait, so that it waits.",
      );
    }
    if (times === 0) {
      notice(
        `Waiting for up to ${seconds} s: the update that ${actor} sent to "${name}" at ${begun} may still arrive.`,
      );
    }
    await pause(Math.min(leftMs, LOOK_EVERY_MS), io);
  }
}

/**
 * The state as it will be once its open journal is settled: as the portal proves it; where nobody can see, as if the
 * update had been taken.
 */
export async function foresee(
  state: State,
  { desired, access, unable }: ReachablePortal,
): Promise<State> {
  const { journal } = state;
  if (!journal || unable) return state;
  if (desired.portal.mayRead) {
    const settings = await readViewAgain(access);
    return recoverable({ state, live: { kind: "read", view: "signed-in", settings } }) ?? state;
  }
  if (journal.kind === "rollback") return state;
  const { kind, time, by, planDigest, guards, changes } = journal;
  const leaves = journal.leaves.map((leaf) => ({ ...leaf, shown: leaf.sent }));
  return settle(state, { kind, time, by, planDigest, guards, changes, leaves });
}
