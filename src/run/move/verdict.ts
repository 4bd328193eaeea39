// What stands at the two places of a state → what a move of it has to do, or the refusal that says why it must not.
import { Failure } from "../../failure.js";
import { chainHolds, newestDigest } from "../../state/chain.js";
import { describeFolder, movedAway } from "../../state/moved.js";
import type { Moved as Mark, State } from "../../state/state.js";
import { shellWord, showForeign } from "../../text.js";
import { isRollbackOpen } from "../preconditions.js";
import type { End, Moved, Moving } from "./move.js";

export type Verdict =
  /** Nothing is to be written. */
  | { readonly kind: "done"; readonly moved: Moved }
  /** A move the other way never arrived, and is given up. */
  | { readonly kind: "give-up"; readonly there: State & Required<Pick<State, "moved">> }
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
  if (here && there && here.lineage !== there.lineage) throw anotherLineage(moving, there);
  const isLater = (there?.serial ?? 0) > (here?.serial ?? 0);
  if (there?.moved && isLater) {
    const { moved } = there;
    const isForHere = moved.to === from.address && (!here || here.moved !== undefined);
    if (!isForHere) throw gone(moving, moved);
    return { kind: "give-up", there: { ...there, moved } };
  }
  const arrived: Verdict = { kind: "done", moved: { outcome: "was-there", state: there } };
  if (!here) return arrived;
  if (here.moved) {
    if (there && isLater) return arrived;
    const { folder } = here.moved;
    if (here.moved.to !== to.address) throw gone(moving, here.moved);
    if (folder && isOtherFolder(folder, to)) throw inAnotherFolder(moving, here.moved, folder);
    return { kind: "finish", here, there };
  }
  if (there && !there.moved) {
    if (!chainHolds(there, newestDigest(here)) || there.serial < here.serial)
      throw twoStates(moving, here, there);
    return { kind: "leave-copy", here, there };
  }
  assertSettled(here, moving);
  return { kind: "move", here, there };
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

function gone({ io, subject, file }: Moving, mark: Mark): Failure {
  return movedAway(mark, { subject, file, io });
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
