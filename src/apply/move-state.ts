// Moves a state to another place, and leaves a mark at the first. Killed at any point and run again, it finishes the move.
import { asFailure, Failure } from "../failure.js";
import type { Io } from "../io.js";
import { describeFolder } from "../state/moved.js";
import type { Author, Moved as Mark, State } from "../state/state.js";
import { marked, moved, withoutMark } from "../state/steps.js";
import { StateConflict, type StateStore, type Stored, type Version } from "../state/state-store.js";
import { shellWord } from "../lib/text.js";
import { isOtherFolder, samePlace, verdictOn, type Returning } from "./move-verdict.js";

// How it works. First the place that it leaves gets a mark, which keeps all that stood there; then the place that it
// goes to gets the whole. So there is no moment at which two places can be gone on with, and whoever finds the mark
// without anything at the other end knows that the move was interrupted, and has everything to finish it.

/** One end of the way. */
export interface End {
  /** Opened for one who moves it. */
  readonly store: StateStore;
  /** As a file writes it. */
  readonly address: string;
  /** Which one it is, where it is a folder. */
  readonly folder: Mark["folder"];
}

export interface Moving {
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

export async function moveState(moving: Moving): Promise<Moved> {
  for (;;) {
    try {
      return await moveOnce(moving);
    } catch (error) {
      // Another run wrote to one of the two places: what stands there now decides.
      if (!(error instanceof StateConflict)) throw error;
    }
  }
}

async function moveOnce(moving: Moving): Promise<Moved> {
  const { from, to } = moving;
  if ((await from.store.memoryName()) === (await to.store.memoryName())) throw samePlace(moving);
  const [here, there] = [await from.store.read(), await to.store.read()];
  const verdict = verdictOn(moving, here.state, there.state);
  switch (verdict.kind) {
    case "done":
      return verdict.moved;
    case "give-up":
      await moving.confirm(questionOf(moving, verdict));
      return takeBack(moving, verdict, there.version);
    case "finish":
      return arrive(moving, { state: verdict.here, version: here.version }, there);
    case "leave-copy":
      return {
        outcome: "was-there",
        state: await leaveCopy(
          moving,
          { state: verdict.here, version: here.version },
          verdict.there,
        ),
      };
    case "move":
      return arrive(moving, await leave(moving, verdict.here, here.version), there);
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

async function takeBack(
  { from, to, by, io }: Moving,
  { there }: Returning,
  version: Version | undefined,
): Promise<Moved> {
  const time = new Date(io.now()).toISOString();
  const why = `given up: from ${to.address} to ${from.address}`;
  const state = moved(there, { time, by, why });
  await to.store.write(state, version);
  return { outcome: "returned", state };
}

/** What stands at the first place, with the mark that it was moved away. */
interface Left {
  readonly state: State;
  readonly version: Version | undefined;
}

/** From here on no run goes on with what stands at the first place. */
async function leave(
  { from, to, by, io }: Moving,
  here: State,
  version: Version | undefined,
): Promise<Left> {
  const time = new Date(io.now()).toISOString();
  const { address, folder } = to;
  const state = marked(here, { to: address, ...(folder && { folder }), time, by });
  return { state, version: await from.store.write(state, version) };
}

async function arrive(moving: Moving, left: Left, there: Stored): Promise<Moved> {
  const { from, to, by, io } = moving;
  const time = new Date(io.now()).toISOString();
  const why = `from ${from.address} to ${to.address}`;
  const state = moved(left.state, { time, by, why });
  try {
    await to.store.write(state, there.version);
    return { outcome: "moved", state };
  } catch (error) {
    throw await giveUp(moving, left, there, asFailure(error, io.signal.aborted));
  }
}

/** What did not arrive goes on where it was, if it is certain that it did not arrive. */
async function giveUp(moving: Moving, left: Left, there: Stored, why: Failure): Promise<Failure> {
  const { from, to, file } = moving;
  try {
    const found = await to.store.read();
    const isOneAndTheSame = isMarkOf(found.state, left);
    if (isOneAndTheSame || found.version === there.version) {
      await from.store.write(withoutMark(left.state), left.version);
      return isOneAndTheSame ? samePlace(moving) : why;
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
async function leaveCopy(
  moving: Moving,
  { state: here, version }: Left,
  there: State,
): Promise<State> {
  const left = await leave(moving, here, version);
  const now = await moving.to.store.read();
  if (!isMarkOf(now.state, left)) return there;
  await moving.from.store.write(withoutMark(left.state), left.version);
  throw samePlace(moving);
}

/** Two addresses may lead to one place, which then shows its own mark at both. */
function isMarkOf(found: State | undefined, { state }: Left): boolean {
  return found?.moved !== undefined && found.moved.time === state.moved?.time;
}
