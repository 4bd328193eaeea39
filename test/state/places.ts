// Shared by tests of states: a real Io and machine, and the files below a folder.
import { setMaxListeners } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMachine } from "../../src/io.js";
import { processIo } from "./stores.js";

export const machine = readMachine(process);

/** Real time, for what real processes do. */
export const io = processIo();
// Many wait for the same signal, which Node takes for a leak.
setMaxListeners(0, io.signal);

/** Every file below a folder, in order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .toSorted();
}
