// Tries to take a lock → the lock taken, or state-locked once the time is over; waits in between, and says so once.
import { pause } from "../../lib/retry.js";
import type { Io } from "../../io.js";
import { zoneOf } from "../../lib/text.js";
import { describe, locked, type Holder } from "./holder.js";

interface Turn {
  /** Told why the run waits. */
  readonly notice?: ((sentence: string) => void) | undefined;
  readonly io: Io;
  /** What is locked, for messages. */
  readonly subject: string;
  readonly timeoutMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** How a try ended: the lock is taken; somebody else was faster, or let go of it just now; or who holds it. */
export type Try = "taken" | "again" | { readonly holder: Holder };

export async function takeInTurn(turn: Turn, attempt: () => Promise<Try>): Promise<void> {
  const { io, subject, timeoutMs, notice, longestDelayMs } = turn;
  const startedMs = io.machine.elapsedMs();
  let hasSaid = false;
  for (let delayMs = turn.firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    const found = await attempt();
    if (found === "taken") return;
    if (found !== "again") {
      const leftMs = startedMs + timeoutMs - io.machine.elapsedMs();
      if (leftMs <= 0) throw locked(subject, found.holder, zoneOf(io));
      if (!hasSaid) notice?.(`Waiting for the lock of ${describe(found.holder, zoneOf(io))}.`);
      hasSaid = true;
      delayMs = Math.min(delayMs, Math.ceil(leftMs));
    }
    await pause(Math.round(delayMs * (0.5 + io.random() / 2)), io);
  }
}
