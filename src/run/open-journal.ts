// A portal whose last update was never answered → the same once nothing of it can be on its way: proven by what it shows, or waited for.
import { recoverable, viewOf } from "./apply.js";
import type { Known } from "./portal.js";
import { isRollbackOpen } from "./preconditions.js";
import { lockingOf, type ReachablePortal, type Tools } from "./reachable.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { pause } from "../lib/retry.js";
import { digest } from "../lib/digest.js";
import type { LiveRead } from "../plan/inputs.js";
import { readViewAgain } from "../portal/view.js";
import { authorOf } from "../state/author/author.js";
import { hasAllArrived, isAbandoned, unknownForMs } from "../state/recover.js";
import type { Journal, State } from "../state/state.js";
import type { StateReader } from "../state/store.js";
import { settle } from "../state/steps.js";
import { withLock } from "../state/lock/with-lock.js";
import { showTime, zoneOf } from "../lib/text.js";

export interface Waiting {
  readonly lockTimeoutMs: number;
  /** Otherwise it fails with outcome-unknown at once. */
  readonly mayWait: boolean;
  /** How long an open journal, named by its digest, has been known to runs before this one. */
  readonly seenForMs?: (journal: string) => number;
}

const LOOK_EVERY_MS = 5_000;

/** A portal of which nothing is on its way; with its state, where that was read for it just now. */
export interface Settled {
  readonly portal: ReachablePortal;
  readonly known?: Known;
}

/** Waits under the lock: as long as whoever sent the update holds it, more may be sent. */
export async function awaitOutcome(
  portal: ReachablePortal,
  tools: Tools,
  kind: Journal["kind"],
  { lockTimeoutMs, ...waiting }: Waiting,
): Promise<Settled> {
  const { desired, store, unable } = portal;
  if (unable) return { portal };
  const found = await store.read();
  const { journal } = found ?? {};
  if (!found || !journal) return { portal, known: { state: found } };
  // An apply that meets an interrupted rollback ends anyway; where the lock tells that it was interrupted.
  const isEnding = kind === "apply" && isRollbackOpen(found);
  const isInterrupted = async () =>
    (await store.exclusion()) === "lock" || isAbandoned(journal, tools.io);
  if (isEnding && (await isInterrupted())) return { portal };
  const locking = lockingOf(portal, tools, await authorOf(tools.io, desired.paths));
  return withLock({ ...locking, lockTimeoutMs }, async () => {
    const state = await readOnceKnown(locking.store, portal, tools, waiting);
    const { journal } = state ?? {};
    return { portal: journal ? { ...portal, waitedFor: digest(journal) } : portal };
  });
}

/**
 * The state once nothing of its journal's update can be on its way any more: nothing to wait for where no journal is
 * open, or this run has waited for it already. Where the journal is what keeps others out, whoever opened it may be at
 * work, and is left to close it, unless that run is surely dead.
 */
export async function readOnceKnown(
  store: StateReader,
  portal: ReachablePortal,
  tools: Tools,
  { mayWait, seenForMs = () => 0 }: Omit<Waiting, "lockTimeoutMs">,
): Promise<State | undefined> {
  const { io, notice } = tools;
  const { name, mayRead } = portal.desired.portal;
  let state = await store.read();
  const isLock = !state?.journal || (await store.exclusion()) === "lock";
  let waited: { readonly journal: string; readonly endMs: number } | undefined;
  for (;;) {
    const journal = state?.journal;
    if (!journal) {
      if (waited) notice(`The earlier update to "${name}" is settled.`);
      return state;
    }
    const found = digest(journal);
    if (found === portal.waitedFor) return state;
    const isLeft = isLock || isAbandoned(journal, io);
    const nowMs = io.machine.elapsedMs();
    const known: number | undefined = found === waited?.journal ? waited.endMs : undefined;
    const endMs = known ?? nowMs + Math.max(0, unknownForMs(journal, io) - seenForMs(found));
    const isFirst = known === undefined;
    waited = { journal: found, endMs };
    const isOver = endMs <= nowMs;
    if (isOver && isFirst) return state;
    if (mayRead && (isLeft || isOver) && (await hasArrived(portal, journal))) {
      notice(`The earlier update to "${name}" has arrived.`);
      return state;
    }
    if (isOver) {
      notice(`Nothing more of the earlier update to "${name}" can arrive.`);
      return state;
    }
    if (!mayWait) throw stillUnknown(portal, journal, endMs - nowMs, io, isLeft);
    // Once, because it is from there on that the wait is counted.
    if (isFirst) tools.progress.at(portal.desired.file, "outcome");
    if (isFirst) notice(waitingFor(portal, journal, endMs - nowMs, io));
    await pause(Math.min(endMs - nowMs, LOOK_EVERY_MS), io);
    if (!isLock) state = await store.read();
  }
}

async function hasArrived({ access }: ReachablePortal, journal: Journal): Promise<boolean> {
  return hasAllArrived(journal, viewOf(await liveNow(access)));
}

async function liveNow(access: ReachablePortal["access"]): Promise<LiveRead> {
  return { kind: "read", view: "signed-in", ...(await readViewAgain(access)) };
}

function waitingFor({ desired }: ReachablePortal, journal: Journal, ms: number, io: Io): string {
  const begun = showTime(journal.time, zoneOf(io));
  return `Waiting for up to ${Math.ceil(ms / 1000)} s: the update that ${journal.by.actor} sent to "${desired.portal.name}" at ${begun} may still arrive.`;
}

function stillUnknown(
  { desired }: ReachablePortal,
  { kind, by, time }: Journal,
  ms: number,
  io: Io,
  isLeft: boolean,
): Failure {
  const { name } = desired.portal;
  const until = showTime(new Date(io.now() + ms).toISOString(), zoneOf(io));
  const where = isLeft ? "" : ` on ${by.host}`;
  const latest = isLeft
    ? ""
    : ` (until ${until} at the latest, earlier where that run is at work and settles it)`;
  return new Failure(
    "outcome-unknown",
    `The outcome of the ${kind} that ${by.actor} began${where} at ${showTime(time, zoneOf(io))} is unknown for up to ${Math.ceil(ms / 1000)} s from now${latest}: its update may still reach "${name}".`,
    "Run the same command later, or without --no-wait, so that it waits.",
  );
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
    return recoverable({ state, live: await liveNow(access) }) ?? state;
  }
  if (journal.kind === "rollback") return state;
  const { kind, time, by, planDigest, guards, changes } = journal;
  const leaves = journal.leaves.map((leaf) => ({ ...leaf, shown: leaf.sent }));
  return settle(state, { kind, time, by, planDigest, guards, changes, leaves });
}
