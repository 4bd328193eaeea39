// When a journal began to be pushed → whether its update may still be sent, or another run may have stopped waiting for it.
import type { Io } from "../../io.js";
import { momentOf } from "../lock/liveness.js";
import { MARGIN_MS, PUSH_MS } from "../recover.js";

/** By two clocks. */
export type Moment = ReturnType<typeof momentOf>;

/** What is begun in time must also get out of the process in time. */
const HEADWAY_MS = 5_000;
/**
 * Whoever sees the journal waits for its call's timeout and this from then on; and it can be seen from the moment on that
 * its push begins.
 */
export const LEASE_MS = MARGIN_MS + PUSH_MS - HEADWAY_MS;

export interface Lease {
  /** In milliseconds; once it was over it stays so. */
  overForMs(): number | undefined;
}

export function openLease(io: Pick<Io, "now" | "machine">, began: Moment): Lease {
  let isOver = false;
  return {
    overForMs() {
      const now = momentOf(io);
      const goneMs = Math.max(now.elapsedMs - began.elapsedMs, now.wallMs - began.wallMs);
      isOver ||= goneMs > LEASE_MS;
      return isOver ? goneMs : undefined;
    },
  };
}
