// Records the last lineage and serial of each state on this machine, to recognise an older state.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cacheFolder, type Io } from "../io.js";
import { digestOfText } from "../lib/digest.js";
import { overwriteFile, readFile, reasonOf } from "../lib/files.js";
import { isJsonObject, parseJson } from "../lib/json.js";
import type { State } from "./state.js";

export interface LastSeen extends Pick<State, "lineage" | "serial"> {
  readonly time?: string;
}

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

/** `name` identifies the state. Undefined without a readable record. */
export function lastSeen(name: string, io: Io): LastSeen | undefined {
  const path = pathOf(name, io);
  if (path === undefined) return undefined;
  try {
    const json = parseJson(readFile(path, LIMITS).toString("utf8"));
    if (!isJsonObject(json)) return undefined;
    const { lineage, serial, time } = json;
    if (typeof lineage !== "string" || typeof serial !== "number" || serial < 1) return undefined;
    return { lineage, serial, ...(typeof time === "string" && { time }) };
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return undefined;
  }
}

/** If the cache cannot be written, the next run reports that the age of the state is not verified. */
export function rememberSeen(name: string, { lineage, serial }: State, io: Io): void {
  const path = pathOf(name, io);
  if (path === undefined) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const time = new Date(io.now()).toISOString();
    const text = `${JSON.stringify({ lineage, serial, time }, null, 2)}\n`;
    overwriteFile(path, text, { mode: 0o600, machine: io.machine });
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
  }
}

export function forgetSeen(name: string, io: Io): void {
  const path = pathOf(name, io);
  if (path !== undefined) rmSync(path, { force: true });
}

/** LINTEL_STATE_CACHE names a folder that a pipeline keeps between jobs. */
function pathOf(name: string, io: Io): string | undefined {
  const folder = statesFolder(io);
  return folder && join(folder, `${digestOfText(name)}.json`);
}

function statesFolder({ env, cwd }: Pick<Io, "env" | "cwd">): string | undefined {
  const { LINTEL_STATE_CACHE: named } = env;
  if (named) return resolve(cwd, named);
  const folder = cacheFolder({ env });
  return folder && join(folder, "states");
}
