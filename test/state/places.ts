// What tests of backends that lock share: a real Io and machine, folders, stores as other processes open them, and those processes.
import { setMaxListeners } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, onTestFinished } from "vitest";
import { type Io, readMachine, type Machine } from "../../src/io.js";
import { openHttp } from "../../src/http/http.js";
import { openStores, type Stores } from "../../src/state/open.js";
import type { PortalIdentity } from "../../src/state/key.js";
import type { Holder, LockingStore } from "../../src/state/store.js";
import { makeRun } from "../support/network.js";
import { environment, PROJECT } from "../support/run.js";
import type { Errand } from "./child.js";
import { openLocking } from "./locking.js";
import { PORTAL } from "./samples.js";

export const machine = readMachine(process);

/** Real time, for what real processes do. */
const { io: quick } = makeRun();
// Many wait for the same signal, which Node takes for a leak.
setMaxListeners(0, quick.signal);
export const io: Io = {
  ...quick,
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

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

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lintel-state-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder, in order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .toSorted();
}

let bundle: Promise<string> | undefined;
const programs: string[] = [];
afterAll(() => {
  for (const folder of programs) rmSync(folder, { recursive: true, force: true });
});

/** The program of child.ts with the real code, in one file that starts fast. */
export function childProgram(): Promise<string> {
  bundle ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "lintel-child-"));
    programs.push(folder);
    const outfile = join(folder, "child.cjs");
    const entryPoints = [join(PROJECT, "test/state/child.ts")];
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "cjs" });
    return outfile;
  })();
  return bundle;
}

export interface Child {
  readonly process: ChildProcess;
  /** Rejects with what the child complained of. */
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }>;
  /** Resolves once the child has said it. */
  says(word: string): Promise<void>;
}

export async function send(errand: Errand): Promise<Child> {
  const child = spawn(process.execPath, [await childProgram(), JSON.stringify(errand)], {
    // What a child leaves behind that is killed goes with its place.
    env: environment(errand.from === undefined ? {} : { TMPDIR: dirname(errand.from) }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [said, complaint] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (complaint += part));
  const ended = new Promise<{ signal: NodeJS.Signals | null; said: string }>((done, fail) => {
    child.on("error", fail).on("close", (exit, signal) => {
      if (exit) fail(new Error(complaint));
      else done({ signal, said });
    });
  });
  // Whoever waits for it hears of it; a test that ends early has another reason.
  ended.catch(() => {});
  return {
    process: child,
    ended,
    says: async (word) => {
      while (!said.includes(word)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${said}${complaint}`);
        await sleep(2);
      }
    },
  };
}
