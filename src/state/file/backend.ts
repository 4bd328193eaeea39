// A folder → a store of states in files: one file a portal, written aside and renamed, under a lock.
import * as fs from "node:fs";
import { join, resolve } from "node:path";
import { oddityOf, PLAINLY, readFile } from "../../lib/files.js";
import type { Io } from "../../io.js";
import { folderAt } from "../../state-address/folder.js";
import { openFileLock } from "./lock.js";
import { modeOf, remove, rename, sync, syncFolder, unlessMissing, writeNew } from "./folder.js";
import { LARGEST_STATE, parseState, printState } from "../format.js";
import * as refusal from "../refusal.js";
import { assertNoWayOut } from "./numbered.js";
import { originOf, reading, writing } from "./refusal.js";
import { BEGINNING_BYTES, openOthers, type Neighbours, type Others } from "../others.js";
import type { State } from "../state.js";
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
  /** What was read or written last under the lock: what stands there byte for byte need not be understood again. */
  let last: { readonly bytes: Buffer; readonly state: State } | undefined;

  const read: Store["read"] = () =>
    reading(place, async () => {
      // Asked first where it may be missing, because an error for that takes much longer.
      if (!last && !fs.lstatSync(path, { throwIfNoEntry: false })) return undefined;
      const bytes = unlessMissing(() => readFile(path, LIMITS));
      if (!bytes) return undefined;
      if (last?.bytes.equals(bytes)) return last.state;
      const state = parseState(bytes, { ...originOf(place, path), portal });
      if (holderId) last = { bytes, state };
      return state;
    });

  return {
    place,
    read,
    exclusion: async () => "lock",
    holder: () =>
      reading(place, async () => {
        const found = lock.current();
        return found?.isReleased === false ? found.holder : undefined;
      }),

    back: async () => originOf(place, path).back,
    others: (ownKey) => reading(shown, () => others(ownKey)),

    async write(state, expected) {
      await writing(shown, async () => lock.assertHeld());
      assertNext(state, { place, portal, stored: await read(), expected });
      const bytes = Buffer.from(printState(state));
      await writing(shown, async () => {
        // A rename is atomic only within one file system, so the draft stands beside its target; and among the locks,
        // where the next holder clears it away.
        const draft = join(lockFolder, `${holderId}-${state.serial}.draft`);
        assertNoWayOut(lockFolder);
        try {
          const handle = await writeNew(draft, bytes, modeOf(folder, path));
          // A name must not last longer than what it names.
          await sync(handle).finally(() => fs.closeSync(handle));
          // Looked at after the draft is there: whoever takes the lock over from now on takes the draft away as well,
          // before reading the state. So a process that fell asleep here cannot overwrite what was written meanwhile.
          lock.assertHeld();
          await rename(draft, path);
        } catch (error) {
          remove(draft);
          const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
          throw isGone ? refusal.lockLost(subject) : error;
        }
        last = { bytes, state };
        await syncFolder(folder);
      });
    },

    async lock(holder, { timeoutMs = 0 } = {}) {
      await writing(shown, () => lock.take(holder, timeoutMs));
      holderId = holder.id;
    },
    assertLeased: () => lock.assertLeased(),
    async unlock(holder) {
      await writing(shown, () => lock.release(holder));
      [holderId, last] = ["", undefined];
    },
    forceUnlock: (by) => writing(shown, () => lock.force(by)),
  };
}

function neighboursIn(folder: string): Neighbours {
  return {
    async *beginnings() {
      const names = unlessMissing(() => fs.readdirSync(folder)) ?? [];
      for (const name of names.filter((each) => each.endsWith(".json"))) {
        const text = beginningOf(join(folder, name));
        if (text !== undefined) yield { name, text };
      }
    },
    whole: async (name) => wholeOf(join(folder, name)),
  };
}

/** Undefined for what cannot be read: it tells so itself when its own turn comes. */
function beginningOf(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = fs.openSync(path, PLAINLY);
    if (oddityOf(fs.fstatSync(handle))) return undefined;
    const beginning = Buffer.alloc(BEGINNING_BYTES);
    return beginning.toString("utf8", 0, fs.readSync(handle, beginning));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) fs.closeSync(handle);
  }
}

function wholeOf(path: string): string | undefined {
  try {
    return readFile(path, LIMITS).toString("utf8");
  } catch {
    return undefined;
  }
}
