// A lock as it stands → whether its holder is dead, for all that this machine can tell.
import type { Machine } from "../../io.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import type { Secret } from "../../secret.js";
import { unlessEcho } from "../../lib/text.js";
import { UNKNOWN, type Holder } from "../store.js";

export interface CurrentLock {
  readonly number: number;
  readonly holder: Holder;
  readonly isReleased: boolean;
  /** Changes as long as the holder lives. */
  readonly beat: number;
}

/** A heartbeat that stands still for so long means death. */
export const LEASE_MS = 30_000;

/** How often a holder gives a sign of life. */
export const BEAT_MS = 5_000;

/** Whoever looks, and then sleeps longer than this, has not seen that nothing happened. */
const LONGEST_LOOK_MS = 2_000;

/**
 * Tells how long the heartbeat of a lock has been seen to stand still, in milliseconds. The times of a lock are never compared with this machine's clock, which may be wrong. Time in which nobody looked
 * does not count: after the machine was asleep, the holder would seem to be dead, although it slept as well.
 */
export function watchBeats(machine: Machine): (current: CurrentLock) => number {
  let seen: CurrentLock | undefined;
  let lookedMs = 0;
  let stillMs = 0;
  return (current) => {
    const now = machine.elapsedMs();
    const isSame = seen?.holder.id === current.holder.id && seen.number === current.number;
    const isStill = isSame && seen?.beat === current.beat;
    stillMs = isStill ? stillMs + Math.min(now - lookedMs, LONGEST_LOOK_MS) : 0;
    [seen, lookedMs] = [current, now];
    return stillMs;
  };
}

/** Empty for a lock that was released; undefined as long as the holder may live. */
export function whyOver(
  current: CurrentLock,
  machine: Machine,
  watch: ReturnType<typeof watchBeats>,
): string | undefined {
  const { holder, isReleased } = current;
  if (isReleased) return "";
  if (isGone(holder, machine)) return "its process is gone";
  const isSilent = watch(current) >= LEASE_MS;
  return isSilent ? `it gave no sign of life for ${LEASE_MS / 1000} seconds` : undefined;
}

/** What tells a process from all others. */
export type Running = Pick<Holder, "host" | "pid" | "bootId" | "pidNamespace" | "startTime">;

/** Whether it is certain that it runs no more, so that nobody has to wait for it. */
export function isGone(holder: Running, machine: Machine): boolean {
  return isHere(holder, machine) && !machine.isRunning(holder.pid, holder.startTime);
}

/** Whether its process number means a process that this one can see. */
function isHere(holder: Running, { host, bootId, pidNamespace }: Machine): boolean {
  if (holder.bootId !== bootId || holder.pidNamespace !== pidNamespace) return false;
  // Where the system knows neither, there are no containers that share a name.
  return bootId !== undefined || holder.host === host;
}

/**
 * A lock is written whole; one that cannot be read was written by something else, and still counts. Whoever keeps it
 * may have put in what the place was opened with.
 */
export function parseHolder(text: string, secrets: readonly Secret[] = []): Holder {
  const json = parseJson(text);
  const held = isJsonObject(json) ? json : {};
  const word = (key: string) => (typeof held[key] === "string" ? held[key] : undefined);
  const shown = (key: string) => unlessEcho(word(key) ?? UNKNOWN, secrets);
  const pid = held["pid"];
  const isWhole = typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
  return {
    id: word("id") ?? "",
    who: shown("who"),
    host: shown("host"),
    run: shown("run"),
    since: shown("since"),
    pid: isWhole ? pid : 0,
    // Without its number a process cannot be looked for.
    bootId: isWhole ? word("bootId") : undefined,
    pidNamespace: isWhole ? word("pidNamespace") : undefined,
    startTime: word("startTime"),
  };
}
