// Moves a state to another place, and leaves a mark at the old one. After a kill at any point, a second run completes the move.
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
import { readSettled } from "./wait.js";

// How it works. The old place gets a mark, beside the state; then the new place gets the state; then the file gets the
// new address. So two places are never usable at the same time. A mark without a state at the new place contains
// everything to complete or undo the move.

export interface Moving {
  readonly run: RunContext;
  readonly whole: PortalFile;
  /** The portal with the state at the place in the file, and with the state at the new place. */
  readonly from: PortalContext;
  readonly to: PortalContext;
  /** The longest wait for another run at the old place, in milliseconds. */
  readonly waitMs: number;
  /** Prompts; fails without a yes. */
  readonly confirm: (question: string) => Promise<void>;
  /** Prompts for what --yes must not answer. */
  readonly confirmUnseen: (question: string) => Promise<void>;
}

export interface Moved {
  /** `was-there`: an earlier run moved it; `returned`: that move was undone; `none`: nothing was ever applied. */
  readonly outcome: "moved" | "was-there" | "returned" | "none";
  readonly state: State | undefined;
}

export async function moveState(moving: Moving): Promise<Moved> {
  const { run, from, to, waitMs } = moving;
  const [left, right] = [storeOf(from, run, true), storeOf(to, run, true)];
  const here = await readSettled(left, from, run, { waitMs, needsOutcome: false });
  if ((await left.memoryName()) === (await right.memoryName())) return giveUp(moving, left, here);
  const there = await right.read();
  if (!here.state) {
    if (there.state?.moved) {
      const about = { subject: from.identity.key, file: from.desired.file, io: run.io };
      throw movedAway(there.state.moved, { ...about, from: written(to) });
    }
    // Fails if an older state is in the default folder.
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

/** Each write raises the serial, so a state that arrived is later than the mark. Later applies may have followed. */
function isLater(there: State | undefined, here: State): there is State {
  return there?.lineage === here.lineage && there.serial > here.serial;
}

/** Fails if an earlier move to another place was interrupted. That move must be completed first. */
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
      `The outcome of the last ${here.journal.kind} of "${file}" is unknown, and must be settled at the old place first.`,
      `Settle it, then move the state:\n  lintel ${command} ${shellWord(file)}`,
    );
  }
  // The mark of an earlier move may be overwritten by the same state.
  const isFree = there?.moved && there.lineage === here.lineage && there.serial <= here.serial;
  if (there && !isFree) throw taken(moving, here, there);
}

/** Keeps both states. The file decides which one is used. */
function taken({ run, from, to }: Moving, here: State, there: State): Failure {
  const { file } = from.desired;
  const describe = ({ serial, history }: State) => {
    const last = history.at(-1);
    if (!last) return `serial ${serial}`;
    const when = showTime(last.time, zoneOf(run.io));
    return `serial ${serial}, last by ${showForeign(last.by.actor, [], 200)} at ${when}`;
  };
  const [word, address] = [shellWord(file), shellWord(written(to))];
  return new Failure(
    "state-conflict",
    `"${written(to)}" already contains a state of "${from.identity.key}": ${describe(there)}. The state at "${written(from)}": ${describe(here)}.`,
    `Compare the two:\n  lintel history ${word}\n  lintel history ${word} ${address}\nLintel uses the one that the file names. To use the other one, write in the file:\n  state: ${written(to)}\nTo move this one, name an empty place.`,
  );
}

/** From here on, no run can use the state at the old place. */
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
    // The state certainly did not arrive, so the old place is usable again.
    await left.write(withoutMark(here), version);
    throw failure;
  }
  // A write can wait a minute for a lock, and another person can undo the move meanwhile.
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
    `The move of the state of "${from.desired.file}" was cancelled meanwhile, so the state stays at "${written(from)}".`,
    `Check it, and move it again:\n  lintel history ${shellWord(from.desired.file)}`,
  );
}

/** A digest of an address with references, whose values are never shown; undefined without references. */
function placeOf({ stateAddress: { address, written } }: PortalContext): string | undefined {
  return written === undefined ? undefined : digestOfText(address);
}

/** Undoes a move that never arrived: the new address is the old place again. */
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
      `"${file}" already names "${written(from)}", and there is no state.`,
      `If the line was edited by hand, restore it: "state move" changes it.`,
    );
  }
  const mark = here.moved;
  if (!mark) return { outcome: "was-there", state: here };
  const [to, by] = [mark.to, mark.by.actor].map((text) => showForeign(text, [], 300));
  const begun = `${by} began to move this state to "${to}" at ${showTime(mark.time, zoneOf(run.io))}`;
  const found = await lookAt(moving, mark);
  if (isLater(found?.state, here)) {
    const now = showForeign(found.state.moved?.to ?? mark.to, []);
    const help = `To use it, write in "${file}":\n  state: ${now}`;
    throw new Failure("state-moved", `${begun}, and it arrived.`, help);
  }
  const where = mark.folder ? `in ${describeFolder(mark.folder)}` : "there";
  if (found) await confirm(`${begun}, and it did not arrive. Cancel that move?`);
  else {
    await confirmUnseen(
      `${begun}. This machine cannot see whether it arrived ${where}. If it did, both states could be used. Cancel that move?`,
    );
  }
  const time = new Date(run.io.now()).toISOString();
  const why = `given up: from ${written(from)} to ${mark.to}`;
  const state = moved(here, { time, by: await authorOf(run.io, paths), why });
  await left.write(state, version);
  return { outcome: "returned", state };
}

/** The state at the place that a mark names; undefined if this machine cannot see it. */
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

/** Each clone has its own folder for the same address. */
function isOtherFolder(
  folder: Mark["folder"],
  { desired, stateAddress }: PortalContext,
  run: RunContext,
) {
  const here = folderHere(stateAddress.address, desired.file, run.io);
  return folder !== undefined && (here?.host !== folder.host || here.path !== folder.path);
}

/** The address as written in a file. */
function written({ stateAddress: { address, written } }: PortalContext): string {
  return written ?? address;
}
