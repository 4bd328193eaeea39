// A folder → a lock that one process holds, and that others take over once its holder is dead. Refuses whoever comes meanwhile.
import { existsSync, promises as files } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { NotPlain, oddityOf, PLAINLY } from "../file.js";
import { pause } from "../http/retry.js";
import type { Io } from "../io.js";
import { zoneOf } from "../text.js";
import { makeFolderWithin, modeOf, unlessMissing, writeNew } from "./folder.js";
import {
  momentOf,
  openLease,
  parseHolder,
  whyOver,
  watchBeats,
  type Lease,
  type CurrentLock,
} from "./liveness.js";
import { describe, locked, lockLost, oddLock } from "./refusal.js";
import type { Holder } from "./store.js";

// How it works. The folder holds locks whose names are numbers; the highest one counts. Who wants the lock waits until
// that one is released, or its holder is dead, and then links a complete file to the next number. A link fails if the
// name is taken, so one alone succeeds, and nobody ever removes, renames or overwrites a lock that still counts: a
// process that was asleep for an hour in the middle of anything finds a higher number, and harms nobody.
// So the last lock stays when it is released; the next holder clears it away.

export interface FileLockOptions {
  readonly io: Io;
  /** The folder that holds the one of the locks. */
  readonly above: string;
  readonly folder: string;
  /** What is locked, for messages. */
  readonly subject: string;
  /** The desired-state file, for messages. */
  readonly file: string;
  readonly notice?: ((sentence: string) => void) | undefined;
}

