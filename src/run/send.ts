// A plan whose journal is open → the one request, and what the portal shows of it. Says what became of the update, whatever stops it.
import { asFailure, Failure } from "../failure.js";
import type { Io } from "../io.js";
import type { Plan } from "../plan/plan.js";
import { PortalFailure } from "../portal/answer.js";
import type { PortalAccess } from "../portal/portal.js";
import { update, wasAnswered } from "../portal/update.js";
import { FORGOTTEN_MS } from "../state/recover.js";
import type { State } from "../state/state.js";
import type { Store } from "../state/store.js";
import { isUntouched, prove, type Proof } from "./proof.js";

export interface Sending {
  readonly io: Io;
  readonly visit: PortalAccess;
  readonly store: Store;
  /** With the open journal. */
  readonly state: State;
  /** The same as if the journal had never been. */
  readonly withdrawn: State;
  readonly onStep?: ((step: "send" | "prove") => void) | undefined;
}

/** What the portal shows afterwards; undefined where it cannot be read. */
export async function send(plan: Plan, sending: Sending): Promise<Proof | undefined> {
  const { io, visit, onStep } = sending;
  onStep?.("send");
  const doubt = await post(plan, sending);
  onStep?.("prove");
  if (plan.comparedWith === "last" || plan.comparedWith === "nothing") {
    if (doubt) throw outcomeUnknown(doubt);
    return undefined;
  }
  const proof = await afterSend(MAY_HAVE, async () => {
    try {
      return await prove(plan, visit, io);
    } catch (error) {
      throw doubt ? outcomeUnknown(doubt, error) : error;
    }
  });
  if (!doubt || proof.missing.length === 0) return proof;
  // An answer came, though not one that tells of success: then nothing is on its way any more.
  if (doubt.code !== "outcome-unknown" && isUntouched(plan, proof.settings)) {
    return withdraw(sending, doubt);
  }
  throw outcomeUnknown(doubt);
}

/** Undefined where the portal said that it took the update, else why that is not known; throws where it surely did not. */
async function post(plan: Plan, sending: Sending): Promise<Failure | undefined> {
  const { io, store, visit, withdrawn, state } = sending;
  const startedMs = { elapsed: io.machine.elapsedMs(), wall: io.now() };
  const assertMaySend = () => {
    const elapsedMs = io.machine.elapsedMs() - startedMs.elapsed;
    if (Math.max(elapsedMs, io.now() - startedMs.wall) > FORGOTTEN_MS) throw putOff();
    store.assertLeased();
  };
  try {
    await update(visit, plan.request?.settings ?? {}, assertMaySend);
    return undefined;
  } catch (error) {
    // A fault of our own says nothing of the portal.
    if (!(error instanceof Failure)) throw unsettled(MAY_HAVE, error);
    if (isDoubtful(error)) return error;
    if (wasAnswered(error)) return withdraw(sending, error);
    try {
      await store.write(withdrawn, state.serial);
    } catch {
      // Nothing was sent, and that is what a person must know; the next run finds the journal, and waits in vain.
    }
    throw error;
  }
}

/** Whoever finds a journal that is so old waits for nothing: what it tells of must not be sent any more. */
function putOff(): Failure {
  return new Failure(
    "too-many-requests",
    `The portal or the sign-in service put the update off for ${FORGOTTEN_MS / 60_000} minutes, and it is not sent any more.`,
    "Wait until they take requests again, then run the command again.",
  );
}

/** Closes the journal of what the portal did not take. */
async function withdraw({ store, withdrawn, state }: Sending, why: Failure): Promise<never> {
  await afterSend(`did not take the update (${why.message})`, () =>
    store.write(withdrawn, state.serial),
  );
  throw why;
}

/** Whether the portal may have taken an update that ended so. */
function isDoubtful(error: Failure): boolean {
  if (error instanceof PortalFailure) return (error.refusal.code ?? 0) >= 500;
  return error.code === "outcome-unknown" || error.code === "answer-not-understood";
}

export const HAS = "has taken the update";
export const MAY_HAVE = "may or may not have taken the update";

/** Does what follows the send: whatever stops it, the portal has been written to and the state does not say so yet. */
export async function afterSend<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw unsettled(what, error);
  }
}

function unsettled(what: string, error: unknown): Failure {
  if (error instanceof Failure && error.code === "outcome-unknown") return error;
  const why = asFailure(error, false);
  const cause = why.cause ?? error;
  return new Failure(
    "outcome-unknown",
    `The portal ${what}, and that could not be settled. ${why.message}`,
    `${why.help ? `${why.help}\n` : ""}${RUN_AGAIN}`,
    { cause },
  );
}

function outcomeUnknown(why: Failure, cause: unknown = why): Failure {
  if (why.code === "outcome-unknown") return why;
  const message = `The portal ${MAY_HAVE}. ${why.message}`;
  return new Failure("outcome-unknown", message, RUN_AGAIN, { cause });
}

const RUN_AGAIN =
  "Then run the same command again: it reads the portal first and sends what is missing.";
