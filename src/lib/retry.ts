// Computes how long to wait before the next attempt, and waits.
import { interrupted } from "../failure.js";
import type { Io } from "../io.js";

/** The wait after the first failure, and the longest one. */
export interface BackOff {
  readonly leastMs: number;
  readonly mostMs: number;
}

/**
 * Doubles with every failure, counted from 1. `random`, from 0 to 1, removes up to half, so that calls that failed
 * together do not all retry at once.
 */
export function backOffMs(failures: number, { leastMs, mostMs }: BackOff, random: number): number {
  return Math.round(Math.min(mostMs, leastMs * 2 ** (failures - 1)) * (0.5 + random / 2));
}

/** Sleeps; an interrupt ends it. */
export async function pause(ms: number, io: Pick<Io, "sleep" | "signal">): Promise<void> {
  try {
    if (!io.signal.aborted) await io.sleep(ms, io.signal);
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
  if (io.signal.aborted) throw interrupted();
}
