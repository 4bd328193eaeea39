// Keeps records, events and webhook cursors as plain files in a folder that outlives the run.
import * as fs from "node:fs";
import { join } from "node:path";
import { openEventLog } from "./event-log.js";
import type { EventStore } from "./event-store.js";
import { takeRunFile, type RunFile } from "./run-file.js";
import { Failure } from "../../failure.js";
import type { Io } from "../../io.js";
import { digestOfText } from "../../lib/digest.js";
import { overwriteFile, reasonOf } from "../../lib/files.js";
import { isJsonObject, parseExact, printJson, type JsonObject } from "../../lib/json.js";
import { makeSharedFolder, makeSubfolder, remove, syncParent } from "../../lib/shared-folder.js";
import { isSameButTimes, type PortalRecord } from "../snapshot.js";

export interface FolderOptions {
  readonly folder: string;
  /** How long events are kept after every webhook acknowledged them. */
  readonly keepMs: number;
  readonly warn: (sentence: string) => void;
}

// DIR/run.json              the process that uses the folder
// DIR/portals/KEY.json      the record of a portal
// DIR/events/YYYY-MM-DD.jsonl  the events of a UTC day
// DIR/cursors.json          for each webhook the number of the last event that it acknowledged
//
// Events are written before the record, and nothing is sent before both. All writes are synchronous: a run that is
// killed leaves at most one record older than its events, and the next check finds the same events, with the same IDs.

export async function openFolderStore(io: Io, options: FolderOptions): Promise<EventStore> {
  const { folder } = options;
  return usable(folder, () => {
    makeSharedFolder(folder, "*\n");
    for (const name of ["portals", "events"]) makeSubfolder(folder, join(folder, name));
    const run = takeRunFile(io, folder);
    try {
      return openStore(io, run, options);
    } catch (error) {
      run.release();
      throw error;
    }
  });
}

function openStore(io: Io, run: RunFile, { folder, keepMs, warn }: FolderOptions): EventStore {
  const recordPath = (key: string) => join(folder, "portals", `${fileNameOf(key)}.json`);
  const cursorsPath = join(folder, "cursors.json");
  const records = readRecords(join(folder, "portals"), warn);
  let cursors = readCursors(cursorsPath, warn);
  const log = openEventLog({
    folder: join(folder, "events"),
    now: () => io.now(),
    keepMs,
    cursors,
    warn,
  });

  /** Writes only while the folder belongs to this run. */
  const write = async (action: () => void) =>
    usable(folder, () => {
      run.assertOwn();
      action();
    });

  function replace(path: string, contents: object): void {
    overwriteFile(path, `${printJson(contents)}\n`, { mode: 0o600 });
    syncParent(path);
  }

  function setCursors(next: ReadonlyMap<string, number>): void {
    replace(cursorsPath, Object.fromEntries(next));
    cursors = next;
    log.drop(Math.min(...next.values()));
  }

  return {
    records: async () => new Map(records),
    record: (key, record, events) =>
      write(() => {
        log.append(events);
        const before = records.get(key);
        if (events.length > 0 || !before || !isSameButTimes(before, record)) {
          replace(recordPath(key), { key, ...record });
        }
        records.set(key, record);
        log.confirmRecorded(events);
      }),
    forget: (key) =>
      write(() => {
        remove(recordPath(key));
        records.delete(key);
      }),
    register: (webhooks) =>
      write(() => {
        const next = webhooks.map((name) => [name, cursors?.get(name) ?? log.start()] as const);
        setCursors(new Map(next));
      }),
    pending: async (webhook, most) =>
      log.after(cursors?.get(webhook) ?? Infinity, most).map(({ event }) => event),
    acknowledge: (webhook, ids) =>
      write(() => {
        const first = log.after(cursors?.get(webhook) ?? Infinity, ids.length);
        if (ids.some((id, at) => first[at]?.event.id !== id)) {
          throw new TypeError("these are not the first pending events");
        }
        const last = first.at(-1)?.number;
        if (last !== undefined) setCursors(new Map(cursors).set(webhook, last));
      }),
    days: async () => log.days(),
    eventsOn: async (day) => log.eventsOn(day),
    close: async () => run.release(),
  };
}

/** Keys of portals are valid file names. An unknown portal has the path of its file instead. */
function fileNameOf(key: string): string {
  return /^[a-z0-9~][a-z0-9._~-]{0,199}$/.test(key) ? key : `~~${digestOfText(key)}`;
}

function readRecords(folder: string, warn: FolderOptions["warn"]): Map<string, PortalRecord> {
  const records = new Map<string, PortalRecord>();
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    // From a killed run.
    if (name.endsWith(".draft")) remove(path);
    if (!name.endsWith(".json")) continue;
    const { key, ...known } = readJson(path) ?? {};
    if (
      typeof key === "string" &&
      isJsonObject(known["snapshot"]) &&
      isJsonObject(known["reported"])
    ) {
      records.set(key, known as unknown as PortalRecord);
    } else {
      warn(
        `"${path}" cannot be read. Its portal counts as unknown, and its events may be repeated.`,
      );
    }
  }
  return records;
}

/** Undefined if they cannot be read. */
function readCursors(
  path: string,
  warn: FolderOptions["warn"],
): ReadonlyMap<string, number> | undefined {
  if (!fs.existsSync(path)) return new Map();
  const cursors = Object.entries(readJson(path) ?? { "": null });
  if (cursors.every((each): each is [string, number] => Number.isSafeInteger(each[1]))) {
    return new Map(cursors);
  }
  warn(`"${path}" cannot be read. Webhooks get the events of the last three days again.`);
  return undefined;
}

function readJson(path: string): JsonObject | undefined {
  try {
    const json = parseExact(fs.readFileSync(path, "utf8"));
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Runs an action, and explains why the folder refused it. */
async function usable<T>(folder: string, action: () => T): Promise<T> {
  try {
    return action();
  } catch (error) {
    const why = error instanceof Failure ? undefined : reasonOf(error);
    if (why === undefined) throw error;
    throw new Failure(
      "not-writable",
      `The folder "${folder}" cannot be used: ${why}.`,
      "Correct that, or use another folder. Events may then be repeated:\n  lintel serve --data DIR",
      { cause: error },
    );
  }
}
