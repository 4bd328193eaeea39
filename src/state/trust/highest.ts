// Remembers how far a state was when this machine read or wrote it last, in the user's configuration folder.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOfText } from "../../lib/digest.js";
import { overwriteFile, readFile, reasonOf, statOf } from "../../lib/files.js";
import { configurationFolder, type Io } from "../../io.js";
import { isJsonObject, parseJson, type JsonObject } from "../../lib/json.js";
import { newestDigest } from "../chain.js";
import type { State } from "../state.js";

const LIMITS = { largest: 64 * 1024, links: "refused" } as const;

export interface Seen extends Pick<State, "lineage" | "serial"> {
  /** Of the newest entry of the history; absent where there was none, and in what older versions kept. */
  readonly entry?: string | undefined;
}

/** The file of what was seen is there, and says nothing that can be told from a state. */
export interface Damaged {
  readonly damaged: string;
}

export function seenIn(state: State): Seen {
  return { lineage: state.lineage, serial: state.serial, entry: newestDigest(state) };
}

/** `key` tells the state apart from others. Undefined where nothing is remembered, or nothing could be. */
export function highestSeen(key: string, io: Io): Seen | Damaged | undefined {
  const path = placeOf(key, io);
  if (path === undefined) return undefined;
  try {
    const json = parseJson(readFile(path, LIMITS).toString("utf8"));
    return (isJsonObject(json) && json["state"] === key && seenOf(json)) || { damaged: path };
  } catch (error) {
    if (reasonOf(error) === undefined) throw error;
    return statOf(path) && { damaged: path };
  }
}

function seenOf({ lineage, serial, entry }: JsonObject): Seen | undefined {
  if (typeof lineage !== "string" || !Number.isSafeInteger(serial)) return undefined;
  if (typeof serial !== "number" || serial < 1) return undefined;
  if (entry === undefined) return { lineage, serial };
  return typeof entry === "string" ? { lineage, serial, entry } : undefined;
}

/** Tells a person, and each thing once however often it is found. */
export type WarnOnce = (what: string, sentence: string) => void;

export function openWarnings({ stderr }: Pick<Io, "stderr">): WarnOnce {
  const told = new Set<string>();
  return (what, sentence) => {
    if (!told.has(what)) stderr.write(`warning: ${sentence}\n`);
    told.add(what);
  };
}

/** In the place of what was remembered before. Where nothing can be written, the person is told. */
export function rememberSeen(key: string, seen: Seen, io: Io, warn: WarnOnce): void {
  const path = placeOf(key, io);
  if (path === undefined) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const making = { mode: 0o600, machine: io.machine };
    overwriteFile(path, `${JSON.stringify({ state: key, ...seen }, null, 2)}\n`, making);
  } catch (error) {
    const why = reasonOf(error) ?? String(error);
    warn(
      why,
      `The serial of the state could not be kept in "${path}" (${why}), so that an older one would not be noticed.`,
    );
  }
}

/** For a state that is to be begun anew. */
export function forgetSeen(key: string, io: Io): void {
  const path = placeOf(key, io);
  if (path !== undefined) rmSync(path, { force: true });
}

function placeOf(key: string, io: Io): string | undefined {
  const folder = configurationFolder(io);
  return folder && join(folder, "serials", `${digestOfText(key)}.json`);
}
