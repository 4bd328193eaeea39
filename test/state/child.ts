// A process of its own that locks, reads, writes and unlocks; it can die or fall asleep at any call to the file system.
import { randomUUID } from "node:crypto";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { closeSync, openSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../src/failure.js";
import { type Io, readMachine } from "../../src/io.js";
import { identityOf, type PortalIdentity } from "../../src/state/key.js";
import { openHttp } from "../../src/http/http.js";
import { openStores } from "../../src/state/open.js";
import { emptyState, settle } from "../../src/state/steps.js";
import { holderOn, type Store } from "../../src/state/store.js";
import { UTC } from "../../src/lib/text.js";
import { LINEAGE, SETTLEMENT } from "./samples.js";

export interface Errand {
  readonly address: string;
  readonly portalUrl: string;
  /** How often it locks, reads, writes and unlocks. */
  readonly rounds: number;
  readonly timeoutMs?: number;
  /** The folder of its file. */
  readonly from?: string | undefined;
  /** The variables of its run; none, when left out. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What was in vain because somebody else was faster is done again. */
  readonly isRetried?: boolean;
  /** A file that exists only while somebody holds the lock. */
  readonly marker?: string;
  /** Says "locked" and keeps the lock until it is killed. */
  readonly stays?: true;
  /** The call to the file system at which it sends itself a signal. */
  readonly halts?: {
    readonly call: number;
    readonly when: "before" | "within" | "after";
    readonly by: "SIGKILL" | "SIGSTOP";
  };
}

const errand = JSON.parse(process.argv[2] ?? "") as Errand;
const calls: string[] = [];
const FILES = [
  "open",
  "openSync",
  "readdirSync",
  "linkSync",
  "unlinkSync",
  "rename",
  "mkdirSync",
  "chmodSync",
  "fchmodSync",
  "statSync",
  "writeFileSync",
  "readFileSync",
  "futimesSync",
  "fsync",
];

const require = createRequire(`${process.cwd()}/`);
const silent = { write: () => {}, isTerminal: false };
const io: Io = {
  env: errand.env ?? {},
  cwd: errand.from ?? "/",
  stdin: {
    read: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(undefined),
    askUnseen: () => Promise.resolve(undefined),
    isTerminal: false,
  },
  stdout: silent,
  stderr: silent,
  now: () => Date.now(),
  zone: UTC,
  random: () => Math.random(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  signal: new AbortController().signal,
  machine: readMachine(process),
};

main().catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exit();
});

async function main(): Promise<void> {
  countCalls();
  const portal = identityOf(errand.portalUrl, "self");
  const { address, marker, timeoutMs = 60_000 } = errand;
  const assertAllowed = () => {};
  const http = openHttp(io, { assertAllowed });
  for (let round = 0; round < errand.rounds; round++) {
    const stores = openStores({ io, http, assertAllowed });
    const store = stores.open({ address, file: "portal.yaml", portal });
    const run = String(process.pid);
    const since = new Date().toISOString();
    const holder = holderOn(io.machine, { id: randomUUID(), who: "child", run, since });
    await store.lock(holder, { timeoutMs });
    // Fails if another holder has made it.
    if (marker !== undefined) closeSync(openSync(marker, "wx"));
    if (errand.stays) {
      process.stdout.write("locked\n");
      setInterval(() => {}, 1000);
      return;
    }
    const serial = await writeNext(store, portal);
    if (marker !== undefined) rmSync(marker);
    await store.unlock(holder);
    await stores.close();
    process.stdout.write(`${serial}\n`);
    // Whoever comes back at once leaves no room for those who wait between two looks.
    await sleep(Math.random() * 30);
  }
  await http.close();
  process.stdout.write(`calls ${JSON.stringify(calls)}\n`);
}

async function writeNext(store: Store, portal: PortalIdentity): Promise<number> {
  for (;;) {
    const state = (await store.read()) ?? emptyState(LINEAGE, portal);
    try {
      await store.write(settle(state, SETTLEMENT), state.serial);
      return state.serial + 1;
    } catch (error) {
      if (!errand.isRetried || (error as Failure).code !== "state-conflict") throw error;
    }
  }
}

/** Puts itself in front of every call that the store makes. */
function countCalls(): void {
  const files = require("node:fs") as Files;
  const folder = errand.address.replace(/^file:/, "");
  const opened = new Set<unknown>();
  const { closeSync: close, writeSync } = files;
  for (const name of FILES) {
    const own = files[name];
    if (!own) throw new Error(`there is no ${name}`);
    files[name] = (...args) => {
      const [of, text] = args;
      const isOurs = typeof of === "number" ? opened.has(of) : String(of).startsWith(folder);
      if (!isOurs) return own(...args);
      const end = begin(name, () => {
        const whole = text as string | Uint8Array;
        writeSync?.(of, whole.slice(0, whole.length / 2));
      });
      const done = args.at(-1);
      if (typeof done === "function") {
        const ended = (error: unknown, handle: unknown) => {
          if (name === "open") opened.add(handle);
          end();
          (done as (error: unknown, handle: unknown) => void)(error, handle);
        };
        return own(...args.slice(0, -1), ended);
      }
      const result = own(...args);
      if (name === "openSync") opened.add(result);
      end();
      return result;
    };
  }
  files["closeSync"] = (handle) => {
    opened.delete(handle);
    return close?.(handle);
  };
  syncBuiltinESMExports();
}

type Files = Record<string, (...args: unknown[]) => unknown>;

/** Halts before the call, or within it; what it returns halts after it. */
function begin(name: string, half: () => void): () => void {
  const call = calls.push(name);
  const { when, by } = (errand.halts?.call === call && errand.halts) || {};
  const halt = () => {
    process.kill(process.pid, by);
    // Another thread may be told first: nothing more is done until the signal has come.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  };
  if (when === "within" && name === "writeFileSync") half();
  if (when !== undefined && when !== "after") halt();
  return () => {
    if (when === "after") halt();
  };
}
