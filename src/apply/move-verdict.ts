// Decides what a move has to do, from what stands at both places; or refuses.
import { Failure } from "../failure.js";
import { isEqual } from "../lib/json.js";
import { describeFolder, movedAway } from "../state/moved.js";
import type { Entry, Moved as Mark, State } from "../state/state.js";
import { shellWord, showForeign, showTime, zoneOf } from "../lib/text.js";
import { isRollbackOpen } from "./preconditions.js";
import type { End, Moved, Moving } from "./move-state.js";

export interface Returning {
  readonly kind: "give-up";
  readonly there: State & Required<Pick<State, "moved">>;
  /** Where it never arrived, and another one was begun meanwhile. */
  readonly here?: State;
}

export type Verdict =
  /** Nothing is to be written. */
  | { readonly kind: "done"; readonly moved: Moved }
  /** A move the other way never arrived, and is given up. */
  | Returning
  /** The first place has its mark, and the second has nothing of it yet. */
  | { readonly kind: "finish"; readonly here: State; readonly there: State | undefined }
  /** What stands at the first place is part of what stands at the second already. */
  | { readonly kind: "leave-copy"; readonly here: State; readonly there: State }
  | { readonly kind: "move"; readonly here: State; readonly there: State | undefined };

export function verdictOn(
  moving: Moving,
  here: State | undefined,
  there: State | undefined,
): Verdict {
  const { from, to } = moving;
  if (!here && !there) return { kind: "done", moved: { outcome: "none", state: undefined } };
  if (here && there && here.lineage !== there.lineage) {
    // Begun anew where this one never arrived: it stays there, whatever becomes of the move.
    if (there.moved?.to !== from.address) throw anotherLineage(moving, here, there);
    return { kind: "give-up", there: { ...there, moved: there.moved }, here };
  }
  const isLater = (there?.serial ?? 0) > (here?.serial ?? 0);
  if (there?.moved && isLater) {
    const { moved } = there;
    const isForHere = moved.to === from.address && (!here || here.moved !== undefined);
    if (!isForHere) throw gone(moving, to, moved);
    return { kind: "give-up", there: { ...there, moved } };
  }
  const arrived: Verdict = { kind: "done", moved: { outcome: "was-there", state: there } };
  if (!here) return arrived;
  if (here.moved) {
    if (there && isLater) return arrived;
    const { folder } = here.moved;
    if (here.moved.to !== to.address) throw gone(moving, from, here.moved);
    if (folder && isOtherFolder(folder, to)) throw inAnotherFolder(moving, here.moved, folder);
    return { kind: "finish", here, there };
  }
  if (there && !there.moved) {
    if (!isCopyOf(here, there)) throw twoStates(moving, here, there);
    return { kind: "leave-copy", here, there };
  }
  assertSettled(here, moving);
  return { kind: "move", here, there };
}

/** Whether all that a state holds stands in another one of the same lineage, which may have gone on since. */
function isCopyOf(older: State, newer: State): boolean {
  const last = older.history.at(-1);
  if (older.serial > newer.serial) return false;
  return !last || newer.history.some((entry) => isEqual(identityOf(entry), identityOf(last)));
}

function identityOf({ number, time, kind, planDigest }: Entry) {
  return { number: number ?? null, time, kind, planDigest: planDigest ?? null };
}

type Folder = NonNullable<Mark["folder"]>;

export function isOtherFolder({ host, path }: Folder, { folder }: End): boolean {
  return folder?.host !== host || folder.path !== path;
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

function gone({ io, subject, file }: Moving, { address }: End, mark: Mark): Failure {
  return movedAway(mark, { subject, file, from: address, io });
}

/** By the same address every clone has a folder of its own, and two states would go on. */
function inAnotherFolder({ from, to, file }: Moving, { by }: Mark, folder: Folder): Failure {
  const back = [file, to.address, from.address].map(shellWord).join(" ");
  const here = to.folder ? `, "${showForeign(to.folder.path, [], 300)}"` : "";
  return new Failure(
    "state-moved",
    `The move of this state went to ${describeFolder(folder)}; here "${to.address}" is another folder${here}.`,
    `Get that folder from ${showForeign(by.actor, [], 200)}, who moved it; where it is committed:\n  git pull\nIf the move was interrupted, the same command finishes it there. If that folder is lost, give the move up:\n  lintel state move ${back}`,
  );
}

export function samePlace({ from, to }: Moving): Failure {
  return new Failure(
    "wrong-usage",
    `"${from.address}" and "${to.address}" are one and the same place.`,
    "Name another place to move the state to.",
  );
}

/** Neither is lost: each stays at its place, and the file says which one goes on. */
function anotherLineage({ from, to, file, subject, io }: Moving, here: State, there: State) {
  const tell = ({ serial, history }: State, { address }: End) => {
    const last = history.at(-1);
    const by =
      last &&
      `, last by ${showForeign(last.by.actor, [], 200)} at ${showTime(last.time, zoneOf(io))}`;
    return `serial ${serial} at "${address}"${by ?? ""}`;
  };
  const [word, ...ends] = [file, from.address, to.address].map(shellWord);
  const [left, right] = ends;
  const look = `lintel history ${word}`;
  return new Failure(
    "state-of-another-lineage",
    `Two states of "${subject}" were begun, each on its own: ${tell(here, from)}; ${tell(there, to)}.`,
    here.moved
      ? `See what was begun there:\n  ${look} ${right}\nTo go on with the one at "${from.address}", give its move up, which leaves the other one where it is; what that one sent shows as drift:\n  lintel state move ${word} ${right} ${left}\nTo go on with the one at "${to.address}", say so in the file; the other one stays where it is:\n  state: ${to.address}`
      : `Look at both:\n  ${look} ${left}\n  ${look} ${right}\nThe one that the file names goes on, and the other one stays where it is. To have this one elsewhere, name an address where nothing stands:\n  lintel state move ${word} ${left} ADDRESS`,
  );
}

/** The one that is older is marked when it is moved onto the newer one; two that went separate ways are for a person. */
function twoStates({ from, to, file, subject }: Moving, here: State, there: State): Failure {
  const isOlder = isCopyOf(there, here);
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
      : `Compare what each tells; then let the file say which one goes on, take the wrong one away, and keep it:\n${[from, to].map(({ address }) => `  lintel history ${[file, address].map(shellWord).join(" ")}`).join("\n")}`,
  );
}
