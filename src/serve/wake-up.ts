// Waits until a moment or a wake-up, and for work that ends soon.
import type { Io } from "../io.js";

/** A wake-up before the next wait ends that wait at once. */
export type WakeUp = ReturnType<typeof openWakeUp>;

export function openWakeUp(io: Pick<Io, "now" | "sleep" | "signal">) {
  let woken = new AbortController();
  const wake = () => woken.abort();
  io.signal.addEventListener("abort", wake);
  return {
    wake,
    async wait(untilMs: number): Promise<void> {
      try {
        if (!woken.signal.aborted && !io.signal.aborted) {
          await io.sleep(Math.max(0, untilMs - io.now()), woken.signal);
        }
      } catch (error) {
        if (!woken.signal.aborted) throw error;
      }
      woken = new AbortController();
    },
  };
}

/** After this time the process ends, even if work is running: an open journal records that for the next run. */
const ENDING_MS = 25_000;

/** Waits for running work, up to a limit. */
export async function endSoon(
  io: Pick<Io, "sleep">,
  begun: Iterable<Promise<unknown>>,
): Promise<void> {
  const over = new AbortController();
  const all = Promise.allSettled(begun).finally(() => over.abort());
  const late = io.sleep(ENDING_MS, over.signal).catch(() => undefined);
  await Promise.race([all, late]);
}
