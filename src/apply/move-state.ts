// Moves a state to another place, and leaves a mark at the first. Killed at any point and run again, it finishes the move.
import { readStateLine } from "../document/check/state-line.js";
import { withState, type PortalFile } from "../document/read/desired.js";
import { asFailure, Failure } from "../failure.js";
import { digestOfText } from "../lib/digest.js";
import { shellWord, showForeign, showTime, zoneOf } from "../lib/text.js";
import { authorOf } from "../state/author/author.js";
import { describeFolder, folderHere, movedAway } from "../state/moved.js";
import type { Moved as Mark, State } from "../state/state.js";
import { UnclearWrite, type StateStore, type Stored, type Version } from "../state/state-store.js";
import { marked, moved, withoutMark } from "../state/steps.js";
import { resolvePortal, storeOf, type PortalContext } from "./portal-context.js";
import { isRollbackOpen } from "./preconditions.js";
import type { RunContext } from "./run-context.js";

// How it works. First the place that it leaves gets a mark, which keeps all that stood there; then the place that it
// goes to gets the whole; last the file says so. So there is no moment at which two places can be gone on with, and
// whoever finds the mark without anything at the other end has everything to finish the move, or to give it up.

export interface Moving {
  readonly run: RunContext;
  readonly whole: PortalFile;
  /** The portal as its file says, and the same with the state at the other place. */
  readonly from: PortalContext;
  readonly to: PortalContext;
  /** Asks a person; fails where nobody says yes. */
  readonly confirm: (question: string) => Promise<void>;
  /** The same for what --yes must not answer. */
  readonly confirmUnseen: (question: string) => Promise<void>;
}

export interface Moved {
  /** `was-there`: an earlier run had moved it; `returned`: that one is given up; `none`: nothing was ever applied. */
  readonly outcome: "moved" | "was-there" | "returned" | "none";
  readonly state: State | undefined;
}

export async function moveState(moving: Moving): Promise<Moved> {
  const { run, from, to } = moving;
  const [left, right] = [storeOf(from, run, true), storeOf(to, run, true)];
  const here = await left.read();
  if ((await left.memoryName()) === (await right.memoryName())) return giveUp(moving, left, here);
  const there = await right.read();
  if (!here.state) {
    if (there.state?.moved) {
      const about = { subject: from.identity.key, file: from.desired.file, io: run.io };
      throw movedAway(there.state.moved, { ...about, from: written(to) });
    }
    // Refuses where an earlier state stands in the usual folder.
    if (!there.state) await from.store.read();
    return { outcome: there.state ? "was-there" : "none", state: there.state };
  }
  if (here.state.moved && !there.state?.moved && isLater(there.state, here.state)) {
    return { outcome: "was-there", state: there.state };
  }
  assertMovable(moving, here.state, there.state);
  const leaving = here.state.moved ? here : await leave(moving, left, here.state, here);
  return arrive(moving, { left, right }, leaving, there);
}

/** Every write counts, so that what has arrived is later than the mark; it may have gone on from there. */
function isLater(there: State | undefined, here: State): there is State {
  return there?.lineage === here.lineage && there.serial > here.serial;
}

/** Fails where an earlier move to another place was interrupted, so that it is finished before others begin. */
export async function assertNotBetween(run: RunContext, from: PortalContext, to: PortalContext) {
  const [left, right] = [storeOf(from, run, true), storeOf(to, run, true)];
  if ((await left.memoryName()) === (await right.memoryName())) return;
  const { state: here } = await left.read();
  if (!here?.moved || isMarkedFor(here.moved, to, run)) return;
  const { state: there } = await right.read();
  if (!there?.moved && isLater(there, here)) return;
  const about = { subject: from.identity.key, file: from.desired.file, io: run.io };
  throw movedAway(here.moved, { ...about, from: written(from) });
}

