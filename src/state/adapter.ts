// Brings a backend that locks to the compare-and-swap contract: its lock is held around one write.
import { randomUUID } from "node:crypto";
import { Failure } from "../failure.js";
import { systemUser, type Io } from "../io.js";
import { digestOf } from "./format.js";
import type { State } from "./state.js";
import { StateConflict, type StateOwner, type StateStore, type Version } from "./state-store.js";
import { holderOn, type LockingStore } from "./store.js";

/** A write is short; a lock that a killed writer left ends within this time, or by hand. */
const LOCK_TIMEOUT_MS = 60_000;

interface Adapted extends StateOwner {
  readonly io: Io;
  readonly address: string;
  /** Where the state is, for messages. */
  readonly place: string;
  /** Loads the backend when it is first used. */
  readonly open: () => Promise<LockingStore>;
  readonly notice: (sentence: string) => void;
}

export function withLockAround({ io, address, place, portal, open, notice }: Adapted): StateStore {
  async function underLock<T>(store: LockingStore, action: () => Promise<T>): Promise<T> {
    const who = systemUser(io) ?? "unknown";
    const since = new Date(io.now()).toISOString();
    const holder = holderOn(io.machine, { id: randomUUID(), who, run: "lintel", since });
    await store.lock(holder, { timeoutMs: LOCK_TIMEOUT_MS });
    try {
      return await action();
    } finally {
      await store.unlock(holder).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        if (error.code !== "state-lock-lost")
          notice(`${error.message}\n${error.help ?? ""}`.trim());
      });
    }
  }

  return {
    place,
    recovery: () => "Restore it from the versions that its server keeps, or from a backup.",
    memoryName: async () => `${address} ${portal.key}`,
    async read() {
      const state = await (await open()).read();
      return { state, version: state && versionOf(state) };
    },
    async write(state, version) {
      const store = await open();
      return underLock(store, async () => {
        const before = await store.read();
        if ((before && versionOf(before)) !== version) throw new StateConflict(store.place);
        try {
          await store.write(state, before?.serial ?? 0);
        } catch (error) {
          // Where the server has no lock, another writer may have come between the read and the write.
          const now = isOvertaken(error) ? await store.read() : before;
          throw (now && versionOf(now)) === version ? error : new StateConflict(store.place);
        }
        return versionOf(state);
      });
    },
    async probe() {
      await underLock(await open(), async () => {});
    },
    unlock: async (by) => (await open()).forceUnlock(by),
    lockHolder: async () => (await open()).holder(),
  };
}

function isOvertaken(error: unknown): boolean {
  const codes = ["state-conflict", "state-of-another-lineage"];
  return error instanceof Failure && codes.includes(error.code);
}

/** Of the whole content: two writers at a server without a lock may write the same serial. */
function versionOf(state: State): Version {
  return digestOf(state);
}
