// A process that reads and replaces a state several times. Tests kill or stop it at any call to the file system.
import { createRequire, syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { Failure } from "../../src/failure.js";
import { identityOf } from "../../src/state/key.js";
import { StateConflict } from "../../src/state/state-store.js";
import { emptyState, settle } from "../../src/state/steps.js";
import { LINEAGE, SETTLEMENT } from "./samples.js";
import { processIo, openStateAt } from "./stores.js";

export interface Errand {
  readonly address: string;
  readonly portalUrl: string;
  /** How many writes have to succeed. */
  readonly writes: number;
  /** The folder of its file. */
  readonly from?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Says "read" and waits for a line before its first write. */
  readonly pauses?: true;
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
  "openSync",
  "readdirSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "chmodSync",
  "fchmodSync",
  "statSync",
  "lstatSync",
  "writeFileSync",
  "readSync",
  "fsync",
  "fsyncSync",
];

const require = createRequire(`${process.cwd()}/`);

main().catch((error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.code} ${error.message}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  countCalls();
  const portal = identityOf(errand.portalUrl, "self");
  const { address, from = "/", env = {} } = errand;
  const opened = openStateAt(address, { io: processIo({ env, cwd: from }), portal });
  const { store } = opened;
  let conflicts = 0;
  let mustPause = errand.pauses === true;
  for (let written = 0; written < errand.writes;) {
    const { state = emptyState(LINEAGE, portal), version } = await store.read();
    if (mustPause) {
      mustPause = false;
      process.stdout.write("read\n");
      await new Promise((resolve) => process.stdin.once("data", resolve));
    }
    try {
      const next = settle(state, SETTLEMENT);
      await store.write(next, version);
      written++;
      process.stdout.write(`wrote ${next.serial}\n`);
    } catch (error) {
      if (!(error instanceof StateConflict)) throw error;
      conflicts++;
    }
  }
  await opened.close();
  process.stdout.write(`conflicts ${conflicts}\ncalls ${JSON.stringify(calls)}\n`);
  process.exit();
}

/** Puts itself in front of every call that the store makes. */
function countCalls(): void {
  const files = require("node:fs") as Files;
  const folder = dirname(errand.address.replace(/^file:/, ""));
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
        const ended = (error: unknown) => {
          end();
          (done as (error: unknown) => void)(error);
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
