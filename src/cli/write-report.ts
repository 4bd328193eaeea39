// Writes a report completely or not at all, to a file or to a stream that the shell has opened.
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { plainFileAt, overwriteFile } from "../lib/files.js";
import { Failure } from "../failure.js";
import { isPipeline, type Io } from "../io.js";
import { maskLogCommands, type Syntax } from "../lib/log-commands.js";
import { assertOwnWay, writing } from "./write-file.js";

/** The only names of streams that a report may be written to. */
const OPENED = /^\/(?:dev\/(?:std(?:out|err)|fd\/\d+)|proc\/self\/fd\/\d+)$/;
const NOWHERE = "/dev/null";
const FULL_PIPE_MS = 10;

/** Checked first, so that a run whose report cannot be written does not start. */
export function assertPlaceFor(shown: string, io: Io): void {
  const path = resolve(io.cwd, shown);
  if (path === NOWHERE || OPENED.test(path)) return;
  assertOwnWay(path, shown, io);
  writing(shown, () => plainFileAt(path));
}

export async function writeReport(
  shown: string,
  report: string,
  io: Io,
  syntax: Syntax,
): Promise<void> {
  const path = resolve(io.cwd, shown);
  if (path === NOWHERE) return;
  // A later step of a pipeline may print the file.
  const text = isPipeline(io.env) ? maskLogCommands(report, syntax) : report;
  if (!OPENED.test(path)) {
    assertOwnWay(path, shown, io);
    return writing(shown, () => overwriteFile(path, text, { machine: io.machine }));
  }
  // Standard streams may be sockets, which cannot be opened again, and other output must stay in order.
  const name = path.split("/").at(-1) ?? "";
  const stream = { stdout: io.stdout, 1: io.stdout, stderr: io.stderr, 2: io.stderr }[name];
  if (stream) stream.write(text, syntax);
  else await writeOpened(path, shown, text, io);
}

/** Waits for a slow reader of a pipe in short sleeps, so that an interrupt ends the wait. */
async function writeOpened(path: string, shown: string, text: string, io: Io) {
  const handle = writing(shown, () => openAgain(path, shown));
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) {
      const written = writing(shown, () => writeSome(handle, bytes.subarray(at)));
      if (written === 0) await io.sleep(FULL_PIPE_MS, io.signal);
      at += written;
    }
  } finally {
    closeSync(handle);
  }
}

function openAgain(path: string, shown: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Failure("not-writable", `"${shown}" cannot be written: it is not open.`);
  }
}

function writeSome(handle: number, bytes: Uint8Array): number {
  try {
    return writeSync(handle, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
