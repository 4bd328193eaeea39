// A plan whose journal is open → the one request, and what the portal shows of it. Says what became of the update, whatever stops it.
import { asFailure, Failure } from "../failure.js";
import type { Live } from "../plan/inputs.js";
import type { Plan } from "../plan/plan.js";
import type { PortalAccess } from "../portal/portal.js";
import { update } from "../portal/update.js";
import type { State } from "../state/state.js";
import type { OpenJournal } from "./journal.js";
import { notShown, prove, showsSame, type Proof } from "./proof.js";
import type { RunContext } from "./run-context.js";

interface Sending {
  readonly run: RunContext;
  readonly file: string;
  readonly access: PortalAccess;
  /** What the request was built on. */
  readonly live: Live;
  readonly opened: OpenJournal;
  /** The state as if the journal had never been. */
  readonly withdrawn: (state: State) => State;
}

/**
 * What the portal shows afterwards; undefined where it cannot be read. Throws where it did not take the update, or may
 * not have, and where it shows nothing of it yet.
 */
export async function send(plan: Plan, sending: Sending): Promise<Proof | undefined> {
  const { run, file, access, live, opened } = sending;
  run.progress.at(file, "send");
  // A fault of our own says nothing of the portal.
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
  const proof = await afterSend(MAY_HAVE, async () => {
    try {
      return await prove(plan, { access, live }, run.io);
    } catch (error) {
      throw doubt ? outcomeUnknown(doubt.why, error) : error;
    }
  });
  if (proof.missing.length === 0) return proof;
  const isUntouched = showsSame(plan, live.settings, proof.settings);
  // Another look may see it: what answers may do so from a cache.
  if (!doubt && isUntouched) throw notShown(plan.binding.portal.name, proof);
  if (!doubt) return proof;
  if (!doubt.mayArrive && isUntouched) {
    return withdraw(sending, { why: doubt.why, wasSent: true });
  }
  throw outcomeUnknown(doubt.why);
}

/** Closes the journal of what the portal did not take. */
async function withdraw(
  { opened, withdrawn }: Sending,
  { why, wasSent }: { readonly why: Failure; readonly wasSent: boolean },
): Promise<never> {
  const close = () => opened.close(withdrawn(opened.state()));
  if (wasSent) await afterSend(`did not take the update (${why.message})`, close);
  // Where nothing was sent, that is what a person must know; the next run finds the journal, and waits in vain.
  else await close().catch(() => undefined);
  throw why;
}

export const HAS = "has taken the update";
export const MAY_HAVE = "may or may not have taken the update";

/** Does what follows the send: whatever stops it, the portal has been written to and the state does not say so yet. */
export async function afterSend<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const why = asFailure(error, false);
    if (why.code === "outcome-unknown") throw why;
    const message = `The portal ${what}, and that could not be settled. ${why.message}`;
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
