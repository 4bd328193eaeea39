// The files of a bundle → a private folder of this machine that holds them and nothing else, and counts as what git tracks; taken away at the end.
import { promises as files, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { declareBundle } from "../../document/read/repository.js";
import { digestOfText } from "../../lib/digest.js";
import { Failure } from "../../failure.js";
import type { Io, Machine } from "../../io.js";

export interface PrivateFolder {
  readonly path: string;
  close(): Promise<void>;
}

/** Fails with queue-not-trusted for a path that leads out of the folder. */
export async function openFolder(
  { machine }: Pick<Io, "machine">,
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<PrivateFolder> {
  for (const path of contents.keys()) if (!isBelow(path)) throw leadsOut(path);
  // As the system calls it, because a link on the way would make every file one that lies elsewhere.
  const path = realpathSync.native(await files.mkdtemp(join(tmpdir(), prefixOf(machine))));
  try {
    for (const [name, bytes] of contents) {
      const own = join(path, ...name.split("/"));
      await files.mkdir(dirname(own), { recursive: true, mode: 0o700 });
      // Nothing is written over: two names may be one to the file system.
      await files.writeFile(own, bytes, { flag: "wx", mode: 0o600 });
    }
  } catch (error) {
    await files.rm(path, { recursive: true, force: true });
    throw error;
  }
  const forget = declareBundle(path);
  return {
    path,
    async close() {
      await files.rm(path, { recursive: true, force: true });
      forget();
    },
  };
}

/** Whether a path of a bundle stays below the folder that it is written into, on every system. */
export function isBelow(path: string): boolean {
  const parts = path.split("/");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\\]/.test(path) || path.length > 4096) return false;
  if (parts.some((part) => part === "" || part === "." || part === "..")) return false;
  // What names a drive, or belongs to git.
  if (parts.some((part) => /^[a-z]:|^\.git$/i.test(part))) return false;
  const way = relative(sep, join(sep, ...parts));
  return way !== "" && !isAbsolute(way) && way === parts.join(sep);
}

function leadsOut(path: string): Failure {
  return new Failure(
    "queue-not-trusted",
    `A bundle in the queue names the file ${JSON.stringify(path)}, which could lie elsewhere than among its own.`,
    "Publish the files anew with a Lintel of the same version as this worker.",
  );
}

const PREFIX = "lintel-bundle-";
/** What a machine that is not this one has left in a folder that both share. */
const LEFT_FOR_MS = 24 * 60 * 60 * 1000;

/** Says which process it belongs to, for whoever comes after that one was killed. */
function prefixOf(machine: Machine): string {
  return `${PREFIX}${homeOf(machine)}-${machine.pid}-${machine.startTime ?? "0"}-`;
}

/** Another start of the machine, or another container, numbers its processes anew. */
function homeOf({ bootId, pidNamespace }: Machine): string {
  return digestOfText(`${bootId} ${pidNamespace}`).slice(0, 12);
}

/** Takes away what processes have left behind that were killed. */
export async function sweepFolders({ machine, now }: Pick<Io, "machine" | "now">): Promise<void> {
  const names = await files.readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, home, pid, startTime] = /^lintel-bundle-(\w{12})-(\d+)-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(tmpdir(), name);
    if (home === homeOf(machine)) {
      if (machine.isRunning(Number(pid), startTime === "0" ? undefined : startTime)) continue;
    } else {
      const found = await files.lstat(path).catch(() => undefined);
      if (!found || now() - found.mtimeMs < LEFT_FOR_MS) continue;
    }
    // Of another user it cannot be taken away.
    await files.rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
