// A folder → a lock that one process holds, and that others take over once its holder is dead. Others wait, or are refused.
import * as fs from "node:fs";
import type { Io } from "../../io.js";
import { zoneOf } from "../../lib/text.js";
import { BEAT_MS, describe, lockLost, watchBeats, whyOver } from "./holder.js";
import type { CurrentLock, Holder } from "./holder.js";
import { takeInTurn } from "./in-turn.js";
import { clearBelow, currentLock, readLock, RELEASED, takeNext } from "./numbered-locks.js";

interface FileLockOptions {
  readonly io: Io;
  /** The folder that holds the one of the locks. */
  readonly above: string;
  readonly folder: string;
  /** What is locked, for messages. */
  readonly subject: string;
  /** Told why the run waits, and from whom it took over. */
  readonly notice?: ((sentence: string) => void) | undefined;
}

interface Own {
  readonly number: number;
  readonly holder: Holder;
  /** All that is done to one's own lock goes through the open file, and so never meets the lock of a successor. */
  readonly handle: number;
  readonly stopBeating: () => void;
}

const DELAYS = { firstDelayMs: 20, longestDelayMs: 500 };

export function openFileLock(options: FileLockOptions) {
  const { io, above, folder, subject } = options;
  let own: Own | undefined;

  /** Whether the lock was won that follows `before`. */
  function follow(before: CurrentLock | undefined, holder: Holder): boolean {
    const taken = takeNext(above, folder, before, holder);
    if (!taken) return false;
    // Closes the file of a lock that this process had before and lost.
    drop();
    own = { ...taken, holder, stopBeating: beat(io, taken.handle) };
    clearBelow(folder, taken.number);
    return true;
  }

  async function release(holder: Holder): Promise<void> {
    if (own?.holder.id !== holder.id) throw lockLost(subject);
    try {
      fs.writeFileSync(own.handle, RELEASED);
    } finally {
      drop();
    }
  }

  /** The number of a closed file may be that of the next one: nothing is done with it from here on. */
  function drop(): void {
    const lost = own;
    own = undefined;
    if (!lost) return;
    lost.stopBeating();
    fs.closeSync(lost.handle);
  }

  return {
    current: () => currentLock(folder),
    /** Waits until the lock is free or its holder is dead. */
    take(holder: Holder, timeoutMs: number) {
      const watch = watchBeats(io.machine);
      return takeInTurn({ ...options, ...DELAYS, timeoutMs }, async () => {
        const before = currentLock(folder);
        const why = before && whyOver(before, io.machine, watch);
        if (before && why === undefined) return { holder: before.holder };
        if (!follow(before, holder)) return "again";
        const who = before && describe(before.holder, zoneOf(io));
        if (why) options.notice?.(`Took over the lock of ${who}: ${why}.`);
        return "taken";
      });
    },
    release,

    /** Fails with state-lock-lost. */
    assertHeld() {
      const found = own && readLock(folder, own.number);
      if (!own || found?.holder.id !== own.holder.id) throw lockLost(subject);
    },
  };
}

/** Gives signs of life by the file's own time; what it returns ends them. */
function beat(io: Io, handle: number): () => void {
  let lastMs = 0;
  return io.machine.every(BEAT_MS, async () => {
    // Others look only at whether it changes, so that their clocks need not agree with ours.
    lastMs = Math.max(lastMs + 1, io.now());
    try {
      // At once, for the file may be closed before another thread comes to it.
      fs.futimesSync(handle, lastMs / 1000, lastMs / 1000);
    } catch {
      // Others take this process for dead.
    }
  });
}
