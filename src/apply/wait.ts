// Waits for another run's open journal: until that run settles it, the portal shows its update, or its time is over.
import { recoverable, viewOf } from "./snapshot.js";
import { isRollbackOpen } from "./preconditions.js";
import type { PortalContext } from "./portal-context.js";
import type { RunContext } from "./run-context.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { backOffMs, pause } from "../lib/retry.js";
import type { LiveRead } from "../plan/inputs.js";
import { readViewAgain } from "../portal/view.js";
import { hasAllArrived, isAbandoned, isOwn, unknownForMs } from "../state/recover.js";
import type { Journal, State } from "../state/state.js";
import type { StateReader, Stored, Version } from "../state/state-store.js";
import { settle } from "../state/steps.js";
import { showTime, zoneOf } from "../lib/text.js";

export interface Waiting {
  /** The longest wait for one open journal, in milliseconds; 0 fails at once. */
  readonly waitMs: number;
  /** How long this process has known a version of a state with an open journal. */
  readonly seenForMs?: (version: Version) => number;
  /** False for commands that send nothing: they do not wait for a process that is certainly dead. */
  readonly needsOutcome?: boolean;
}

const POLL = { leastMs: 100, mostMs: 5_000 };

/** A portal whose journal is closed or was waited for, with its state if that was read for this. */
export interface Settled {
  readonly portal: PortalContext;
  readonly known?: Stored;
}

/** Runs before planning, so that the plan includes what the other run leaves. */
export async function awaitOutcome(
  portal: PortalContext,
  run: RunContext,
  kind: Journal["kind"],
  waiting: Waiting,
): Promise<Settled> {
  if (portal.unable) return { portal };
  const found = await portal.store.read();
  const { journal } = found.state ?? {};
  if (!found.state || !journal) return { portal, known: found };
  // An apply fails anyway if a rollback was interrupted.
  if (kind === "apply" && isRollbackOpen(found.state) && isLeftOpen(journal, run.io)) {
    return { portal };
  }
  const settled = await readSettled(portal.store, portal, run, waiting, found);
  return { portal: { ...portal, waitedFor: settled.version } };
}

/**
 * Returns the state when an open journal's update can no longer arrive. It counts the journal's whole time on its own
 * clock from when it first sees that journal, because clocks of two machines differ. A dead process on this machine can
 * settle nothing, but its update may still arrive.
 */
export async function readSettled(
  store: StateReader,
  portal: PortalContext,
  run: RunContext,
  { waitMs, seenForMs = () => 0, needsOutcome = true }: Waiting,
  first?: Stored,
): Promise<Stored> {
  const { io, notice } = run;
  const { name, mayRead } = portal.desired.portal;
  let stored = first ?? (await store.read());
  let waited:
    | { readonly version: Version; readonly sinceMs: number; readonly earlierMs: number }
    | undefined;
  for (let polls = 1; ; polls++) {
    const { state, version } = stored;
    const journal = state?.journal;
    if (!journal || version === undefined) {
      if (waited) notice(`The earlier update to "${name}" is settled.`);
      return stored;
    }
    if (version === portal.waitedFor) return stored;
    const nowMs = io.machine.elapsedMs();
    const isFirst = version !== waited?.version;
    if (!waited || isFirst) waited = { version, sinceMs: nowMs, earlierMs: seenForMs(version) };
    const goneMs = nowMs - waited.sinceMs;
    const leftMs = unknownForMs(journal, io) - waited.earlierMs - goneMs;
    const isLeft = isLeftOpen(journal, io);
    if (isFirst && (leftMs <= 0 || (isLeft && !needsOutcome))) return stored;
    if (mayRead && needsOutcome && (isLeft || leftMs <= 0) && (await hasArrived(portal, journal))) {
      notice(`The earlier update to "${name}" has arrived.`);
      return stored;
    }
    if (leftMs <= 0) {
      notice(`Nothing more of the earlier update to "${name}" can arrive.`);
      return stored;
    }
    if (goneMs >= waitMs) throw stillOpen(portal, journal, leftMs, io);
    if (isFirst) {
      polls = 1;
      run.progress.at(portal.desired.file, "outcome");
      notice(waitingFor(portal, journal, Math.min(leftMs, waitMs), io));
    }
    const pauseMs = backOffMs(polls, POLL, io.random());
    await pause(Math.ceil(Math.min(leftMs, waitMs - goneMs, pauseMs)), io);
    stored = await store.read();
  }
}

/** Whether the process that opened it can no longer settle it. */
function isLeftOpen(journal: Journal, io: Io): boolean {
  return isAbandoned(journal, io) || isOwn(journal, io);
}

async function hasArrived({ access }: PortalContext, journal: Journal): Promise<boolean> {
  return hasAllArrived(journal, viewOf(await liveNow(access)));
}

async function liveNow(access: PortalContext["access"]): Promise<LiveRead> {
  return { kind: "read", view: "signed-in", ...(await readViewAgain(access)) };
}

function waitingFor({ desired }: PortalContext, journal: Journal, ms: number, io: Io): string {
  const { by, kind, time } = journal;
  const begun = showTime(time, zoneOf(io));
  return `Waiting for up to ${Math.ceil(ms / 1000)} s for the ${kind} to "${desired.portal.name}" that ${by.actor} began on ${by.host} at ${begun}: its update may still arrive.`;
}

function stillOpen({ desired }: PortalContext, journal: Journal, ms: number, io: Io): Failure {
  const { name } = desired.portal;
  const { kind, by, time } = journal;
  const begun = `The ${kind} that ${by.actor} began on ${by.host} at ${showTime(time, zoneOf(io))}`;
  const seconds = Math.ceil(ms / 1000);
  if (isLeftOpen(journal, io)) {
    return new Failure(
      "outcome-unknown",
      `${begun} is not settled. Its update may still reach "${name}" for up to ${seconds} s.`,
      "Run the command again with a longer wait:\n  --wait 120",
    );
  }
  return new Failure(
    "state-locked",
    `${begun} is not settled: another run is at work on "${name}", for up to ${seconds} s more.`,
    "Wait until that run has ended, then run the same command again. --wait SECONDS waits longer.",
  );
}

/**
 * The state after its open journal is settled: as the portal shows, or if it cannot be read, as if the update had been
 * taken.
 */
export async function foresee(
  state: State,
  { desired, access, unable }: PortalContext,
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
