// Sends the one request of an open journal, and verifies it. Every failure after the send names the outcome of the update.
import { asFailure, Failure } from "../failure.js";
import type { Live } from "../plan/inputs.js";
import type { Plan } from "../plan/plan.js";
import type { PortalAccess } from "../portal/portal.js";
import { update } from "../portal/update.js";
import type { State } from "../state/state.js";
import type { OpenJournal } from "./journal.js";
import { notShown, verify, showsSame, type Readback } from "./verification.js";
import type { RunContext } from "./run-context.js";

interface Sending {
  readonly run: RunContext;
  readonly file: string;
  readonly access: PortalAccess;
  /** The live settings that the request was based on. */
  readonly live: Live;
  readonly opened: OpenJournal;
  /** The state without the journal, as if it had never been written. */
  readonly withdrawn: (state: State) => State;
}

/**
 * Returns what the portal shows afterwards; undefined if it cannot be read. Throws if the portal did not take the
 * update, may not have, or does not show it yet.
 */
export async function send(plan: Plan, sending: Sending): Promise<Readback | undefined> {
  const { run, file, access, live, opened } = sending;
  run.progress.at(file, "send");
  // A bug in Lintel says nothing about the portal.
  const updated = await afterSend(MAY_HAVE, () =>
    update(access, plan.request?.settings ?? {}, opened),
  );
  if (updated.kind === "refused") return withdraw(sending, updated);
  const doubt = updated.kind === "unknown" ? updated : undefined;
  run.progress.at(file, "prove");
  if (live.kind === "unread") {
    if (doubt) throw outcomeUnknown(doubt.why);
    return undefined;
  }
  const readback = await afterSend(MAY_HAVE, async () => {
    try {
      return await verify(plan, { access, live }, run.io);
    } catch (error) {
      throw doubt ? outcomeUnknown(doubt.why, error) : error;
    }
  });
  if (readback.missing.length === 0) return readback;
  const isUntouched = showsSame(plan, live.settings, readback.settings);
  // A later read may see it, because the answer may come from a cache.
  if (!doubt && isUntouched) throw notShown(plan.binding.portal.name, readback);
  if (!doubt) return readback;
  if (!doubt.mayArrive && isUntouched) {
    return withdraw(sending, { why: doubt.why, wasSent: true });
  }
  throw outcomeUnknown(doubt.why);
}

/** Closes the journal of an update that the portal did not take. */
async function withdraw(
  { opened, withdrawn }: Sending,
  { why, wasSent }: { readonly why: Failure; readonly wasSent: boolean },
): Promise<never> {
  const close = () => opened.close(withdrawn(opened.state()));
  if (wasSent) await afterSend(`did not take the update (${why.message})`, close);
  // If nothing was sent, the first error is shown. The next run waits for the journal needlessly.
  else await close().catch(() => undefined);
  throw why;
}

export const HAS = "has taken the update";
export const MAY_HAVE = "may or may not have taken the update";

/** Runs what follows the send. If it fails, the portal has changed but the state does not record that yet. */
export async function afterSend<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const why = asFailure(error, false);
    if (why.code === "outcome-unknown") throw why;
    const message = `The portal ${what}, and the state could not record it. ${why.message}`;
    const help = why.help ? `${why.help}\n${RUN_AGAIN}` : RUN_AGAIN;
    throw new Failure("outcome-unknown", message, help, { cause: why });
  }
}

function outcomeUnknown(why: Failure, cause: unknown = why): Failure {
  if (why.code === "outcome-unknown") return why;
  const message = `The portal ${MAY_HAVE}. ${why.message}`;
  return new Failure("outcome-unknown", message, RUN_AGAIN, { cause });
}

const RUN_AGAIN =
  "Then run the same command again: it reads the portal first and sends what is missing.";
