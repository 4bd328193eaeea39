// Two places for the state of one portal → all of it at the second, and a mark at the first. Killed at any point and run again, it ends as if it had never been interrupted.
import { chainHolds, newestDigest } from "../../state/chain.js";
import { asFailure, Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { withLock, type Locking } from "../../state/lock/with-lock.js";
import { movedAway } from "../../state/refusal.js";
import type { Author, State } from "../../state/state.js";
import { marked, moved, withoutMark } from "../../state/steps.js";
import { NOT_KNOWN, type Store } from "../../state/store.js";
import { shellWord, zoneOf } from "../../text.js";
import { isRollbackOpen } from "../preconditions.js";

// How it works. First the place that it leaves gets a mark, which keeps all that stood there; then the place that it
// goes to gets the whole. So there is no moment at which two places can be gone on with, and whoever finds the mark
// without anything at the other end knows that the move was interrupted, and has everything to finish it.

/** One end of the way. */
export interface End {
  /** Opened for one who moves it. */
  readonly store: Store;
  /** As a file writes it. */
  readonly address: string;
}

export interface Moving extends Omit<Locking, "store"> {
  readonly io: Io;
  readonly from: End;
  readonly to: End;
  readonly by: Author;
  /** The desired-state file, for commands that a person is told of. */
  readonly file: string;
  /** What the state is of, for messages. */
  readonly subject: string;
  /** Asks a person; fails where nobody says yes. */
  readonly confirm: (question: string) => Promise<void>;
}

/**
 * What became of it. `was-there`: it had arrived before, and whatever was left at the first place is marked now;
 * `returned`: a move the other way, which had never arrived, is given up; `none`: nothing stands at either place.
 */
export interface Moved {
  readonly outcome: "moved" | "was-there" | "returned" | "none";
  readonly state: State | undefined;
}

export async function move(moving: Moving): Promise<Moved> {
  const { from, to, holder } = moving;
  return withLock({ ...moving, store: lockedAt(from, moving) }, async () => {
    // Two addresses may lead to one place, which would wait for itself.
    const there = await to.store.holder();
    if (there && there !== NOT_KNOWN && there.id === holder.id) throw samePlace(moving);
    return withLock({ ...moving, store: lockedAt(to, moving) }, async () =>
      carry(moving, await from.store.read(), await to.store.read()),
    );
  });
}

/** A lock that was left there is ended there, wherever the file says that the state is. */
function lockedAt({ store, address }: End, { file }: Moving): Store {
  const command = `lintel state unlock ${shellWord(file)}`;
  return {
    ...store,
    lock: async (...words) => {
      try {
        await store.lock(...words);
      } catch (error) {
        if (!(error instanceof Failure) || !error.help?.includes(command)) throw error;
        const help = error.help.replace(command, `${command} ${shellWord(address)}`);
        throw new Failure(error.code, error.message, help, { cause: error });
      }
    },
  };
}

async function carry(
  moving: Moving,
  here: State | undefined,
  there: State | undefined,
): Promise<Moved> {
  const { from, to } = moving;
  if (!here && !there) return { outcome: "none", state: undefined };
  if (here && there && here.lineage !== there.lineage) throw anotherLineage(moving, there);
  const isLater = (there?.serial ?? 0) > (here?.serial ?? 0);
  if (there?.moved && isLater) {
    const isForHere = there.moved.to === from.address && (!here || here.moved !== undefined);
    if (!isForHere) throw gone(moving, there.moved);
    await moving.confirm(
      `A move of this state to "${from.address}" was begun, and nothing of it is there. Give that move up?`,
    );
    return { outcome: "returned", state: await put(to.store, withoutMark(there), there) };
  }
  if (!here) return { outcome: "was-there", state: there };
  if (here.moved) {
    if (there && isLater) return { outcome: "was-there", state: there };
    if (here.moved.to !== to.address) throw gone(moving, here.moved);
    return arrive(moving, here, there);
  }
  if (there && !there.moved) {
    if (!chainHolds(there, newestDigest(here)) || there.serial < here.serial)
      throw twoStates(moving, here, there);
    return { outcome: "was-there", state: await leaveCopy(moving, here, there) };
  }
  assertSettled(here, moving);
  return arrive(moving, await leave(moving, here), there);
}

/** From here on nobody goes on with what stands at the first place. */
function leave({ from, to, by, io }: Moving, here: State): Promise<State> {
  const time = new Date(io.now()).toISOString();
  return put(from.store, marked(here, { to: to.address, time, by }), here);
}

async function arrive(moving: Moving, left: State, there: State | undefined): Promise<Moved> {
  const { from, to, by, io } = moving;
  const time = new Date(io.now()).toISOString();
  const why = `from ${from.address} to ${to.address}`;
  try {
    const state = await put(to.store, moved(left, { time, by, why }), there);
    return { outcome: "moved", state };
  } catch (error) {
    throw await giveUp(moving, left, there, asFailure(error, io.signal.aborted));
  }
}

/** What did not arrive goes on where it was, if it is certain that it did not arrive. */
async function giveUp(
  { from, to, file }: Moving,
  left: State,
  there: State | undefined,
  why: Failure,
): Promise<Failure> {
  try {
    const found = await to.store.read();
    if (found?.serial === there?.serial) {
      await put(from.store, withoutMark(left), left);
      return why;
    }
  } catch {
    // The reason for both is most likely the same, and the first is what a person must know.
  }
  const words = [file, from.address, to.address].map(shellWord).join(" ");
  const back = [file, to.address, from.address].map(shellWord).join(" ");
  return new Failure(
    why.code,
    `${why.message} So the state is between the two places.`,
    `${why.help ?? ""}\nThen finish the move:\n  lintel state move ${words}\nor give it up:\n  lintel state move ${back}`.trim(),
    { cause: why },
  );
}

/** What stands at the first place is part of what stands at the second already, as in an old checkout. */
async function leaveCopy(moving: Moving, here: State, there: State): Promise<State> {
  const left = await leave(moving, here);
  const now = await moving.to.store.read();
  if (now?.moved?.time !== left.moved?.time) return there;
  await put(moving.from.store, withoutMark(left), left);
  throw samePlace(moving);
}

async function put(store: Store, state: State, over: State | undefined): Promise<State> {
  await store.write(state, over?.serial ?? 0);
  return state;
}

function assertSettled(state: State, { file }: Moving): void {
  if (!state.journal) return;
  const command = isRollbackOpen(state) ? "rollback" : "apply";
  throw new Failure(
    "outcome-unknown",
    `The outcome of the last ${state.journal.kind} of "${file}" is unknown, and is to be settled where it began.`,
    `Settle it, then move the state:\n  lintel ${command} ${shellWord(file)}`,
  );
}

function gone({ io, subject, file }: Moving, mark: NonNullable<State["moved"]>): Failure {
  return movedAway(mark, { subject, file, zone: zoneOf(io) });
}

function samePlace({ from, to }: Moving): Failure {
  return new Failure(
    "wrong-usage",
    `"${from.address}" and "${to.address}" are one and the same place.`,
    "Name another place to move the state to.",
  );
}

function anotherLineage({ to, subject }: Moving, there: State): Failure {
  return new Failure(
    "state-of-another-lineage",
    `At "${to.address}" stands another state of "${subject}", which was begun on its own (serial ${there.serial}).`,
    "Look at both; the one that the portal goes by stays where it is. To have it at that address, take the other one away from there first, and keep it.",
  );
}

/** The one that is older is marked when it is moved onto the newer one; two that went separate ways are for a person. */
function twoStates({ from, to, file, subject }: Moving, here: State, there: State): Failure {
  const isOlder = chainHolds(here, newestDigest(there)) && there.serial <= here.serial;
  const back = [file, to.address, from.address].map(shellWord).join(" ");
  const words = [file, from.address, to.address].map(shellWord).join(" ");
  const serials = `serial ${here.serial} at "${from.address}", serial ${there.serial} at "${to.address}"`;
  return new Failure(
    "state-conflict",
    isOlder
      ? `At "${to.address}" stands an older copy of the state of "${subject}": ${serials}.`
      : `The state of "${subject}" went separate ways at two places: ${serials}.`,
    isOlder
      ? `Give the older one up for the newer, then move that:\n  lintel state move ${back}\n  lintel state move ${words}`
      : "Compare what each tells, with `state:` of the file set to one and then to the other; take the wrong one away, and keep it:\n  lintel state history",
  );
}
