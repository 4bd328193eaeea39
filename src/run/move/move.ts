// Two places for the state of one portal → all of it at the second, and a mark at the first. Killed at any point and run again, it ends as if it had never been interrupted.
import { asFailure, Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { withLock, type Locking } from "../../state/lock/with-lock.js";
import { describeFolder } from "../../state/moved.js";
import type { Author, Moved as Mark, State } from "../../state/state.js";
import { marked, moved, withoutMark } from "../../state/steps.js";
import { NOT_KNOWN, type Store } from "../../state/store.js";
import { shellWord } from "../../lib/text.js";
import { isOtherFolder, samePlace, verdictOn, type Returning } from "./verdict.js";

// How it works. First the place that it leaves gets a mark, which keeps all that stood there; then the place that it
// goes to gets the whole. So there is no moment at which two places can be gone on with, and whoever finds the mark
// without anything at the other end knows that the move was interrupted, and has everything to finish it.

/** One end of the way. */
export interface End {
  /** Opened for one who moves it. */
  readonly store: Store;
  /** As a file writes it. */
  readonly address: string;
  /** Which one it is, where it is a folder. */
  readonly folder: Mark["folder"];
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
  // Before anything is locked, since a lock in a folder makes the folder.
  const verdict = verdictOn(moving, await from.store.read(), await to.store.read());
  if (verdict.kind === "done") return verdict.moved;
  if (verdict.kind === "give-up") {
    const question = questionOf(moving, verdict);
    await moving.confirm(question);
    // Whoever finishes it instead needs the lock of its mark as well; one in a folder that holds nothing makes the folder.
    const locking = { ...moving, store: lockedAt(to, moving) };
    const returned = await withLock(locking, () => giveBack(moving, question));
    // Something came there meanwhile.
    return returned ?? move(moving);
  }
  return withLock({ ...moving, store: lockedAt(from, moving) }, async () => {
    // Two addresses may lead to one place, which would wait for itself.
    const there = await to.store.holder();
    if (there && there !== NOT_KNOWN && there.id === holder.id) throw samePlace(moving);
    return withLock({ ...moving, store: lockedAt(to, moving) }, () => carry(moving));
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

/** Looked at anew under both locks. */
async function carry(moving: Moving): Promise<Moved> {
  const { from, to } = moving;
  const verdict = verdictOn(moving, await from.store.read(), await to.store.read());
  switch (verdict.kind) {
    case "done":
      return verdict.moved;
    case "give-up": {
      await moving.confirm(questionOf(moving, verdict));
      return takeBack(moving, verdict);
    }
    case "finish":
      return arrive(moving, verdict.here, verdict.there);
    case "leave-copy": {
      const { here, there } = verdict;
      return { outcome: "was-there", state: await leaveCopy(moving, here, there) };
    }
    case "move":
      return arrive(moving, await leave(moving, verdict.here), verdict.there);
    default:
      return verdict satisfies never;
  }
}

function questionOf({ from }: Moving, { here, there }: Returning): string {
  const { folder } = there.moved;
  const begun = `A move of this state to "${from.address}" was begun`;
  if (here)
    return `${begun}, and another one stands there, which was begun on its own (serial ${here.serial}) and stays there. Give that move up?`;
  return folder && isOtherFolder(folder, from)
    ? `${begun} in ${describeFolder(folder)}, which is another folder than the one here. If it arrived there, two states would go on. Give that move up?`
    : `${begun}, and nothing of it is there. Give that move up?`;
}

async function giveBack(moving: Moving, confirmed: string): Promise<Moved | undefined> {
  const { from, to } = moving;
  const verdict = verdictOn(moving, await from.store.read(), await to.store.read());
  if (verdict.kind !== "give-up" || questionOf(moving, verdict) !== confirmed) return undefined;
  return takeBack(moving, verdict);
}

async function takeBack({ from, to, by, io }: Moving, { there }: Returning): Promise<Moved> {
  const time = new Date(io.now()).toISOString();
  const why = `given up: from ${to.address} to ${from.address}`;
  const state = await put(to.store, moved(there, { time, by, why }), there);
  return { outcome: "returned", state };
}

/** From here on nobody goes on with what stands at the first place. */
function leave({ from, to, by, io }: Moving, here: State): Promise<State> {
  const time = new Date(io.now()).toISOString();
  const { address, folder } = to;
  const mark = { to: address, ...(folder && { folder }), time, by };
  return put(from.store, marked(here, mark), here);
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
