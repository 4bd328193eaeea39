// Skips portals on hold, for --skip-held.
import type { PortalContext } from "./portal-context.js";
import { assertNotHeldManually } from "./preconditions.js";
import type { RunContext } from "./run-context.js";
import { Failure } from "../failure.js";

/** A portal on hold is skipped, which is not a failure of the run. */
export async function skippingHeld<T>(
  { skipsHeld = false, io }: RunContext,
  { store, desired: { file } }: PortalContext,
  work: () => Promise<T>,
): Promise<T> {
  if (!skipsHeld) return work();
  try {
    // Checked first, because a portal under maintenance may be down.
    assertNotHeldManually((await store.read()).state, { file, io });
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "held") throw error;
    throw new Failure("not-begun", error.message, error.help, { cause: error });
  }
}
