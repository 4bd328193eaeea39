// Who holds a lock, what is told of a holder, and whether it is dead, for all that this machine can tell.
import { Failure } from "../../failure.js";
import type { Machine } from "../../io.js";
import { isJsonObject, parseJson } from "../../lib/json.js";
import { showForeign, showTime, unlessEcho, type Zone } from "../../lib/text.js";
import type { Secret } from "../../secret.js";
import { isGone, type Running } from "../../state/recover.js";

/** Who holds a lock, told to whoever has to wait for it. */
export interface Holder extends Running {
  /** A UUID of this one attempt; it is part of file names. */
  readonly id: string;
  readonly who: string;
  /** The address of a pipeline's job, or the command. */
  readonly run: string;
  readonly since: string;
}

/** In place of a fact of a holder that nobody tells. */
const UNKNOWN = "unknown";

export function holderOn(
  machine: Machine,
  given: Pick<Holder, "id" | "who" | "run" | "since">,
): Holder {
  const { host, pid, bootId, pidNamespace, startTime } = machine;
  return { ...given, host, pid, bootId, pidNamespace, startTime };
}

/** "ada" on "build-7" since …, in "…"; without what is not known. */
export function describe({ who, host, since, run }: Holder, zone: Zone): string {
  const show = (before: string, text: string, after = "") =>
    text === UNKNOWN ? "" : `${before}"${showForeign(text, [], 200)}"${after}`;
  const moment = since === UNKNOWN ? "" : ` since ${showForeign(showTime(since, zone), [], 40)}`;
  return `${show("", who) || "somebody"}${show(" on ", host)}${moment}${show(", in ", run)}`;
}

export function locked(subject: string, holder: Holder, zone: Zone): Failure {
  return new Failure(
    "state-locked",
    `"${subject}" is locked by ${describe(holder, zone)}.`,
    "Wait until that run has ended.",
  );
}

export function lockLost(subject: string): Failure {
  return new Failure(
    "state-locked",
    `This run does not hold the lock on "${subject}" any more.`,
    "Another run has taken it over.",
  );
}

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
