// A folder → a store of states in files: one file a portal, written aside and renamed, under a lock.
import { promises as files, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { oddityOf, PLAINLY, readFile } from "../../file.js";
import type { Io } from "../../io.js";
import { folderAt } from "../../state-address/folder.js";
import { openFileLock } from "./lock.js";
import { modeOf, syncFolder, unlessMissing, writeNew } from "./folder.js";
import { LARGEST_STATE, parseState, printState } from "../format.js";
import * as refusal from "../refusal.js";
import { assertNoWayOut } from "./numbered.js";
import { originOf, reading, writing } from "./refusal.js";
import { BEGINNING_BYTES, openOthers, type Neighbours, type Others } from "../others.js";
import type { Backend, OwnState, Store } from "../store.js";
import { assertNext } from "../succession.js";

/** A link would bring in what the folder does not hold. */
const LIMITS = { largest: LARGEST_STATE, links: "refused" } as const;

export const fileBackend: Backend = {
  exclusion: "lock",
  deadLock: "ends-by-itself",
  open({ io, address, written, from }) {
    const folder = resolve(from, refusal.fitOf(folderAt(address), { address, written }).path);
    const shown = written ?? folder;
    const others = openOthers(neighboursIn(folder));
    return {
      storeOf: (own) => openFileStore({ io, folder, shown, others, ...own }),
      close: async () => {},
    };
  },
};

export interface FileStoreOptions extends OwnState {
  readonly io: Io;
  /** An absolute path. */
  readonly folder: string;
  /** What messages call the folder. */
  readonly shown: string;
  readonly others: Others;
}

function openFileStore({ folder, shown, others, portal, ...options }: FileStoreOptions): Store {
  const name = `${portal.key}.json`;
  const path = join(folder, name);
  const place = shown === folder ? path : `${shown}/${name}`;
  const lockFolder = join(folder, `${portal.key}.lock`);
  const subject = portal.key;
  const lock = openFileLock({ ...options, above: folder, folder: lockFolder, subject });
  let holderId = "";

  const read: Store["read"] = () =>
    reading(place, async () => {
      // Asked first, because an error for a missing file takes much longer.
      if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
      // Read synchronously: states are small, and Node takes much longer to read one asynchronously.
      const bytes = await unlessMissing(async () => readFile(path, LIMITS));
      return bytes && parseState(bytes, { ...originOf(place, path), portal });
    });

  return {
    place,
    read,
    exclusion: async () => "lock",
    holder: () =>
      reading(place, async () => {
        const found = await lock.current();
        return found?.isReleased === false ? found.holder : undefined;
      }),

    back: async () => originOf(place, path).back,
    others: (isMeant) => reading(shown, () => others(isMeant)),

    async write(state, expected) {
      await writing(shown, () => lock.assertHeld());
      assertNext(state, { place, portal, stored: await read(), expected });
      const text = printState(state);
      await writing(shown, async () => {
        // A rename is atomic only within one file system, so the draft stands beside its target; and among the locks,
        // where the next holder clears it away.
        const draft = join(lockFolder, `${holderId}-${state.serial}.draft`);
        assertNoWayOut(lockFolder);
        try {
          const handle = await writeNew(draft, text, await modeOf(folder, path));
          // A name must not last longer than what it names.
          await handle.sync().finally(() => handle.close());
          // Looked at after the draft is there: whoever takes the lock over from now on takes the draft away as well,
          // before reading the state. So a process that fell asleep here cannot overwrite what was written meanwhile.
          await lock.assertHeld();
          await files.rename(draft, path);
        } catch (error) {
          await files.rm(draft, { force: true });
          const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
          throw isGone ? refusal.lockLost(subject) : error;
        }
        await syncFolder(folder);
      });
    },

    async lock(holder, { timeoutMs = 0 } = {}) {
      await writing(shown, () => lock.take(holder, timeoutMs));
      holderId = holder.id;
    },
    assertLeased: () => lock.assertLeased(),
    unlock: (holder) => writing(shown, () => lock.release(holder)),
    forceUnlock: (by) => writing(shown, () => lock.force(by)),
  };
}

function neighboursIn(folder: string): Neighbours {
  return {
    async *beginnings() {
      const names = (await unlessMissing(() => files.readdir(folder))) ?? [];
      for (const name of names.filter((each) => each.endsWith(".json"))) {
        const text = await beginningOf(join(folder, name));
        if (text !== undefined) yield { name, text };
      }
    },
    whole: async (name) => wholeOf(join(folder, name)),
  };
}

/** Undefined for what cannot be read: it tells so itself when its own turn comes. */
async function beginningOf(path: string): Promise<string | undefined> {
  const handle = await files.open(path, PLAINLY).catch(() => undefined);
  try {
    if (!handle || oddityOf(await handle.stat())) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle?.close();
  }
}

function wholeOf(path: string): string | undefined {
  try {
    return readFile(path, LIMITS).toString("utf8");
  } catch {
    return undefined;
  }
}
