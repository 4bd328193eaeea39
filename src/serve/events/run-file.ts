// Allows one run for each data folder: DIR/run.json names the process that uses it.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import type { Io, Machine } from "../../io.js";
import { createFile, readFile } from "../../lib/files.js";
import { isJsonObject, parseJson, printJson } from "../../lib/json.js";
import { remove, unlessMissing } from "../../lib/shared-folder.js";
import { showForeign, showTime, zoneOf } from "../../lib/text.js";
import { isGone, type Running } from "../../state/recover.js";

export interface RunFile {
  /** Called before each write. Throws data-in-use if the file names another run. */
  assertOwn(): void;
  release(): void;
}

type Run = Running & { readonly since: string };

export function takeRunFile(io: Io, folder: string): RunFile {
  const { machine } = io;
  const path = join(folder, "run.json");
  const { host, pid, bootId, pidNamespace, startTime } = machine;
  const since = new Date(io.now()).toISOString();
  // Two runs of one process have different IDs.
  const own = { host, pid, bootId, pidNamespace, startTime, since, id: randomUUID() };
  const text = `${printJson(own)}\n`;
  const create = () => createFile(path, text, { mode: 0o600, machine });
  while (!create()) {
    const found = read(path);
    if (found === undefined) continue;
    const run = parseRun(found);
    if (!run || !isOver(run, machine)) throw inUse(folder, path, run, io);
    // Another start may have replaced it meanwhile. It then ends at its first write.
    remove(path);
  }
  return {
    assertOwn() {
      // The file is missing if a person deleted it, or while another start takes over.
      if (read(path) === text || create()) return;
      const found = read(path);
      if (found !== text) throw inUse(folder, path, parseRun(found ?? ""), io);
    },
    release() {
      if (read(path) === text) remove(path);
    },
  };
}

function read(path: string): string | undefined {
  return unlessMissing(() => readFile(path, { largest: 64 * 1024, links: "refused" }).toString());
}

function parseRun(text: string): Run | undefined {
  const run = parseJson(text);
  const isRun = isJsonObject(run) && typeof run["pid"] === "number";
  return isRun && typeof run["host"] === "string" && typeof run["since"] === "string"
    ? (run as unknown as Run)
    : undefined;
}

/** After a restart of a machine or container, the same host has new processes. */
function isOver(run: Run, machine: Machine): boolean {
  const { host, bootId, pidNamespace } = machine;
  const isRestarted = run.bootId !== bootId || run.pidNamespace !== pidNamespace;
  return isGone(run, machine) || (run.host === host && isRestarted);
}

function inUse(folder: string, path: string, run: Run | undefined, io: Io): Failure {
  const show = (value: unknown) => showForeign(String(value), []);
  const by = run
    ? `process ${show(run.pid)} on "${show(run.host)}" since ${show(showTime(run.since, zoneOf(io)))}`
    : "another run";
  return new Failure(
    "data-in-use",
    `The folder "${folder}" is used by ${by}.`,
    `If that run is over, delete "${path}". Otherwise use another folder:\n  lintel serve --data DIR`,
  );
}