function isMarkedFor(mark: Mark, to: PortalContext, run: RunContext): boolean {
  const { place = placeOf(to) } = mark;
  const isHere = place === placeOf(to) && !isOtherFolder(mark.folder, to, run);
  return isHere && mark.to === written(to);
}

function assertMovable(moving: Moving, here: State, there: State | undefined): void {
  const { run, from, to } = moving;
  const { io } = run;
  const { file } = from.desired;
  const about = { subject: from.identity.key, file, io };
  if (there?.moved && isLater(there, here)) {
    throw movedAway(there.moved, { ...about, from: written(to) });
  }
  if (here.moved) {
    if (!isMarkedFor(here.moved, to, run)) {
      throw movedAway(here.moved, { ...about, from: written(from) });
    }
  } else if (here.journal) {
    const command = isRollbackOpen(here) ? "rollback" : "apply";
    throw new Failure(
      "outcome-unknown",
      `The outcome of the last ${here.journal.kind} of "${file}" is unknown, and is to be settled where it began.`,
      `Settle it, then move the state:\n  lintel ${command} ${shellWord(file)}`,
    );
  }
  // A mark that an earlier move has left there is what it can come back over.
  const isFree = there?.moved && there.lineage === here.lineage && there.serial <= here.serial;
  if (there && !isFree) throw taken(moving, here, there);
}

/** Neither is lost: each stays at its place, and the file says which one goes on. */
function taken({ run, from, to }: Moving, here: State, there: State): Failure {
  const { file } = from.desired;
  const tell = ({ serial, history }: State) => {
    const last = history.at(-1);
    if (!last) return `serial ${serial}`;
    const when = showTime(last.time, zoneOf(run.io));
    return `serial ${serial}, last by ${showForeign(last.by.actor, [], 200)} at ${when}`;
  };
  const [word, address] = [shellWord(file), shellWord(written(to))];
  return new Failure(
    "state-conflict",
    `At "${written(to)}" stands a state of "${from.identity.key}" already: ${tell(there)}. The one at "${written(from)}": ${tell(here)}.`,
    `Look at both:\n  lintel history ${word}\n  lintel history ${word} ${address}\nThe one that the file names goes on. To go on with the other one, write in the file:\n  state: ${written(to)}\nTo move this one, name an address where nothing stands.`,
  );
}

/** From here on no run goes on with what stands at the first place. */
async function leave(
  { run: { io }, from, to }: Moving,
  left: StateStore,
  here: State,
  { version }: Stored,
): Promise<Stored> {
  const by = await authorOf(io, from.desired.paths);
  const folder = folderHere(to.stateAddress.address, from.desired.file, io);
  const time = new Date(io.now()).toISOString();
  const place = placeOf(to);
  const mark = { to: written(to), ...(folder && { folder }), ...(place && { place }), time, by };
  const state = marked(here, mark);
  return { state, version: await left.write(state, version) };
}

interface Ends {
  readonly left: StateStore;
  readonly right: StateStore;
}

async function arrive(
  moving: Moving,
  { left, right }: Ends,
  { state: here, version }: Stored,
  there: Stored,
): Promise<Moved> {
  const { run, from, to } = moving;
  if (!here) throw new TypeError("there is nothing to move");
  const by = await authorOf(run.io, from.desired.paths);
  const why = `from ${written(from)} to ${written(to)}`;
  const state = moved(here, { time: new Date(run.io.now()).toISOString(), by, why });
  let arrived: Version;
  try {
    arrived = await right.write(state, there.version);
  } catch (error) {
    const failure = asFailure(error, run.io.signal.aborted);
    const words = [from.desired.file, written(to)].map(shellWord).join(" ");
    const found = await right.read().catch(() => undefined);
    if (isLater(found?.state, here)) return { outcome: "moved", state: found?.state };
    const help = `${failure.help ?? ""}\nThe state is between the two places. To finish the move:\n  lintel state move ${words}`;
    if (!found || error instanceof UnclearWrite)
      throw new Failure(failure.code, failure.message, help.trim(), { cause: error });
    // It is certain that it did not arrive, so that it goes on where it was.
    await left.write(withoutMark(here), version);
    throw failure;
  }
  // A write may wait for a lock for a minute, and somebody may give the move up meanwhile.
  const now = await left.read();
  if (now.version === version) return { outcome: "moved", state };
  const folder = folderHere(from.stateAddress.address, from.desired.file, run.io);
  const time = new Date(run.io.now()).toISOString();
  await right.write(
    marked(state, { to: written(from), ...(folder && { folder }), time, by }),
    arrived,
  );
  throw new Failure(
    "state-conflict",
    `The move of the state of "${from.desired.file}" was given up meanwhile, so the state stays at "${written(from)}".`,
    `Look at it, and move it again:\n  lintel history ${shellWord(from.desired.file)}`,
  );
}

