// Tries to take a lock → the lock taken, or state-locked once the time is over; waits in between, and says so once.
import type { Failure } from "../../failure.js";
import { pause } from "../../lib/retry.js";
import type { Io } from "../../io.js";
import { zoneOf } from "../../lib/text.js";
import { describe, locked } from "../refusal.js";
import type { Holder, OwnState } from "../store.js";

interface Turn extends Pick<OwnState, "file" | "notice"> {
  readonly io: Io;
  /** What is locked, for messages. */
  readonly subject: string;
  readonly timeoutMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** How a try ended: the lock is taken; somebody else was faster, or let go of it just now; or who holds it, and what is told of that in the end where it is no run of ours. */
export type Try = "taken" | "again" | { readonly holder: Holder; readonly refusal?: Failure };

export async function takeInTurn(turn: Turn, attempt: () => Promise<Try>): Promise<void> {
  const { io, subject, timeoutMs, file, notice, longestDelayMs } = turn;
  const startedMs = io.machine.elapsedMs();
  let hasSaid = false;
  for (let delayMs = turn.firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    const found = await attempt();
    if (found === "taken") return;
    if (found !== "again") {
      const leftMs = startedMs + timeoutMs - io.machine.elapsedMs();
      if (leftMs <= 0) throw found.refusal ?? locked(subject, file, found.holder, zoneOf(io));
      if (!hasSaid) notice?.(`Waiting for the lock of ${describe(found.holder, zoneOf(io))}.`);
      hasSaid = true;
      delayMs = Math.min(delayMs, Math.ceil(leftMs));
    }
    await pause(Math.round(delayMs * (0.5 + io.random() / 2)), io);
  }
}
