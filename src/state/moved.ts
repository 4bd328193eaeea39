// The mark of a state that was moved away, read on some machine → which folder it names, and the refusal that tells where the state is.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Place as FilePlace } from "../diagnostic.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { folderAt } from "../state-address/folder.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf, stateHostOf, wrongIn } from "../state-address/kinds.js";
import { shellWord, showForeign, showTime, zoneOf } from "../lib/text.js";
import type { Moved, State } from "./state.js";

type Folder = NonNullable<Moved["folder"]>;

type Here = Pick<Io, "cwd" | "machine">;

/** An absolute path; undefined where the address is that of another kind of place. */
export function folderOf(address: string, file: string, cwd: string): string | undefined {
  const found = stateKindOf(address) === "file" ? folderAt(address) : undefined;
  return found && !isWrong(found) ? resolve(cwd, dirname(file), found.path) : undefined;
}

/** By what others can tell it, since each clone and each machine has a ".lintel" of its own; undefined for other kinds of places. */
export function folderHere(address: string, file: string, io: Here): Folder | undefined {
  const path = folderOf(address, file, io.cwd);
  return path === undefined ? undefined : { host: io.machine.host, path: realPath(path) };
}

/** With its links resolved, as far as it is there. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

export function describeFolder({ host, path }: Folder): string {
  return `"${showForeign(path, [], 300)}" on "${showForeign(host, [], 200)}"`;
}

/** What a run has seen at the place that a mark names: nothing, another state than the one that was to come there, or that one. */
export type Arrival = "none" | "another" | "there";

export interface Looking {
  readonly subject: string;
  readonly file: string;
  /** Where the mark stands, as a file writes it. */
  readonly from: string;
  /** The line that says where the state is, where that stands in another file. */
  readonly said?: Pick<FilePlace, "file" | "line"> | undefined;
  readonly io: Here & Pick<Io, "env" | "zone">;
}

/** Of a state that a file still looks for where it was; without an arrival nobody has seen whether it is at the other place. */
export function movedAway(mark: Moved, looking: Looking, arrival?: Arrival): Failure {
  const { subject, file, from, said, io } = looking;
  const { to, time, by, folder } = mark;
  const address = showForeign(to, []);
  const told = `by ${showForeign(by.actor, [], 200)} at ${showTime(time, zoneOf(io))}`;
  const where = folder ? `, in ${describeFolder(folder)}` : "";
  const state = `The state of "${subject}"`;
  const [finish, giveUp] = [
    [file, from, to],
    [file, to, from],
  ].map((words) => `lintel state move ${words.map(shellWord).join(" ")}`);
  const change = said
    ? `Get the newest version of "${said.file}", where line ${said.line} says it for "${file}", or write in "${file}":\n  state: ${address}`
    : `Get the newest version of "${file}", or write in it:\n  state: ${address}`;
  const [message, help] = {
    there: [`${state} was moved to "${address}" ${told}, and goes on there${where}.`, change],
    none: [
      `${state} was moved to "${address}" ${told}, and nothing of it stands there${where}: it did not arrive, or was taken away.`,
      `Finish the move:\n  ${finish}\nor give it up:\n  ${giveUp}`,
    ],
    another: [
      `${state} was moved to "${address}" ${told}, and another one, which was begun on its own, stands there${where}.`,
      `See what was begun there:\n  lintel history ${[file, to].map(shellWord).join(" ")}\nTo go on with the one at "${showForeign(from, [])}", give its move up, which leaves the other one where it is:\n  ${giveUp}\nTo go on with the other one, write in "${file}":\n  state: ${address}`,
    ],
    unseen: [
      `${state} was moved to "${address}" ${told}${where}; whether it arrived cannot be seen from here.`,
      isElsewhere(mark, file, io)
        ? `Here "${address}" is another folder. Get that one from whoever moved it, and the newest version of "${file}"; where both are committed:\n  git pull`
        : `Where that move may have been interrupted, finish it first; one that has arrived stays as it is:\n  ${finish}\n${change}`,
    ],
  }[arrival ?? "unseen"] as [string, string];
  return new Failure("state-moved", message, help);
}

/** The address that a run may look at for a mark: none that credentials would go to because a state says so, and no other folder. */
export function lookableAt(
  mark: Moved,
  { key, file, io }: { readonly key: string; readonly file: string; readonly io: Io },
): string | undefined {
  const address = mark.to.replaceAll("${portal.key}", key);
  const isReferring = address.includes("${");
  if (isReferring || wrongIn(address, undefined) || stateHostOf(address, io.env)) return undefined;
  return isElsewhere({ ...mark, to: address }, file, io) ? undefined : address;
}

/** Every write counts, so that what has arrived is later than the mark. */
export function arrivalOf(mark: State, found: State | undefined): Arrival {
  if (!found) return "none";
  if (found.lineage !== mark.lineage) return "another";
  return found.serial > mark.serial ? "there" : "none";
}

/** Whether it is certain that its folder is not the one that its address means for this file. */
function isElsewhere({ to, folder }: Moved, file: string, io: Here): boolean {
  if (!folder) return false;
  // What references stand for is known to whoever moves it, who looks again.
  const here = to.includes("${") ? undefined : folderHere(to, file, io)?.path;
  return folder.host !== io.machine.host || (here !== undefined && here !== folder.path);
}
