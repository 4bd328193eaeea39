// Skips portals on hold, for --skip-held.
import type { PortalContext } from "./portal-context.js";
import { SkippedFailure, type Holding } from "./portal-result.js";
import { assertNotHeldManually } from "./preconditions.js";
import type { RunContext } from "./run-context.js";
import { Failure } from "../failure.js";
import { manualHoldOf } from "../state/state.js";

export async function skippingHeld<T>(
  { skipsHeld = false, io }: RunContext,
  portal: PortalContext,
  work: () => Promise<T>,
): Promise<T> {
  if (!skipsHeld) return work();
  const { state } = await portal.store.read();
  const manualHold = state && manualHoldOf(state, io.now());
  return skipped({ ...portal, state, manualHold }, () => {
    // Checked first, because a portal under maintenance may be down.
    assertNotHeldManually(state, { file: portal.desired.file, io });
    return work();
  });
}

export async function skipped<T>(holding: Holding, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "held") throw error;
    throw new SkippedFailure(error, holding);
  }
}
