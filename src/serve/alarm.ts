// A moment → a wait until then, or until somebody rings; whoever rings while nobody waits is not forgotten.
import type { Io } from "../io.js";

export interface Alarm {
  ring(): void;
  wait(untilMs: number): Promise<void>;
}

export function openAlarm(io: Pick<Io, "now" | "sleep" | "signal">): Alarm {
  let bell = new AbortController();
  const ring = () => bell.abort();
  io.signal.addEventListener("abort", ring);
  return {
    ring,
    async wait(untilMs) {
      try {
        if (!bell.signal.aborted && !io.signal.aborted) {
          await io.sleep(Math.max(0, untilMs - io.now()), bell.signal);
        }
      } catch (error) {
        if (!bell.signal.aborted) throw error;
      }
      bell = new AbortController();
    },
  };
}
