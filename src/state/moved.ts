// The mark of a state that was moved away, read on some machine → which folder it names, and the refusal that tells where the state is.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { folderAt } from "../state-address/folder.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf } from "../state-address/kinds.js";
import { shellWord, showForeign, showTime, zoneOf } from "../text.js";
import type { Moved } from "./state.js";

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

interface Looking {
  readonly subject: string;
  readonly file: string;
  readonly io: Here & Pick<Io, "env" | "zone">;
}

/** Of a state that a file still looks for where it was. */
export function movedAway(mark: Moved, { subject, file, io }: Looking): Failure {
  const { to, time, by, folder } = mark;
  const address = showForeign(to, []);
  const who = showForeign(by.actor, [], 200);
  const where = folder ? `, in ${describeFolder(folder)}` : "";
  return new Failure(
    "state-moved",
    `The state of "${subject}" was moved to "${address}" by ${who} at ${showTime(time, zoneOf(io))}, and goes on there${where}.`,
    isElsewhere(mark, file, io)
      ? `Here "${address}" is another folder. Get that one from whoever moved it, and the newest version of "${file}"; where both are committed:\n  git pull`
      : `Get the newest version of "${file}", or write in it:\n  state: ${address}\nIf that move was interrupted, finish it:\n  lintel state move ${shellWord(file)} ${shellWord(to)}`,
  );
}

/** Whether it is certain that its folder is not the one that its address means for this file. */
function isElsewhere({ to, folder }: Moved, file: string, io: Here): boolean {
  if (!folder) return false;
  // What references stand for is known to whoever moves it, who looks again.
  const here = to.includes("${") ? undefined : folderHere(to, file, io)?.path;
  return folder.host !== io.machine.host || (here !== undefined && here !== folder.path);
}