export interface FileLock {
  current(): Promise<CurrentLock | undefined>;
  take(holder: Holder, timeoutMs: number): Promise<void>;
  /** Fails with state-lock-lost. */
  assertHeld(): Promise<void>;
  /** Fails with state-lock-lost where somebody has ended the lock, or this process gave no sign of life for so long that others may have taken over. */
  assertLeased(): void;
  release(holder: Holder): Promise<void>;
  force(by: Holder): Promise<Holder | undefined>;
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
/** Many times what a holder says of itself. */
const LARGEST_LOCK = 64 * 1024;
const RELEASED = "released\n";

export function openFileLock(options: FileLockOptions): FileLock {
  const { io, above, folder, subject, file, notice } = options;
  const nameOf = (number: number) => join(folder, String(number));
  let own: Own | undefined;

  async function names(): Promise<readonly string[]> {
    return (await unlessMissing(() => files.readdir(folder))) ?? [];
  }

  async function current(): Promise<CurrentLock | undefined> {
    for (;;) {
      const number = Math.max(0, ...(await names()).filter(isNumber).map(Number));
      if (number === 0) return undefined;
      const found = await readLock(nameOf(number));
      // Cleared away in between by somebody with a higher number.
      if (found) return { number, ...found };
    }
  }

  /** Whether the lock was won that follows `before`. */
  async function follow(before: CurrentLock | undefined, holder: Holder): Promise<boolean> {
    const number = (before?.number ?? 0) + 1;
    await makeFolderWithin(above, folder);
    const draft = join(folder, `${holder.id}.draft`);
    const handle = await writeNew(draft, `${JSON.stringify(holder)}\n`, await modeOf(above));
    let isWon = false;
    try {
      isWon = (await isLinked(draft, nameOf(number))) && (await isNext(number, before));
    } finally {
      if (!isWon) await handle.close();
      await files.rm(draft, { force: true });
    }
    if (!isWon) return false;
    // One that was lost is only now let go of.
    await drop();
    const lease = openLease(() => momentOf(io));
    own = { number, holder, handle, lease, stopBeating: beat(handle, lease) };
    await clear(number);
    return true;
  }

  /**
   * A slow one may have linked a number that was in use, and was cleared away, long ago. Locks are cleared away from
   * the lowest up: if the one before is still there, this number was never in use.
   */
  async function isNext(number: number, before: CurrentLock | undefined): Promise<boolean> {
    const isRight = before
      ? (await readLock(nameOf(before.number)))?.holder.id === before.holder.id
      : (await current())?.number === number;
    if (!isRight) await files.rm(nameOf(number), { force: true });
    return isRight;
  }

  /**
   * Clears away what others left. The drafts come last and are listed anew: whoever fell asleep in the middle of a
   * write has lost its lock by then, and will miss its draft.
   */
  async function clear(below: number): Promise<void> {
    const found = await names();
    const older = found.filter((name) => isNumber(name) && Number(name) < below);
    for (const name of older.toSorted((left, right) => Number(left) - Number(right))) {
      await files.rm(join(folder, name), { force: true });
    }
    for (const name of (await names()).filter((each) => each.endsWith(".draft"))) {
      await files.rm(join(folder, name), { force: true });
    }
  }

  function beat(handle: FileHandle, lease: Lease): () => void {
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

  async function release(holder: Holder): Promise<void> {
    if (own?.holder.id !== holder.id) throw lockLost(subject);
    const { handle } = own;
    try {
      await handle.appendFile(RELEASED);
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
    current,

    async take(holder, timeoutMs) {
      const startedMs = io.machine.elapsedMs();
      const watch = watchBeats(io.machine);
      let hasSaid = false;
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)) {
        const before = await current();
        const why = before && whyOver(before, io.machine, watch);
        if (!before || why !== undefined) {
          if (await follow(before, holder)) {
            if (before && why)
              notice?.(`Took over the lock of ${describe(before.holder, zoneOf(io))}: ${why}.`);
            return;
          }
        } else {
          const leftMs = startedMs + timeoutMs - io.machine.elapsedMs();
          if (leftMs <= 0) throw locked(subject, file, before.holder, zoneOf(io));
          if (!hasSaid) notice?.(`Waiting for the lock of ${describe(before.holder, zoneOf(io))}.`);
          hasSaid = true;
          delayMs = Math.min(delayMs, Math.ceil(leftMs));
        }
        await pause(Math.round(delayMs * (0.5 + io.random() / 2)), io);
      }
    },

    async assertHeld() {
      const found = own && (await readLock(nameOf(own.number)));
      if (!own || found?.holder.id !== own.holder.id) throw lockLost(subject);
    },

    assertLeased() {
      // Robbed, it has a successor. The lease is looked at last, so that no time goes by after it.
      const isRobbed =
        own && (existsSync(nameOf(own.number + 1)) || !existsSync(nameOf(own.number)));
      if (!own || isRobbed || own.lease.isOver()) throw lockLost(subject);
    },

    release,

    async force(by) {
      for (;;) {
        const before = await current();
        if (!before || before.isReleased) return undefined;
        if (!(await follow(before, by))) continue;
        await release(by);
        return before.holder;
      }
    },
  };
}

function isNumber(name: string): boolean {
  return /^[1-9]\d{0,14}$/.test(name);
}

/** False where somebody else was faster, or a new holder has cleared the draft away. */
async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await files.link(draft, path);
    return true;
  } catch (error) {
    if (/^(EEXIST|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Opened first: a network file system asks its server about a file when it is opened, and may remember old answers else. */
async function readLock(path: string): Promise<Omit<CurrentLock, "number"> | undefined> {
  const handle = await unlessMissing(() => files.open(path, PLAINLY));
  if (!handle) return undefined;
  try {
    const stat = await handle.stat();
    const oddity = oddityOf(stat);
    if (oddity) throw oddLock(path, new NotPlain(oddity).message);
    // What is larger is a lock that nobody can read.
    const text = stat.size > LARGEST_LOCK ? "" : await handle.readFile("utf8");
    const [first = "", second] = text.split("\n");
    return {
      beat: stat.mtimeMs,
      holder: parseHolder(first),
      isReleased: second === RELEASED.trim(),
    };
  } finally {
    await handle.close();
  }
}
