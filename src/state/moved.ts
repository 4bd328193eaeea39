// Reads the mark of a moved state, and refuses to use that state.
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Place as FilePlace } from "../diagnostic.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { folderAt } from "../state-address/folder.js";
import { isWrong } from "../state-address/kind.js";
import { stateKindOf } from "../state-address/kinds.js";
import { shellWord, showForeign, showTime, zoneOf } from "../lib/text.js";
import type { Moved } from "./state.js";

type Folder = NonNullable<Moved["folder"]>;

/** An absolute path; undefined for another kind of place. */
export function folderOf(address: string, file: string, cwd: string): string | undefined {
  const found = stateKindOf(address) === "file" ? folderAt(address) : undefined;
  return found && !isWrong(found) ? resolve(cwd, dirname(file), found.path) : undefined;
}

/** Identifies a folder on this machine, since each clone has its own ".lintel"; undefined for other kinds of places. */
export function folderHere(
  address: string,
  file: string,
  { cwd, machine }: Pick<Io, "cwd" | "machine">,
): Folder | undefined {
  const path = folderOf(address, file, cwd);
  return path === undefined ? undefined : { host: machine.host, path: realPath(path) };
}

/** Resolves links, as far as the path exists. */
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
  /** The place with the mark, as written in a file. */
  readonly from: string;
  /** The line with the address, if it is in another file. */
  readonly said?: Pick<FilePlace, "file" | "line"> | undefined;
  readonly io: Pick<Io, "env" | "zone">;
}

/** For a file that still names the old place. */
export function movedAway(
  { to, time, by, folder }: Moved,
  { subject, file, from, said, io }: Looking,
): Failure {
  const address = showForeign(to, []);
  const where = folder ? `, in ${describeFolder(folder)}` : "";
  // If the address is in a base, the commands name it.
  const [finish, giveUp] = [to, from].map(
    (place) => `lintel state move ${shellWord(file)} ${shellWord(place)}`,
  );
  const line = said ? `"${said.file}" (line ${said.line})` : `"${file}"`;
  const all = said ? ` for all files that extend "${said.file}"` : "";
  return new Failure(
    "state-moved",
    `The state of "${subject}" was moved to "${address}" by ${showForeign(by.actor, [], 200)} at ${showTime(time, zoneOf(io))}${where}.`,
    `Get the newest version of ${line}${folder ? " and of that folder" : ""}, for example with git pull.\nIf the move was interrupted, complete it${all}:\n  ${finish}\nor cancel it:\n  ${giveUp}`,
  );
}
