// What tests of backends that lock share: a real Io and machine, folders, stores as other processes open them, and those processes.
import { setMaxListeners } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Io, readMachine, type Machine } from "../../src/io.js";
import { openHttp } from "../../src/http/http.js";
import { openStores, type Stores } from "../../src/state/open.js";
import type { PortalIdentity } from "../../src/state/key.js";
import type { Holder, LockingStore } from "../../src/state/store.js";
import type { Errand } from "./child.js";
import { openLocking } from "./locking.js";
import { startProgram, type Program } from "./programs.js";
import { PORTAL } from "./samples.js";
import { processIo } from "./stores.js";

export const machine = readMachine(process);

/** Real time, for what real processes do. */
export const io = processIo();
// Many wait for the same signal, which Node takes for a leak.
setMaxListeners(0, io.signal);

export interface Opened {
  readonly io?: Io;
  readonly machine?: Machine;
  readonly notices?: string[];
  /** Besides what `io` has. */
  readonly env?: Io["env"];
  /** The folder of the file. */
  readonly from?: string;
  readonly portal?: PortalIdentity;
}

/** Where one backend keeps its states, as a test sees it. */
export interface Place {
  readonly address: string;
  /** The folder of the file, where that counts. */
  readonly from?: string;
  /** What a run needs in its environment to get there. */
  readonly env?: Readonly<Record<string, string>>;
  /** As another process would open it. */
  open(as?: Opened): LockingStore;
  /** Makes anything the stored state, as a person or another program may. */
  plant(text: string | Uint8Array): void | Promise<void>;
  /** What others are told of a holder, where that is not all. */
  told?(holder: Holder): Holder;
  /** The stored state as it is; undefined where there is none. */
  stored(): string | undefined | Promise<string | undefined>;
}

/** Of a run that may send credentials wherever it likes. */
export function storesOf(io: Io): Stores {
  const assertAllowed = () => {};
  return openStores({ io, http: openHttp(io, { assertAllowed }), assertAllowed });
}

/** As another process opens it; what it keeps open goes with the test. */
export function openAt(address: string, as: Opened = {}): LockingStore {
  const { io: own = io, env = {}, from = own.cwd, portal = PORTAL } = as;
  const around = { ...own, env: { ...own.env, ...env }, machine: as.machine ?? machine };
  const notice = (sentence: string) => void as.notices?.push(sentence);
  const { store, close } = openLocking({ io: around, address, from, portal, notice });
  onTestFinished(close);
  return store;
}

/** A machine whose time goes on by hand alone, and with it the signs of life that are due. */
export function heldMachine() {
  let elapsedMs = 0;
  let beat = () => Promise.resolve();
  const held: Machine = {
    ...machine,
    elapsedMs: () => elapsedMs,
    every: (_ms, action) => {
      beat = action;
      return () => {};
    },
  };
  const goOn = async (ms: number) => {
    elapsedMs += ms;
    await beat();
  };
  return { machine: held, goOn };
}

/** Every file below a folder, in order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .toSorted();
}

export function send(errand: Errand): Promise<Program> {
  // What a child leaves behind that is killed goes with its place.
  const env = errand.from === undefined ? {} : { TMPDIR: dirname(errand.from) };
  return startProgram("child.ts", errand, env);
}