/** A digest of the address behind references, which are shown nowhere; undefined where there are none. */
function placeOf({ stateAddress: { address, written } }: PortalContext): string | undefined {
  return written === undefined ? undefined : digestOfText(address);
}

/** The address is where the state was: what was marked there and never arrived goes on. */
async function giveUp(
  moving: Moving,
  left: StateStore,
  { state: here, version }: Stored,
): Promise<Moved> {
  const { run, from, confirm, confirmUnseen } = moving;
  const { file, paths } = from.desired;
  if (!here) {
    throw new Failure(
      "wrong-usage",
      `"${file}" says already that its state is at "${written(from)}", and nothing is there.`,
      `If the line was changed by hand, put it back: "state move" changes it.`,
    );
  }
  const mark = here.moved;
  if (!mark) return { outcome: "was-there", state: here };
  const [to, by] = [mark.to, mark.by.actor].map((text) => showForeign(text, [], 300));
  const begun = `A move of this state to "${to}" was begun by ${by} at ${showTime(mark.time, zoneOf(run.io))}`;
  const found = await lookAt(moving, mark);
  if (isLater(found?.state, here)) {
    const now = showForeign(found.state.moved?.to ?? mark.to, []);
    const help = `To go on with it, write in "${file}":\n  state: ${now}`;
    throw new Failure("state-moved", `${begun}, and it arrived there.`, help);
  }
  const where = mark.folder ? `in ${describeFolder(mark.folder)}` : "there";
  if (found) await confirm(`${begun}, and nothing of it is there. Give that move up?`);
  else {
    await confirmUnseen(
      `${begun}. It cannot be seen from here whether it arrived ${where}; if it did, two states would go on. Give that move up?`,
    );
  }
  const time = new Date(run.io.now()).toISOString();
  const why = `given up: from ${written(from)} to ${mark.to}`;
  const state = moved(here, { time, by: await authorOf(run.io, paths), why });
  await left.write(state, version);
  return { outcome: "returned", state };
}

/** What stands where a mark says that the state went; undefined where that cannot be seen from here. */
async function lookAt({ run, whole }: Moving, mark: Mark): Promise<Stored | undefined> {
  try {
    const there = resolvePortal(withState(whole, readStateLine(mark.to, run.io)), run);
    const { folder, place = placeOf(there) } = mark;
    if (isOtherFolder(folder, there, run) || place !== placeOf(there)) return undefined;
    return await storeOf(there, run, true).read();
  } catch {
    return undefined;
  }
}

/** By the same address every clone has a folder of its own. */
function isOtherFolder(
  folder: Mark["folder"],
  { desired, stateAddress }: PortalContext,
  run: RunContext,
) {
  const here = folderHere(stateAddress.address, desired.file, run.io);
  return folder !== undefined && (here?.host !== folder.host || here.path !== folder.path);
}

/** An address as a file has it. */
function written({ stateAddress: { address, written } }: PortalContext): string {
  return written ?? address;
}
