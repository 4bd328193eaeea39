// A folder → a lock that one process holds, and that others take over once its holder is dead. Others wait, or are refused.
import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pause } from "../../http/retry.js";
import type { Io } from "../../io.js";
import { zoneOf } from "../../text.js";
import type { FileStoreOptions } from "../file.js";
import { momentOf, openLease, watchBeats, whyOver } from "./liveness.js";
import type { CurrentLock, Lease } from "./liveness.js";
import { clearBelow, currentLock, lockPath, readLock, RELEASED, takeNext } from "./numbered.js";
import { describe, locked, lockLost } from "../refusal.js";
import type { Holder } from "../store.js";

interface FileLockOptions extends Pick<FileStoreOptions, "io" | "file" | "notice"> {
  /** The folder that holds the one of the locks. */
  readonly above: string;
  readonly folder: string;
  /** What is locked, for messages. */
  readonly subject: string;
}

interface Own {
  readonly number: number;
  readonly holder: Holder;
  /** All that is done to one's own lock goes through the open file, and so never meets the lock of a successor. */
  readonly handle: FileHandle;
  readonly lease: Lease;
  readonly stopBeating: () => void;
}

const BEAT_MS = 5_000;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 500;

export function openFileLock(options: FileLockOptions) {
  const { io, above, folder, subject } = options;
  let own: Own | undefined;

  /** Whether the lock was won that follows `before`. */
  async function follow(before: CurrentLock | undefined, holder: Holder): Promise<boolean> {
    const taken = await takeNext(above, folder, before, holder);
    if (!taken) return false;
    // Closes the file of a lock that this process had before and lost.
    await drop();
    const lease = openLease(() => momentOf(io));
    own = { ...taken, holder, lease, stopBeating: beat(io, taken.handle, lease) };
    await clearBelow(folder, taken.number);
    return true;
  }

  async function release(holder: Holder): Promise<void> {
    if (own?.holder.id !== holder.id) throw lockLost(subject);
    try {
      await own.handle.appendFile(RELEASED);
    } finally {
      await drop();
    }
  }

  async function drop(): Promise<void> {
    const lost = own;
    own = undefined;
    lost?.stopBeating();
    await lost?.handle.close();
  }

  return {
    current: () => currentLock(folder),
    take: (holder: Holder, timeoutMs: number) =>
      takeInTurn(options, timeoutMs, (before) => follow(before, holder)),
    release,

    /** Fails with state-lock-lost. */
    async assertHeld() {
      const found = own && (await readLock(folder, own.number));
      if (!own || found?.holder.id !== own.holder.id) throw lockLost(subject);
    },

    /** Fails with state-lock-lost where somebody has ended the lock, or this process gave no sign of life for so long that others may have taken over. */
    assertLeased() {
      // Robbed, it has a successor. The lease is looked at last, so that no time goes by after it.
      const isRobbed =
        own &&
        (existsSync(lockPath(folder, own.number + 1)) || !existsSync(lockPath(folder, own.number)));
      if (!own || isRobbed || own.lease.isOver()) throw lockLost(subject);
    },

    async force(by: Holder) {
      for (;;) {
        const before = await currentLock(folder);
        if (!before || before.isReleased) return undefined;
        if (!(await follow(before, by))) continue;
        await release(by);
        return before.holder;
      }
    },
  };
}

/** Waits until the lock is free or its holder is dead; fails with state-locked once the time is over. */
async function takeInTurn(
  { io, folder, subject, file, notice }: FileLockOptions,
  timeoutMs: number,
  follow: (before: CurrentLock | undefined) => Promise<boolean>,
): Promise<void> {
  const { machine } = io;
  const startedMs = machine.elapsedMs();
  const watch = watchBeats(machine);
  let hasSaid = false;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
    const before = await currentLock(folder);
    const why = before && whyOver(before, machine, watch);
    const who = before && describe(before.holder, zoneOf(io));
    if (!before || why !== undefined) {
      if (await follow(before)) {
        if (why) notice?.(`Took over the lock of ${who}: ${why}.`);
        return;
      }
    } else {
      const leftMs = startedMs + timeoutMs - machine.elapsedMs();
      if (leftMs <= 0) throw locked(subject, file, before.holder, zoneOf(io));
      if (!hasSaid) notice?.(`Waiting for the lock of ${who}.`);
      hasSaid = true;
      delayMs = Math.min(delayMs, Math.ceil(leftMs));
    }
    await pause(Math.round(delayMs * (0.5 + io.random() / 2)), io);
  }
}

/** Gives signs of life by the file's own time; what it returns ends them. */
function beat(io: Io, handle: FileHandle, lease: Lease): () => void {
  let lastMs = 0;
  return io.machine.every(BEAT_MS, async () => {
    const given = momentOf(io);
    // Others look only at whether it changes, so that their clocks need not agree with ours.
    lastMs = Math.max(lastMs + 1, given.wallMs);
    // Where it fails, others take us for dead, and the lease ends.
    await handle.utimes(lastMs / 1000, lastMs / 1000).then(
      () => lease.renew(given),
      () => {},
    );
  });
}
